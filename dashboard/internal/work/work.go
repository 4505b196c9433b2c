// Package work has the pages about what agents do: their sessions, and what they exchange.
package work

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"engram/dashboard/internal/site"
	"engram/memory"
)

//go:embed pages/*.html
var templates embed.FS

// Section is its pages.
func Section() site.Section {
	return site.Section{Templates: templates, Pages: []site.Page{
		{Path: "/sessions", Name: "Sessions", File: "pages/sessions.html", Read: readSessions},
		{Path: "/sessions/{id}", File: "pages/session.html", Read: readSession},
		{Path: "/sessions/{id}/artifacts/{digest}", Raw: sendArtifact},
		{Path: "/bus", Name: "Bus", File: "pages/bus.html", Read: readBus},
		{Path: "/bus/excerpt", File: "pages/excerpt.html", Read: readExcerpt},
	}}
}

// Bounds of the pages.
const (
	mostSessions = 100
	perPage      = 200 // events
	mostText     = 4000
	fewText      = 600 // of what a tool printed, before it is cut
)

// list is the page of sessions.
type list struct {
	Text     string
	Sessions []memory.SessionSummary
	Total    int
	Notes    []string
}

func readSessions(r *site.Request) (site.View, error) {
	page := list{Text: strings.TrimSpace(r.URL.Query().Get("q"))}
	got, err := r.Memory.Sessions(r.Context(), memory.SessionsInput{Text: page.Text, Limit: mostSessions, AskedBy: r.Agent})
	page.Sessions, page.Total, page.Notes = got.Sessions, got.Total, got.Notes
	return site.View{Title: "Sessions", Data: page}, err
}

// conversation is the page of a session.
type conversation struct {
	memory.SessionSummary
	Turns    []turn
	Around   string
	Omitted  int
	Withheld int
	Episodes []episode
	Records  []record
}

type turn struct {
	Number int
	At     time.Time
	Events []event
}

type event struct {
	memory.SessionEvent
	Who      string
	Shown    string
	Cut      bool
	Tool     bool // a call or what it printed, which is folded
	Thinking bool
	Marked   bool
	Artifact []string // addresses of whole contents
}

type episode struct {
	First   int
	Asked   string
	Outcome string
	Started time.Time
	Topics  []string
}

type record struct {
	Kind, Text, Event, Model string
}

func readSession(r *site.Request) (site.View, error) {
	q := r.URL.Query()
	in := memory.SessionInput{ID: r.PathValue("id"), Around: q.Get("around"), Limit: perPage, AskedBy: r.Agent}
	in.Turn, _ = strconv.Atoi(q.Get("turn"))
	got, err := r.Memory.Session(r.Context(), in)
	if err != nil {
		return site.View{}, err
	}
	page := conversation{SessionSummary: got.Session, Around: got.Around, Omitted: got.Omitted, Withheld: got.Withheld}
	for i := range got.Events {
		e := &got.Events[i]
		if n := len(page.Turns); n == 0 || page.Turns[n-1].Number != e.Turn {
			page.Turns = append(page.Turns, turn{Number: e.Turn, At: e.At})
		}
		last := &page.Turns[len(page.Turns)-1]
		last.Events = append(last.Events, shown(e, got.Session.ID, got.Around))
	}
	views, err := r.Memory.Views(r.Context(), memory.ViewsInput{Session: got.Session.ID})
	if err != nil {
		return site.View{}, err
	}
	for _, e := range views.Episodes {
		page.Episodes = append(page.Episodes, episode{e.FirstTurn, e.Asked, e.Outcome, e.Started, e.Topics})
	}
	for _, rec := range views.Records {
		page.Records = append(page.Records, record{string(rec.Kind), rec.Text, rec.Event, rec.Model})
	}
	return site.View{Title: cmp.Or(page.Title, "Session"), Code: true, Data: page}, nil
}

// shown is an event as the page has it: what tools printed is cut short.
func shown(e *memory.SessionEvent, id, around string) event {
	out := event{SessionEvent: *e, Who: e.Who(), Shown: e.Text, Marked: e.ID == around}
	out.Tool = e.Kind == "tool_call" || e.Kind == "tool_result"
	out.Thinking = e.Has("thinking")
	most := mostText
	if out.Tool {
		most = fewText
	}
	if len(out.Shown) > most {
		out.Shown, out.Cut = strings.ToValidUTF8(out.Shown[:most], "")+"…", true
	}
	for _, a := range e.Artifacts {
		out.Artifact = append(out.Artifact, site.Root+site.Path("/sessions", id, "artifacts", a.Digest))
	}
	return out
}

// sendArtifact sends the content of an artifact as plain text, which no browser runs.
func sendArtifact(w http.ResponseWriter, r *site.Request) error {
	data, err := r.Memory.SessionArtifact(r.Context(), memory.SessionArtifactInput{ID: r.PathValue("id"), Digest: r.PathValue("digest"), AskedBy: r.Agent})
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(data)))
	h.Set("Content-Disposition", fmt.Sprintf("inline; filename=%q", "artifact-"+r.PathValue("digest")[:min(12, len(r.PathValue("digest")))]+".txt"))
	_, _ = w.Write(data) // a client that has gone
	return nil
}

// busPage is what agents exchange.
type busPage struct {
	Brief  string
	Feed   []memory.Hit
	Grants []memory.GrantState
	Events []memory.Event
	Meters []meter
}

// meter is what an agent has read in its turn, of what it may.
type meter struct {
	Agent      string
	Used, Most int
}

// Bounds of the page.
const (
	mostEvents = 50
	mostFeed   = 12
)

func readBus(r *site.Request) (site.View, error) {
	var page busPage
	brief, err := r.Memory.Brief(r.Context(), memory.BriefInput{AskedBy: r.Agent})
	if err != nil {
		return site.View{}, err
	}
	page.Brief = strings.TrimSpace(brief.Text())
	grants, noGrants := r.Memory.Grants(r.Context(), "")
	events, noEvents := r.Memory.Events(r.Context(), mostEvents)
	feed, noFeed := r.Memory.Recent(r.Context(), memory.RecentInput{Limit: mostFeed, AskedBy: r.Agent})
	if err := errors.Join(noGrants, noEvents, noFeed); err != nil {
		return site.View{}, err
	}
	page.Grants, page.Events, page.Feed = grants.Grants, events.Events, feed.Results
	seen := make(map[string]bool)
	for _, e := range events.Events {
		if e.Agent == "" || seen[e.Agent] {
			continue
		}
		seen[e.Agent] = true
		turn, err := r.Memory.Turn(r.Context(), e.Agent)
		if err != nil {
			return site.View{}, err
		}
		page.Meters = append(page.Meters, meter{e.Agent, turn.Used.Tokens, turn.Limits.Tokens})
	}
	return site.View{Title: "Bus", Revision: brief.Revision, Data: page}, nil
}

// excerpt is what a pointer leads to.
type excerpt struct {
	Ref  string
	Text string
	Cut  bool
}

func readExcerpt(r *site.Request) (site.View, error) {
	ref := r.URL.Query().Get("ref")
	got, err := r.Memory.Deref(r.Context(), memory.DerefInput{Ref: ref, MaxTokens: 2000})
	return site.View{Title: ref, Revision: got.Revision, Data: excerpt{ref, got.Excerpt, got.Truncated}}, err
}
