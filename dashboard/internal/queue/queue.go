// Package queue has the pages on which people decide: conflicts, proposals and what sessions offer.
package queue

import (
	"embed"
	"errors"
	"net/url"

	"engram/dashboard/internal/site"
	"engram/memory"
)

//go:embed pages/*.html
var templates embed.FS

// Section is its pages.
func Section() site.Section {
	return site.Section{Templates: templates, Pages: []site.Page{
		{Path: "/conflicts", Name: "Conflicts", Copied: true, File: "pages/conflicts.html", Read: readConflicts},
		{Path: "/conflicts/{id}", File: "pages/conflict.html", Read: readConflict, Write: settle},
		{Path: "/review", Name: "Review", File: "pages/review.html", Read: readReview, Write: decide},
		{Path: "/learnt", Write: decideLearnt},
		{Path: "/undo", Write: undo},
	}}
}

// list is the page of conflicts.
type list struct {
	Status    string
	Scope     string
	Conflicts []conflict
	Statuses  []tab
	Unaudited int
	Withheld  int
	Omitted   int
	Notes     []string
}

type tab struct {
	Name, Link string
	Here       bool
}

// conflict is one conflict with its sides.
type conflict struct {
	memory.Conflict
	Sides []side
}

// side is one of the facts, with what clashes marked.
type side struct {
	Name    string // A or B
	Key     string
	Fact    *memory.Fact // nil: it is gone
	Before  string
	Clash   string
	After   string
	Changed bool // since the conflict was found
	Version string
}

// mostConflicts are how many a page lists.
const mostConflicts = 100

func readConflicts(r *site.Request) (site.View, error) {
	q := r.URL.Query()
	page := list{Status: q.Get("status"), Scope: q.Get("scope")}
	for _, status := range append([]string{""}, memory.Statuses()...) {
		if status == "open" {
			continue // the default
		}
		name, link := status, "?status="+url.QueryEscape(status)
		if status == "" {
			name, link = "open", "?"
		}
		page.Statuses = append(page.Statuses, tab{name, link, status == page.Status})
	}
	got, err := r.Memory.Conflicts(r.Context(), memory.ConflictsInput{Status: page.Status, Scope: page.Scope, AskedBy: r.Agent, Limit: mostConflicts})
	if err != nil {
		return site.View{}, err
	}
	for _, c := range got.Conflicts {
		page.Conflicts = append(page.Conflicts, withSides(c))
	}
	page.Unaudited, page.Withheld, page.Omitted, page.Notes = got.Unaudited, got.Withheld, got.Omitted, got.Notes
	return site.View{Title: "Conflicts", Revision: got.Revision, Data: page}, nil
}

func withSides(c memory.Conflict) conflict {
	one := func(name, key, version string, f *memory.Fact, span *memory.Span) side {
		s := side{Name: name, Key: key, Fact: f, Version: version}
		if f == nil {
			return s
		}
		s.Changed, s.Before = f.FactID != version, f.Claim
		if span != nil && !s.Changed && 0 <= span.Start && span.Start < span.End && span.End <= len(f.Claim) {
			s.Before, s.Clash, s.After = f.Claim[:span.Start], f.Claim[span.Start:span.End], f.Claim[span.End:]
		}
		return s
	}
	return conflict{c, []side{one("A", c.KeyA, c.VersionA, c.A, c.SpanA), one("B", c.KeyB, c.VersionB, c.B, c.SpanB)}}
}

// whole is the page of one conflict.
type whole struct {
	conflict
	Open      bool
	SettledBy string // the commit, if it can be taken back; "" if not
	Changed   bool   // a side changed since it was found
	Differ    []site.Word
}

func readConflict(r *site.Request) (site.View, error) {
	id := r.PathValue("id")
	got, err := r.Memory.Conflicts(r.Context(), memory.ConflictsInput{Key: id, Status: memory.AllStatuses, AskedBy: r.Agent, Limit: 1})
	if err != nil {
		return site.View{}, err
	}
	if len(got.Conflicts) == 0 {
		return site.View{}, memory.ErrNoConflict
	}
	page := whole{conflict: withSides(got.Conflicts[0])}
	page.Open = page.Status == "open"
	if page.Resolution != "" && r.MayWrite {
		if before, err := r.Memory.Undo(r.Context(), memory.UndoInput{Key: page.Key.String(), Agent: r.Agent, Preview: true}); err == nil {
			page.SettledBy = before.Undone
		}
	}
	for _, s := range page.Sides {
		page.Changed = page.Changed || s.Changed || s.Fact == nil
	}
	if page.A != nil && page.B != nil {
		page.Differ = site.Diff(page.A.Claim, page.B.Claim)
	}
	return site.View{Title: "Conflict " + page.ConflictID[:min(8, len(page.ConflictID))], Revision: got.Revision, Data: page}, nil
}

// settle settles a conflict for the team. What the form shows and no longer stands is not settled.
func settle(r *site.Request) (site.Said, error) {
	in := memory.ResolveInput{
		ConflictID: r.PathValue("id"), Reason: r.PostFormValue("reason"), Agent: r.Agent,
		SeenA: r.PostFormValue("seen_a"), SeenB: r.PostFormValue("seen_b"),
	}
	done := "settled"
	switch how := r.PostFormValue("how"); how {
	case "a", "b":
		in.How, in.Winner = "winner", how
	case "merge":
		in.How, in.MergedClaim = "merge", r.PostFormValue("claim")
	default:
		in.How, done = "dismissed", "dismissed"
	}
	settled, err := r.Memory.Resolve(r.Context(), in)
	if errors.Is(err, memory.ErrSettled) {
		done, err = "overtaken", nil // its page says how it stands now
	}
	return site.Said{Path: site.Path("/conflicts", in.ConflictID), Done: done, Revision: settled.Revision}, err
}

// undo takes back a commit: one that was made here, or the last one that changed a key.
func undo(r *site.Request) (site.Said, error) {
	done, err := r.Memory.Undo(r.Context(), memory.UndoInput{Revision: r.PostFormValue("revision"), Key: r.PostFormValue("key"), Reason: r.PostFormValue("reason"), Agent: r.Agent})
	if err != nil {
		return site.Said{}, err
	}
	said := site.Said{Path: "/facts", Done: "undone", Revision: done.Revision}
	for _, d := range done.Done {
		said.Path = site.Path("/facts", d.Key)
		if d.ConflictID != "" {
			said.Path = site.Path("/conflicts", d.ConflictID)
			break
		}
	}
	return said, nil
}
