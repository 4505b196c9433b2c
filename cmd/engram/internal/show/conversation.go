package show

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"engram/cmd/internal/term"
	"engram/memory"
	"engram/session"
)

// Conversation prints the events of a session for a person. All texts come from
// transcripts, so their control characters are made visible.
type Conversation struct {
	Out      *term.Streams
	Session  string // its id, for the commands that show more
	Full     bool   // texts are not shortened
	Thinking bool   // with what the model wrote for itself
	Notes    bool   // with what the client noted for itself
	Short    bool   // texts are shortened to a few lines
	Mark     string // the id of an event to mark
}

// Lines of a text that is shortened.
const (
	resultLines  = 6
	messageLines = 60
	editLines    = 12
)

// Print prints events in their order, and returns how many it left out because they are
// thoughts or notes.
func (c Conversation) Print(list []memory.SessionEvent) (hidden int) {
	turn, speaker, before := -1, "", ""
	list = inOrder(list)
	for i := range list {
		e := &list[i]
		if e.ID != c.Mark && !c.Notes && repeats(e, list) {
			continue
		}
		if c.hides(e) {
			hidden++
			continue
		}
		if e.Turn != turn {
			turn, speaker = e.Turn, ""
			c.Out.Printf("\n%s\n", c.Out.Color.Dim(term.Dotted(fmt.Sprintf("turn %d", turn), localTime(e))))
		}
		if who := speakerOf(e); who != speaker {
			speaker = who
			c.Out.Printf("%s\n", c.Out.Color.Bold(term.Plain(who)))
		}
		if e.Kind == session.ToolResult && e.Parent != before {
			c.resultOf("    ", e.Parent, list)
		}
		before = e.ID
		c.event("  ", e)
	}
	return hidden
}

// resultOf says which call a result is of, if other events are between the two.
func (c Conversation) resultOf(indent, id string, list []memory.SessionEvent) {
	at := slices.IndexFunc(list, func(e memory.SessionEvent) bool { return e.ID == id && id != "" })
	if at < 0 {
		return
	}
	does, _, _ := strings.Cut(session.CallOf(&list[at]).Does(), "\n")
	text := []rune("result of " + strings.TrimSpace(list[at].Tool+"  "+does) + ":")
	if most := max(20, c.Out.Width-len(indent)); len(text) > most {
		text = append(text[:most-1], '…')
	}
	c.Out.Printf("%s%s\n", indent, term.PlainCode(string(text)))
}

// inOrder puts what git's hook noted of commits behind what led to them: the hook is faster
// than the client, whose transcript is read later.
func inOrder(list []memory.SessionEvent) []memory.SessionEvent {
	list = slices.Clone(list)
	for i := len(list) - 1; i >= 0; i-- {
		note := list[i]
		if !noted(&note) {
			continue
		}
		at := i
		for at+1 < len(list) && list[at+1].Turn == note.Turn && !list[at+1].At.IsZero() && !list[at+1].At.After(note.At) {
			list[at] = list[at+1]
			at++
		}
		list[at] = note
	}
	return list
}

// noted reports whether an event is what git's hook notes of a commit.
func noted(e *memory.SessionEvent) bool {
	return e.Kind == session.SystemNote && e.Has(session.TagCommit)
}

// repeats reports whether an event notes a commit that another one of its turn names, such
// as the result of the call that made it.
func repeats(e *memory.SessionEvent, list []memory.SessionEvent) bool {
	return noted(e) && slices.ContainsFunc(list, func(other memory.SessionEvent) bool {
		return other.ID != e.ID && other.Turn == e.Turn && !noted(&other) && slices.ContainsFunc(other.Commits, func(short string) bool {
			return slices.ContainsFunc(e.Commits, func(long string) bool { return strings.HasPrefix(long, short) })
		})
	})
}

// Exchange prints events that follow each other in what they say, indented and without
// turns.
func (c Conversation) Exchange(list []memory.SessionEvent) {
	speaker := ""
	for i := range list {
		if who := speakerOf(&list[i]); who != speaker {
			speaker = who
			c.Out.Printf("  %s\n", c.Out.Color.Bold(term.Plain(who)))
		}
		c.event("    ", &list[i])
	}
}

// hides reports whether an event is left out unless somebody asks for its kind.
func (c Conversation) hides(e *memory.SessionEvent) bool {
	switch {
	case e.ID == c.Mark:
		return false
	case e.Has(session.TagThinking):
		return !c.Thinking
	case e.Kind == session.SystemNote:
		return !c.Notes && !e.Has(session.TagCommit) && !e.Has(session.TagCompaction) && !e.Has(session.TagNote)
	}
	return false
}

func localTime(e *memory.SessionEvent) string {
	if e.At.IsZero() {
		return ""
	}
	return e.At.Local().Format("2006-01-02 15:04")
}

// speakerOf says who an event comes from. Calls and results belong to the agent.
func speakerOf(e *memory.SessionEvent) string {
	who := "Agent"
	switch e.Kind {
	case session.UserMessage:
		who = "User"
	case session.SystemNote:
		who = "Note"
	}
	if e.SubAgent != "" {
		who += " (sub-agent " + e.SubAgent + ")"
	}
	return who
}

// event prints what an event says.
func (c Conversation) event(indent string, e *memory.SessionEvent) {
	paint := c.Out.Color
	if e.ID == c.Mark && c.Mark != "" {
		c.Out.Printf("%s%s\n", indent, paint.Yellow("> this event:"))
	}
	most := messageLines
	if c.Short {
		most = resultLines
	}
	switch {
	case e.Kind == session.ToolCall:
		c.call(indent, e)
	case e.Kind == session.ToolResult:
		as := paint.Dim
		if e.Failed {
			as = paint.Red
		}
		c.text(indent+"  ", e.Text, resultLines, e, as)
	case e.Has(session.TagThinking), e.Kind == session.SystemNote:
		c.text(indent, e.Text, resultLines, e, paint.Dim)
	case e.Kind == session.Decision:
		c.text(indent, "decided: "+e.Text, most, e, paint.Bold)
	default:
		c.text(indent, e.Text, most, e, func(s string) string { return s })
	}
	c.marks(indent+"  ", e)
}

