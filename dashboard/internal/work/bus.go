package work

import (
	"errors"
	"slices"
	"strings"

	"engram/dashboard/internal/site"
	"engram/memory"
)

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
	mostLogged = 50
	mostFeed   = 12
	maxExcerpt = 2000 // tokens
)

func readBus(r *site.Request) (site.View, error) {
	var page busPage
	brief, err := r.Memory.Brief(r.Context(), memory.BriefInput{AskedBy: r.Agent})
	if err != nil {
		return site.View{}, err
	}
	page.Brief = strings.TrimSpace(brief.Text())
	// An agent sees its own grants and events.
	grants, noGrants := r.Memory.Grants(r.Context(), r.Reader())
	events, noEvents := r.Memory.Events(r.Context(), mostLogged)
	feed, noFeed := r.Memory.Recent(r.Context(), memory.RecentInput{Limit: mostFeed, AskedBy: r.Agent})
	if err := errors.Join(noGrants, noEvents, noFeed); err != nil {
		return site.View{}, err
	}
	if r.Bound {
		events.Events = slices.DeleteFunc(events.Events, func(e memory.Event) bool { return e.Agent != r.Agent })
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
	got, err := r.Memory.Deref(r.Context(), memory.DerefInput{Ref: ref, MaxTokens: maxExcerpt, Agent: r.Reader()})
	return site.View{Title: ref, Revision: got.Revision, Data: excerpt{ref, got.Excerpt, got.Truncated}}, err
}
