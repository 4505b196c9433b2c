package browse

import (
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"engram/memory"
)

// pause is how long nobody types before a question is asked.
const pause = 60 * time.Millisecond

// mode says where keys go.
type mode int

const (
	choosing  mode = iota // to the list
	searching             // to the question
	reading               // to the text beside the list
	settling              // to the reason for settling a conflict
	helping               // the keys are shown
)

// model is the state of the screen. Answers carry the number of their question, so that a late one
// is dropped.
type model struct {
	source        source
	page          page
	mode          mode
	input         textinput.Model // the question, or the reason
	question      string          // that the list answers
	list          listing
	at, top       int // the row chosen, and the first that is shown
	text          string
	scroll        int // lines of text above the screen
	history       bool
	way           way
	asked, opened int // numbers of the last questions for a list and for a text
	message       string
	width, height int
}

// way is how a conflict is to be settled.
type way struct {
	how, winner, words string
}

// Messages to Update.
type (
	typed  struct{ asked int }
	listed struct {
		asked int
		list  listing
		err   error
	}
	opened struct {
		opened int
		text   string
		err    error
	}
	settled struct {
		words string
		err   error
	}
)

func newModel(s source, first listing, question string) model {
	input := textinput.New()
	input.Prompt = ""
	input.SetVirtualCursor(false)
	m := model{source: s, list: first, input: input, width: 80, height: 24}
	if question != "" {
		m.input.SetValue(question)
		m.question = question
	}
	return m
}

// Init is that of tea.Model.
func (m model) Init() tea.Cmd {
	if m.question != "" {
		return func() tea.Msg { return typed{m.asked} }
	}
	return nil
}

// Update is that of tea.Model.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m, m.open()
	case typed:
		if msg.asked == m.asked {
			return m, m.ask()
		}
	case listed:
		if msg.asked != m.asked {
			return m, nil
		}
		if msg.err != nil {
			m.message = msg.err.Error()
			return m, nil
		}
		m.list = msg.list
		m.at = min(m.at, max(len(m.list.rows)-1, 0))
		return m.moved()
	case opened:
		if msg.opened == m.opened {
			m.text = msg.text
			if msg.err != nil {
				m.text = msg.err.Error()
			}
		}
	case settled:
		m.message = msg.words
		if msg.err != nil {
			m.message = msg.err.Error()
		}
		m.asked++
		return m, m.ask()
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.typedInto(msg)
	}
	return m, nil
}

// ask asks for the list again.
func (m model) ask() tea.Cmd {
	s, p, q, n := m.source, m.page, m.input.Value(), m.asked
	if m.mode == settling {
		q = m.question
	}
	return func() tea.Msg {
		list, err := s.list(p, q)
		return listed{n, list, err}
	}
}

// open asks for the text of the row that is chosen.
func (m *model) open() tea.Cmd {
	m.opened++
	if m.at >= len(m.list.rows) {
		m.text = ""
		return nil
	}
	s, p, r, width, history, n := m.source, m.page, m.list.rows[m.at], m.textWidth(), m.history, m.opened
	return func() tea.Msg {
		text, err := s.detail(p, r, width, history)
		return opened{n, text, err}
	}
}

// moved is after another row was chosen.
func (m model) moved() (tea.Model, tea.Cmd) {
	m.scroll, m.history = 0, false
	m.top = min(m.top, m.at)
	if shown := m.rowsShown(); m.at >= m.top+shown {
		m.top = m.at - shown + 1
	}
	return m, m.open()
}

func (m model) key(k tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	if k.String() == "ctrl+c" {
		return m, tea.Quit
	}
	switch m.mode {
	case searching:
		return m.searchKey(k)
	case settling:
		return m.settleKey(k)
	case reading:
		return m.readKey(k)
	case helping:
		m.mode = choosing
		return m, nil
	}
	return m.chooseKey(k)
}