// marks says what was taken out of an event, and what it led to.
func (c Conversation) marks(indent string, e *memory.SessionEvent) {
	var said []string
	for _, r := range e.Redacted {
		said = append(said, term.Plural(r.Count, "secret", "secrets")+" replaced ("+r.Rule+")")
	}
	for _, o := range e.Omitted {
		said = append(said, fmt.Sprintf("%s left out: %s that nobody can read", o.Field, term.Size(int64(o.Bytes))))
	}
	if e.Has(session.TagMalformed) {
		said = append(said, "this record could not be read; its bytes are kept")
	}
	if e.Label == session.Private {
		said = append(said, "private: it is not shared")
	}
	if len(e.Commits) > 0 {
		said = append(said, "commit "+strings.Join(e.Commits, ", "))
	}
	if len(e.Facts) > 0 {
		said = append(said, "fact "+strings.Join(e.Facts, ", "))
	}
	for _, text := range said {
		c.Out.Printf("%s%s\n", indent, c.Out.Color.Yellow(term.Plain(text)))
	}
}

// text prints a text of several lines, shortened to a number of lines unless all is wanted.
func (c Conversation) text(indent, text string, most int, e *memory.SessionEvent, paint func(string) string) {
	lines := strings.Split(strings.TrimRight(text, "\n\r \t"), "\n")
	left := 0
	if !c.Full && len(lines) > most {
		lines, left = lines[:most], len(lines)-most
	}
	if strings.TrimSpace(text) != "" {
		for _, line := range lines {
			c.line(indent, strings.TrimRight(line, " \r\t"), paint)
		}
	}
	c.rest(indent, left, e)
}

// line prints one line of a text, wrapped if it is too wide. What stands before its first
// word stays.
func (c Conversation) line(indent, line string, paint func(string) string) {
	if line == "" {
		c.Out.Printf("\n")
		return
	}
	width := c.Out.Width - len(indent)
	if utf8.RuneCountInString(line) <= width {
		c.Out.Printf("%s%s\n", indent, paint(term.PlainCode(line)))
		return
	}
	line = strings.ReplaceAll(line, "\t", "    ")
	inner := line[:len(line)-len(strings.TrimLeft(line, " "))]
	wrapped := term.Wrap(term.Plain(strings.TrimSpace(line)), max(width-len(inner), 20))
	for _, part := range wrapped {
		for _, piece := range pieces(part, width, c.Full) {
			c.Out.Printf("%s%s%s\n", indent, inner, paint(piece))
		}
	}
}

// pieces cuts a word that is far too wide, unless all is wanted.
func pieces(word string, width int, full bool) []string {
	const rows = 3
	runes := []rune(word)
	if full || len(runes) <= rows*width {
		return []string{word}
	}
	return []string{string(runes[:rows*width]) + "…"}
}

// rest says what of an event is not shown, and which command shows it.
func (c Conversation) rest(indent string, left int, e *memory.SessionEvent) {
	if left > 0 {
		c.Out.Printf("%s%s\n", indent, c.Out.Color.Dim("… "+term.Plural(left, "more line", "more lines")+" (--full)"))
	}
	for _, a := range e.Artifacts {
		what := a.MediaType
		if a.Name != "" {
			what = a.Name
		}
		show := "engram session show " + term.Quoted(c.Session) + " --artifact " + a.Digest[:min(12, len(a.Digest))]
		c.Out.Printf("%s%s\n", indent, c.Out.Color.Dim(term.Plain("… "+term.Size(a.Size)+" of "+what+": `"+show+"`")))
	}
}

// call prints a call of a tool as one line that says what it does, and an edit as what it
// replaces.
func (c Conversation) call(indent string, e *memory.SessionEvent) {
	call := session.CallOf(e)
	does, edits := call.Does(), call.Edits()
	name := term.Plain(e.Tool)
	if name == "" {
		name = "tool"
	}
	first, more, several := strings.Cut(does, "\n")
	most := 2*c.Out.Width - len(indent) - utf8.RuneCountInString(name) - 2
	if runes := []rune(first); !c.Full && len(runes) > most {
		first = string(runes[:most]) + "…"
	}
	c.Out.Printf("%s%s  %s\n", indent, c.Out.Color.Green(name), term.PlainCode(first))
	switch {
	case several:
		c.text(indent+"  ", more, resultLines, e, func(s string) string { return s })
		return
	default:
		c.rest(indent+"  ", 0, e)
	}
	for _, ed := range edits {
		c.edit(indent+"  ", ed)
	}
}

// edit prints the lines that an edit takes out and puts in.
func (c Conversation) edit(indent string, ed session.Edit) {
	before, after := term.DiffLines(ed.Before, ed.After)
	print := func(sign string, lines []string, paint func(string) string) {
		left := 0
		if !c.Full && len(lines) > editLines {
			lines, left = lines[:editLines], len(lines)-editLines
		}
		for _, line := range lines {
			c.Out.Printf("%s%s\n", indent, paint(sign+" "+term.PlainCode(strings.TrimRight(line, "\r"))))
		}
		if left > 0 {
			c.Out.Printf("%s%s\n", indent, c.Out.Color.Dim("… "+term.Plural(left, "more line", "more lines")+" (--full)"))
		}
	}
	print("-", before, c.Out.Color.Red)
	print("+", after, c.Out.Color.Green)
}
