package work

import (
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"engram/dashboard/internal/site"
	"engram/memory"
	"engram/session"
)

// Bounds of the pages about sessions.
const (
	mostSessions = 50
	mostEvents   = 200
	mostRecalls  = 50
)

// sessionList is the page of sessions.
type sessionList struct {
	Question string
	Sessions []memory.SessionSummary
	Total    int
	Notes    []string
}

func readSessions(r *site.Request) (site.View, error) {
	page := sessionList{Question: strings.TrimSpace(r.URL.Query().Get("q"))}
	found, err := r.Memory.Sessions(r.Context(), memory.SessionsInput{Text: page.Question, Limit: mostSessions, AskedBy: r.Agent})
	page.Sessions, page.Total, page.Notes = found.Sessions, found.Total, found.Notes
	return site.View{Title: "Sessions", Data: page}, err
}

// conversation is the page of a session.
type conversation struct {
	memory.SessionSummary
	Turns    []turn
	Alone    int // the turn that is shown alone; 0 for none
	Before   int // the turns before and after; 0 for none
	After    int
	Around   string
	All      bool // with thoughts and notes
	Hidden   int  // thoughts and notes that are not shown
	Omitted  int
	Withheld int
	Left     []session.Marker // what left the window of the agent
	Task     string           // its state, as the agent is told it
	TaskName string
	Recalls  []memory.LoggedRecall
}

// turn is what follows one message of the user.
type turn struct {
	Number int
	Events []event
}

// event is an event as the page shows it.
type event struct {
	memory.SessionEvent
	Who  string // "" if it is who spoke before
	Does string // of a call: what it does, in one line
	Fold bool   // its text is folded
	Here bool   // the address names it
}

func readSession(r *site.Request) (site.View, error) {
	q := r.URL.Query()
	in := memory.SessionInput{ID: r.PathValue("id"), Around: q.Get("around"), Limit: mostEvents, AskedBy: r.Agent}
	if n, err := strconv.Atoi(q.Get("turn")); err == nil && n > 0 && in.Around == "" {
		in.Turn = n
	}
	found, err := r.Memory.Session(r.Context(), in)
	if err != nil {
		return site.View{}, err
	}
	page := conversation{
		SessionSummary: found.Session, Alone: in.Turn, Around: in.Around, All: q.Get("all") != "",
		Omitted: found.Omitted, Withheld: found.Withheld,
	}
	for _, e := range found.Events {
		if !page.All && e.ID != in.Around && hides(&e) {
			page.Hidden++
			continue
		}
		page.add(e)
	}
	switch last := len(page.Turns) - 1; {
	case in.Turn > 0:
		page.Before = in.Turn - 1
		if in.Turn < found.Session.Turns {
			page.After = in.Turn + 1
		}
	case found.Omitted > 0 && last >= 0:
		page.After = page.Turns[last].Number // the list may end within this turn
	}
	if in.Around == "" && in.Turn == 0 && (!r.Bound || found.Session.Agent == r.Agent) {
		err = page.remembered(r)
	}
	return site.View{Title: "Session: " + title(found.Session), Revision: found.Session.Revision, Data: page}, err
}

// remembered adds what the agent has of what is no longer before it.
func (p *conversation) remembered(r *site.Request) error {
	pack, err := r.Memory.Pack(r.Context(), memory.PackInput{Session: p.ID, Left: memory.LeftCompacted, Agent: r.Agent, WithoutBrief: true})
	if err != nil {
		return err
	}
	p.Left, p.TaskName = pack.Markers, pack.Task
	for _, b := range pack.Blocks {
		if b.Name == "task" {
			p.Task = strings.TrimSpace(b.Text)
		}
	}
	p.Recalls, err = r.Memory.Recalls(memory.RecallsInput{Session: p.ID, Limit: mostRecalls})
	return err
}

func title(s memory.SessionSummary) string {
	if s.Title == "" {
		return s.ID
	}
	return s.Title
}

// add puts an event into its turn.
func (p *conversation) add(e memory.SessionEvent) {
	n := len(p.Turns)
	if n == 0 || p.Turns[n-1].Number != e.Turn {
		p.Turns = append(p.Turns, turn{Number: e.Turn})
		n++
	}
	t := &p.Turns[n-1]
	one := event{SessionEvent: e, Who: speaker(&e), Here: e.ID == p.Around}
	switch e.Kind {
	case session.ToolCall:
		one.Does, _, _ = strings.Cut(strings.TrimSpace(session.CallOf(&e).Does()), "\n")
		one.Fold = true
	case session.ToolResult, session.SystemNote:
		one.Fold = true
	}
	if k := len(t.Events); k > 0 && speaker(&t.Events[k-1].SessionEvent) == one.Who {
		one.Who = ""
	}
	t.Events = append(t.Events, one)
}

// hides reports whether an event is shown only on request: thoughts, and what the client notes for
// itself.
func hides(e *memory.SessionEvent) bool {
	return e.Has(session.TagThinking) || e.Kind == session.SystemNote && !e.Has(session.TagCommit) && !e.Has(session.TagCompaction) && !e.Has(session.TagNote)
}

// speaker is who an event comes from. Calls and results belong to the agent.
func speaker(e *memory.SessionEvent) string {
	switch e.Kind {
	case session.UserMessage:
		return "User"
	case session.SystemNote:
		return "Note"
	}
	who := "Agent"
	if e.Agent != "" {
		who = e.Agent
	}
	if e.SubAgent != "" {
		who += ", sub-agent " + e.SubAgent
	}
	return who
}

// artifact sends the content of an artifact as text, whatever it is: a browser must not run what a
// session has seen.
func artifact(w http.ResponseWriter, r *site.Request) error {
	data, err := r.Memory.SessionArtifact(r.Context(), memory.SessionArtifactInput{ID: r.PathValue("id"), Digest: r.PathValue("digest"), AskedBy: r.Agent})
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	if !utf8.Valid(data) {
		h.Set("Content-Type", "application/octet-stream")
		h.Set("Content-Disposition", "attachment")
	}
	h.Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // the client may be gone
	return nil
}