func (m model) chooseKey(k tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	m.message = ""
	switch key := k.String(); key {
	case "q", "esc":
		return m, tea.Quit
	case "?":
		m.mode = helping
	case "/":
		var ask tea.Cmd
		if m.page == conflicts {
			m, ask = m.turnTo(facts)
		}
		m.mode = searching
		return m, tea.Batch(ask, m.input.Focus())
	case "1", "2", "3":
		return m.turnTo(page(key[0] - '1'))
	case "tab":
		return m.turnTo((m.page + 1) % pages)
	case "shift+tab":
		return m.turnTo((m.page + pages - 1) % pages)
	case "enter", "right", "l":
		if m.text != "" {
			m.mode = reading
		}
	case "h":
		if m.page == facts {
			m.history, m.scroll = !m.history, 0
			return m, m.open()
		}
	case "r":
		m.asked++
		return m, m.ask()
	case "a", "b", "d":
		if m.page == conflicts && m.at < len(m.list.rows) {
			m.way = map[string]way{"a": {"winner", "a", "A stands"}, "b": {"winner", "b", "B stands"}, "d": {"dismissed", "", "no contradiction"}}[key]
			m.mode = settling
			m.question = m.input.Value()
			m.input.SetValue("")
			return m, m.input.Focus()
		}
	default:
		return m.step(key)
	}
	return m, nil
}

// step chooses another row.
func (m model) step(key string) (tea.Model, tea.Cmd) {
	before := m.at
	switch last, most := len(m.list.rows)-1, m.rowsShown(); key {
	case "down", "j", "ctrl+n":
		m.at = min(m.at+1, last)
	case "up", "k", "ctrl+p":
		m.at--
	case "pgdown", "ctrl+f", "space":
		m.at = min(m.at+most, last)
	case "pgup", "ctrl+b":
		m.at -= most
	case "home", "g":
		m.at = 0
	case "end", "G":
		m.at = last
	}
	if m.at = max(m.at, 0); m.at == before {
		return m, nil
	}
	return m.moved()
}

// turnTo shows another page, without a question.
func (m model) turnTo(p page) (model, tea.Cmd) {
	m.question = ""
	m.input.SetValue("")
	m.page, m.at, m.top, m.mode, m.list, m.text = p, 0, 0, choosing, listing{}, ""
	m.asked++
	return m, m.ask()
}

func (m model) searchKey(k tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	switch k.String() {
	case "esc", "enter", "tab":
		m.mode = choosing
		m.input.Blur()
		return m, nil
	case "down", "up", "ctrl+n", "ctrl+p", "pgup", "pgdown":
		return m.step(k.String())
	}
	return m.typedInto(k)
}

// typedInto changes the question or the reason, and asks the question when nobody types for a
// moment.
func (m model) typedInto(msg tea.Msg) (tea.Model, tea.Cmd) {
	if m.mode != searching && m.mode != settling {
		return m, nil
	}
	before := m.input.Value()
	var blink tea.Cmd
	m.input, blink = m.input.Update(msg)
	if m.mode == settling || m.input.Value() == before {
		return m, blink
	}
	m.question, m.at, m.top = m.input.Value(), 0, 0
	m.asked++
	n := m.asked
	return m, tea.Batch(blink, tea.Tick(pause, func(time.Time) tea.Msg { return typed{n} }))
}

func (m model) settleKey(k tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	switch k.String() {
	case "esc":
		return m.unsettle("nothing was settled"), nil
	case "enter":
		reason := m.input.Value()
		if reason == "" {
			m.message = "a reason is needed, for people to read later"
			return m, nil
		}
		r, s, w := m.list.rows[m.at], m.source, m.way
		return m.unsettle("settling…"), func() tea.Msg {
			err := s.settle(memory.ResolveInput{ConflictID: r.id, How: w.how, Winner: w.winner, Reason: reason, SeenA: r.seen[0], SeenB: r.seen[1]})
			return settled{"settled: " + w.words, err}
		}
	}
	return m.typedInto(k)
}

func (m model) unsettle(message string) model {
	m.mode, m.message = choosing, message
	m.input.SetValue(m.question)
	m.input.Blur()
	return m
}

func (m model) readKey(k tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	last := max(m.textLines()-m.bodyHeight(), 0)
	switch k.String() {
	case "esc", "left", "q":
		m.mode = choosing
	case "down", "j":
		m.scroll++
	case "up", "k":
		m.scroll--
	case "pgdown", "space", "ctrl+f":
		m.scroll += m.bodyHeight()
	case "pgup", "ctrl+b":
		m.scroll -= m.bodyHeight()
	case "home", "g":
		m.scroll = 0
	case "end", "G":
		m.scroll = last
	case "h", "a", "b", "d", "?", "1", "2", "3", "tab", "/":
		m.mode = choosing
		return m.chooseKey(k)
	}
	m.scroll = max(min(m.scroll, last), 0)
	return m, nil
}
