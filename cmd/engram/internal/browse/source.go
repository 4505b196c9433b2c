package browse

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"engram/cmd/engram/internal/read"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/config"
	"engram/cmd/internal/term"
	"engram/memory"
)

// page is one of the lists.
type page int

const (
	facts page = iota
	conflicts
	sessions
	pages // how many there are
)

func (p page) String() string { return [...]string{"Facts", "Conflicts", "Sessions"}[p] }

// row is one line of a list, and what it stands for.
type row struct {
	id    string // a key, the id of a conflict or of a session
	title string
	about string
	warn  bool // disputed, or resting on code that changed
	seen  [2]string
}

// listing is what a list shows.
type listing struct {
	rows     []row
	summary  string
	revision string
}

// source asks the memory. Its functions may be called by several goroutines.
type source struct {
	list func(p page, question string) (listing, error)
	// detail is a row in full, wrapped to a width, with its history if that is wanted.
	detail func(p page, r row, width int, history bool) (string, error)
	settle func(memory.ResolveInput) error
	color  term.Paint
}

// Bounds of what is read at once.
const (
	maxRows   = 50
	maxEvents = 400
)

func newSource(ctx context.Context, m *memory.Memory, s config.Settings, out *term.Streams) source {
	a := asker{m, s, out}
	return source{
		list: func(p page, question string) (listing, error) {
			switch {
			case p == conflicts:
				return a.conflicts(ctx)
			case p == sessions:
				return a.sessions(ctx, question)
			case question == "":
				return a.recent(ctx)
			}
			return a.query(ctx, question)
		},
		detail: func(p page, r row, width int, history bool) (string, error) {
			return a.detail(ctx, p, r, width, history)
		},
		settle: func(in memory.ResolveInput) error {
			in.Agent = s.Agent
			_, err := m.Resolve(ctx, in)
			return err
		},
		color: out.Color,
	}
}

type asker struct {
	m   *memory.Memory
	s   config.Settings
	out *term.Streams
}

func (a asker) query(ctx context.Context, question string) (listing, error) {
	r, err := a.m.Query(ctx, memory.QueryInput{Question: question, Limit: maxRows, Budget: maxRows * 400, AskedBy: a.s.Agent})
	if err != nil {
		return listing{}, err
	}
	return listing{a.hits(r.Results), fmt.Sprintf("%d of %d", len(r.Results), r.Matched), r.Revision}, nil
}

func (a asker) recent(ctx context.Context) (listing, error) {
	r, err := a.m.Recent(ctx, memory.RecentInput{Limit: maxRows, Budget: maxRows * 400, AskedBy: a.s.Agent})
	if err != nil {
		return listing{}, err
	}
	return listing{a.hits(r.Results), fmt.Sprintf("the newest %d of %d", len(r.Results), r.Total), r.Revision}, nil
}

func (a asker) hits(list []memory.Hit) []row {
	rows := make([]row, len(list))
	for i, h := range list {
		disputed := h.HasConflict != nil && *h.HasConflict
		changed := h.Freshness == memory.Drifted || h.Freshness == memory.Missing
		rows[i] = row{
			id: show.Address(h.Origin, h.Key.String()), title: term.Plain(h.Claim), warn: disputed || changed,
			about: term.Dotted(term.Plain(h.Key.String()), term.Ago(a.out.Now(), h.Committed), term.Either(disputed, "disputed", ""), term.Either(changed, string(h.Freshness), "")),
		}
	}
	return rows
}

func (a asker) conflicts(ctx context.Context) (listing, error) {
	r, err := a.m.Conflicts(ctx, memory.ConflictsInput{AskedBy: a.s.Agent, Limit: 1000})
	if err != nil {
		return listing{}, err
	}
	l := listing{summary: term.Plural(len(r.Conflicts)+r.Omitted, "open conflict", "open conflicts"), revision: r.Revision}
	for _, c := range r.Conflicts {
		l.rows = append(l.rows, row{
			id: c.ConflictID, title: term.Plain(c.Explanation), warn: c.Severity == "high",
			about: term.Dotted(c.Severity, show.ScopeName(c.Scope), show.ShortID(c)), seen: [2]string{idOf(c.A), idOf(c.B)},
		})
	}
	return l, nil
}

// idOf is the version of a side that is shown; "" if the side is gone.
func idOf(f *memory.Fact) string {
	if f == nil {
		return ""
	}
	return f.FactID
}

func (a asker) sessions(ctx context.Context, text string) (listing, error) {
	r, err := a.m.Sessions(ctx, memory.SessionsInput{Text: text, Limit: maxRows, AskedBy: a.s.Agent})
	if err != nil {
		return listing{}, err
	}
	l := listing{summary: fmt.Sprintf("%d of %s", len(r.Sessions), term.Plural(r.Total, "session", "sessions"))}
	for _, s := range r.Sessions {
		l.rows = append(l.rows, row{
			id: s.ID, title: term.Plain(show.Title(s.Title)),
			about: term.Dotted(append([]string{term.Plain(s.Client), term.Ago(a.out.Now(), s.Ended)}, show.Counted(s)...)...),
		})
	}
	return l, nil
}

// detail prints a row as its command prints it.
func (a asker) detail(ctx context.Context, p page, r row, width int, history bool) (string, error) {
	var text bytes.Buffer
	out := &term.Streams{
		Data: bufio.NewWriter(&text), Err: &text, Terminal: true, Width: width, Color: a.out.Color,
		Progress: term.NewProgress(io.Discard, false, a.out.Now), Now: a.out.Now,
	}
	var err error
	switch {
	case p == conflicts:
		err = a.conflict(ctx, out, r.id)
	case p == sessions:
		err = a.session(ctx, out, r.id)
	case history:
		err = a.history(ctx, out, r.id)
	default:
		err = a.fact(ctx, out, r.id)
	}
	if err == nil {
		err = out.Flush()
	}
	return strings.TrimSpace(text.String()), err
}

func (a asker) fact(ctx context.Context, out *term.Streams, address string) error {
	r, err := a.m.Get(ctx, memory.GetInput{Key: address, AskedBy: a.s.Agent})
	if err == nil {
		read.PrintFact(out, r)
	}
	return err
}

func (a asker) history(ctx context.Context, out *term.Streams, key string) error {
	r, err := a.m.History(ctx, memory.HistoryInput{Key: key, AskedBy: a.s.Agent})
	if err == nil {
		read.PrintHistory(out, r)
	}
	return err
}

func (a asker) conflict(ctx context.Context, out *term.Streams, id string) error {
	r, err := a.m.Conflicts(ctx, memory.ConflictsInput{Key: id, Status: memory.AllStatuses, AskedBy: a.s.Agent})
	for _, c := range r.Conflicts {
		show.Conflict(out, c)
	}
	return err
}

func (a asker) session(ctx context.Context, out *term.Streams, id string) error {
	r, err := a.m.Session(ctx, memory.SessionInput{ID: id, Limit: maxEvents, AskedBy: a.s.Agent})
	if err != nil {
		return err
	}
	show.Conversation{Out: out, Session: id, Short: true}.Print(r.Events)
	if r.Omitted > 0 {
		out.Message("note: %s more; `engram session show %s` has all", term.Plural(r.Omitted, "event", "events"), id)
	}
	return nil
}
