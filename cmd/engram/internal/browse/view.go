package browse

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"engram/cmd/internal/term"
)

// Sizes, in cells.
const (
	narrow  = 90 // below, the list and the text take turns
	headers = 3  // lines above the list
	footers = 2  // lines below it
	perRow  = 2  // lines of a row
	gap     = 3  // between the list and the text
)

func (m model) wide() bool { return m.width >= narrow }

// listWidth is that of the list.
func (m model) listWidth() int {
	if m.wide() {
		return m.width * 2 / 5
	}
	return m.width
}

func (m model) textWidth() int {
	if m.wide() {
		return max(m.width-m.listWidth()-gap, 20)
	}
	return max(m.width, 20)
}

func (m model) bodyHeight() int { return max(m.height-headers-footers, perRow) }

func (m model) rowsShown() int { return m.bodyHeight() / perRow }

func (m model) textLines() int { return strings.Count(m.text, "\n") + 1 }

// View is that of tea.Model.
func (m model) View() tea.View {
	var lines []string
	lines = append(lines, m.tabs(), m.searchLine(), "")
	body := m.body()
	lines = append(lines, body...)
	lines = append(lines, "", m.status())
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, m.width, "…")
	}
	v := tea.NewView(strings.Join(lines[:min(len(lines), max(m.height, 1))], "\n"))
	v.AltScreen, v.WindowTitle = true, "engram"
	switch c := m.input.Cursor(); {
	case c == nil:
	case m.mode == searching:
		c.Position.X += len(searchPrompt)
		c.Position.Y = 1
		v.Cursor = c
	case m.mode == settling:
		c.Position.X += ansi.StringWidth(m.settlePrompt())
		c.Position.Y = len(lines) - 1
		v.Cursor = c
	}
	return v
}

func (m model) tabs() string {
	c := m.source.color
	parts := []string{c.Bold("engram")}
	for p := range pages {
		name := fmt.Sprintf("%d %s", p+1, p)
		if p == m.page {
			parts = append(parts, c.Bold("["+name+"]"))
		} else {
			parts = append(parts, c.Dim(" "+name+" "))
		}
	}
	return strings.Join(parts, "  ")
}

const searchPrompt = "/ "

func (m model) searchLine() string {
	c := m.source.color
	switch {
	case m.page == conflicts:
		return c.Dim("open conflicts, the gravest first")
	case m.mode == searching:
		return c.Bold(searchPrompt) + m.input.View()
	case m.question != "":
		return c.Dim(searchPrompt) + term.Plain(m.question)
	case m.page == sessions:
		return c.Dim(searchPrompt + "search what was said")
	}
	return c.Dim(searchPrompt + "search")
}

// body is the list with the text beside it, or one of them.
func (m model) body() []string {
	height := m.bodyHeight()
	if m.mode == helping {
		return fill(strings.Split(long, "\n"), height)
	}
	text := fill(m.textShown(), height)
	if !m.wide() && (m.mode == reading || m.mode == settling) {
		return text
	}
	list := fill(m.rowLines(), height)
	if !m.wide() {
		return list
	}
	bar := m.source.color.Dim(" │ ")
	for i := range list {
		line := ansi.Truncate(list[i], m.listWidth(), "…")
		list[i] = line + strings.Repeat(" ", max(m.listWidth()-ansi.StringWidth(line), 0)) + bar + text[i]
	}
	return list
}

// fill makes a number of lines of a list.
func fill(lines []string, height int) []string {
	lines = slices.Clone(lines[:min(len(lines), height)])
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines
}

func (m model) textShown() []string {
	lines := strings.Split(m.text, "\n")
	return lines[min(m.scroll, len(lines)):]
}

func (m model) rowLines() (lines []string) {
	c := m.source.color
	if len(m.list.rows) == 0 {
		return []string{c.Dim(m.nothing())}
	}
	for i, r := range m.list.rows[m.top:min(len(m.list.rows), m.top+m.rowsShown())] {
		title, about := ansi.Truncate(r.title, m.listWidth()-2, "…"), ansi.Truncate(r.about, m.listWidth()-2, "…")
		mark := "  "
		if m.top+i == m.at {
			mark, title = c.Green("› "), c.Bold(title)
		}
		if r.warn {
			about = c.Yellow(about)
		} else {
			about = c.Dim(about)
		}
		lines = append(lines, mark+title, "  "+about)
	}
	return lines
}

// nothing says why a list is empty, and what to do next.
func (m model) nothing() string {
	switch {
	case m.list.summary == "" && m.message == "":
		return "reading…"
	case m.page == conflicts:
		return "no open conflicts; `engram audit` looks for them"
	case m.question != "":
		return "nothing has these words"
	case m.page == sessions:
		return "no sessions; `engram session import` brings them"
	}
	return "no facts yet; `engram commit` states one"
}

func (m model) settlePrompt() string { return m.way.words + ", because: " }

// status is the last line: what happened, what is asked, or what can be done.
func (m model) status() string {
	c := m.source.color
	switch {
	case m.mode == settling && m.message != "":
		return m.settlePrompt() + m.input.View() + "  " + c.Yellow(term.Plain(m.message))
	case m.mode == settling:
		return m.settlePrompt() + m.input.View()
	case m.message != "":
		return c.Yellow(term.Plain(m.message))
	}
	keys := map[page]string{facts: "/ search · h history", conflicts: "a A stands · b B stands · d dismiss", sessions: "/ search"}[m.page]
	at := ""
	if m.list.revision != "" {
		at = "revision " + term.Short(m.list.revision)
	}
	return c.Dim(term.Dotted(m.list.summary, at, keys, "enter read · ? keys · q quit"))
}
