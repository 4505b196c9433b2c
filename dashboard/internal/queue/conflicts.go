package queue

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"

	"engram/dashboard/internal/site"
	"engram/memory"
)

// mostConflicts bounds the list of conflicts, the most severe first.
const mostConflicts = 100

// conflictList is the queue of conflicts.
type conflictList struct {
	Status    string
	Tabs      []tab
	Conflicts []memory.Conflict
	Omitted   int
	Withheld  int
	Unaudited int
	Notes     []string
}

// tab is one of several lists on a page.
type tab struct {
	Name, Link string
	Here       bool
}

func readConflicts(r *site.Request) (site.View, error) {
	q := r.URL.Query()
	page := conflictList{Status: cmp.Or(q.Get("status"), "open")}
	for _, status := range append(memory.Statuses(), memory.AllStatuses) {
		page.Tabs = append(page.Tabs, tab{status, "?status=" + url.QueryEscape(status), status == page.Status})
	}
	found, err := r.Memory.Conflicts(r.Context(), memory.ConflictsInput{Status: page.Status, Scope: q.Get("scope"), AskedBy: r.Agent, Limit: mostConflicts})
	page.Conflicts, page.Omitted, page.Withheld, page.Unaudited, page.Notes = found.Conflicts, found.Omitted, found.Withheld, found.Unaudited, found.Notes
	return site.View{Title: "Conflicts", Revision: found.Revision, Data: page}, err
}

// conflictPage is one conflict.
type conflictPage struct {
	memory.Conflict
	Open  bool
	Sides []side
}

// side is one of the two facts of a conflict.
type side struct {
	Letter  string // "a" or "b"
	Key     string
	Fact    *memory.Fact // nil if its file is gone
	Words   []site.Word  // the claim; Gone and Added mark what differs
	Changed bool         // since the conflict was found
	Newer   bool         // the later state, if the conflict is an update to confirm
	Won     bool
}

func readConflict(r *site.Request) (site.View, error) {
	id := r.PathValue("id")
	found, err := r.Memory.Conflicts(r.Context(), memory.ConflictsInput{Key: id, Status: memory.AllStatuses, AskedBy: r.Agent})
	if err != nil {
		return site.View{}, err
	}
	for _, c := range found.Conflicts {
		if c.ConflictID == id {
			return site.View{Title: "Conflict: " + c.Explanation, Revision: found.Revision, Data: conflictPage{c, c.Status == "open", sides(c)}}, nil
		}
	}
	return site.View{}, fmt.Errorf("%w: there is no conflict %s that you may see", memory.ErrNotFound, id)
}

// sides are the two facts, with the words marked that contradict each other or, if these are not
// known, all that differ.
func sides(c memory.Conflict) []side {
	a := side{Letter: "a", Key: c.KeyA, Fact: c.A, Newer: c.Newer == "a", Won: c.Winner != "" && c.Winner == c.VersionA}
	b := side{Letter: "b", Key: c.KeyB, Fact: c.B, Newer: c.Newer == "b", Won: c.Winner != "" && c.Winner == c.VersionB}
	if a.Fact != nil {
		a.Changed, a.Words = a.Fact.FactID != c.VersionA, []site.Word{{Text: a.Fact.Claim}}
	}
	if b.Fact != nil {
		b.Changed, b.Words = b.Fact.FactID != c.VersionB, []site.Word{{Text: b.Fact.Claim}}
	}
	switch {
	case a.Fact == nil || b.Fact == nil:
	case c.SpanA != nil && c.SpanB != nil && !a.Changed && !b.Changed:
		a.Words, b.Words = marked(a.Fact.Claim, *c.SpanA), marked(b.Fact.Claim, *c.SpanB)
	default:
		a.Words, b.Words = nil, nil
		for _, w := range site.Diff(c.A.Claim, c.B.Claim) {
			if !w.Added {
				a.Words = append(a.Words, w)
			}
			if !w.Gone {
				b.Words = append(b.Words, w)
			}
		}
	}
	return []side{a, b}
}

// marked is a claim with one part marked.
func marked(claim string, span memory.Span) []site.Word {
	if span.Start < 0 || span.End > len(claim) || span.Start >= span.End {
		return []site.Word{{Text: claim}}
	}
	return []site.Word{{Text: claim[:span.Start]}, {Text: claim[span.Start:span.End], Gone: true}, {Text: claim[span.End:]}}
}

// settle carries out what the form of a conflict says. If the conflict has changed since, nothing is
// done, and its page shows how it stands.
func settle(r *site.Request) (site.Said, error) {
	id := r.PathValue("id")
	in := memory.ResolveInput{
		ConflictID: id, Reason: r.PostFormValue("reason"), Evidence: r.PostFormValue("evidence"), Agent: r.Agent,
		SeenA: r.PostFormValue("seen_a"), SeenB: r.PostFormValue("seen_b"),
	}
	said := site.Said{Path: site.Path("/conflicts", id), Done: "settled"}
	switch choice := r.PostFormValue("choice"); choice {
	case "a", "b":
		in.How, in.Winner = "winner", choice
	case "merge":
		in.How, in.MergedClaim = "merge", r.PostFormValue("claim")
	case "dismissed":
		in.How, said.Done = "dismissed", "dismissed"
	default:
		return said, site.Outdated("choose what is right: one of the two claims, both, or a third; nothing was changed")
	}
	_, err := r.Memory.Resolve(r.Context(), in)
	if errors.Is(err, memory.ErrSettled) {
		said.Done, err = "overtaken", nil
	}
	return said, err
}
