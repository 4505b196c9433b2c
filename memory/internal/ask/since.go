package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/index"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// SinceInput asks for facts that were committed after a moment.
type SinceInput struct {
	After   time.Time `json:"after,omitzero" help:"committed after this time"`
	Scope   string    `json:"scope,omitempty" help:"a topic path, with what is below it; shared and shared/* mean the same"`
	Limit   int       `json:"limit,omitempty" min:"1" max:"1000" default:"100" help:"how many at most"`
	AskedBy string    `json:"asked_by,omitempty"`
}

// SinceResult is a page of new facts, oldest first.
type SinceResult struct {
	core.Answer
	Facts []core.Fact `json:"facts"`
	// Next is the After of the next page; More reports whether there is one.
	Next time.Time `json:"next,omitzero"`
	More bool      `json:"more"`
	// Withheld counts the facts that were committed or ended after After and that the
	// agent may not read, or that have the reach run or project.
	Withheld int `json:"withheld"`
}

// Bounds of a page.
const (
	defaultSinceLimit = 100
	maxSinceLimit     = 1000
)

// FactsSince lists the facts of reach org or global that were committed after a moment,
// ended ones too: the federation read of the consistency plan, phase 6. Facts that are
// ephemeral or bound to a code branch are not shared (index.Shared). A page never ends
// between two facts of the same moment, so it may exceed the limit, and a caller that
// follows Next reads each fact once. A fact that a merge brings with a moment before Next
// is found only from the start. A retirement counts from its own time. Only the facts of
// the page are read from git; the index finds them.
func (m *Reader) FactsSince(ctx context.Context, in SinceInput) (SinceResult, error) {
	limit := cmp.Or(in.Limit, defaultSinceLimit)
	if limit < 1 || limit > maxSinceLimit {
		return SinceResult{}, core.UsageErrorf(core.OmitHint(hint.Limit), "limit %d is not between 1 and %d", limit, maxSinceLimit)
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return SinceResult{}, err
	}
	q := index.Query{
		Scope: core.TrimWildcard(strings.TrimPrefix(in.Scope, "/")), Without: core.InternalPrefixes(""), Now: m.Moment(), Ephemeral: true, Branch: core.EveryBranch,
	}
	access := m.Reader(manifest, in.AskedBy).ScopeRules()
	var result SinceResult
	_, err = m.Index.View(ctx, tip, func(view *index.View) error {
		all, err := view.CountSince(ctx, q, in.After)
		if err != nil {
			return err
		}
		q := q
		q.Shared, q.Access = true, access
		found, err := view.Since(ctx, q, in.After)
		if err != nil {
			return err
		}
		result = SinceResult{Answer: core.AnswerAt(view.Revision()), Facts: []core.Fact{}, Next: in.After, Withheld: all - len(found)}
		return m.sincePage(ctx, view, found, limit, in.After, q.Now, &result)
	})
	if err != nil {
		return SinceResult{}, fmt.Errorf("look for what is new: %w", err)
	}
	return result, nil
}

// dated is a fact and the moment since which others may read it in this state.
type dated struct {
	index.Ranked
	moment time.Time
}

// sincePage fills in a page.
func (m *Reader) sincePage(ctx context.Context, view *index.View, found []index.Stand, limit int, after, now time.Time, result *SinceResult) error {
	page, err := m.datedSince(ctx, found, after, now)
	if err != nil {
		return err
	}
	end := min(limit, len(page))
	for end > 0 && end < len(page) && page[end].moment.Equal(page[end-1].moment) {
		end++
	}
	result.More, page = end < len(page), page[:end]
	hits := make([]index.Ranked, len(page))
	for i, d := range page {
		hits[i], result.Next = d.Ranked, d.moment
	}
	list, err := m.FactsOf(ctx, hits)
	if err != nil {
		return err
	}
	seen, err := m.audit.AuditedAt(ctx, view.Revision(), nil)
	for i, f := range list {
		shown := core.Show(core.FillUnstated(f), f.Window(), now)
		shown.HasConflict = seen.HasConflict(ctx, hits[i].Key, hits[i].Blob)
		result.Facts = append(result.Facts, shown)
	}
	return err
}

// datedSince returns the facts after a moment, oldest first. It reads ended facts, because
// the index does not distinguish a retirement, which counts as a change, from a stated end.
func (m *Reader) datedSince(ctx context.Context, found []index.Stand, after, now time.Time) ([]dated, error) {
	all := make([]dated, 0, len(found))
	var ended []index.Ranked
	for _, s := range found {
		if until := s.Window.Until; !until.IsZero() && !until.After(now) {
			ended = append(ended, index.Ranked{Hit: s.Hit})
			continue
		}
		all = append(all, dated{index.Ranked{Hit: s.Hit}, s.Committed})
	}
	list, err := m.FactsOf(ctx, ended)
	if err != nil {
		return nil, err
	}
	for i, f := range list {
		all = append(all, dated{ended[i], committedOrRetired(f, now)})
	}
	all = slices.DeleteFunc(all, func(d dated) bool { return !d.moment.After(after) })
	slices.SortFunc(all, func(a, b dated) int {
		return cmp.Or(a.moment.Compare(b.moment), strings.Compare(a.Key.String(), b.Key.String()))
	})
	return all, nil
}

// committedOrRetired returns when a fact was committed or, if that is later, retired.
func committedOrRetired(f facts.Fact, now time.Time) time.Time {
	at := core.FillUnstated(f).Provenance.CreatedAt
	if f.Operation == facts.OpDelete && f.ValidUntil.After(at) && !f.ValidUntil.After(now) {
		return f.ValidUntil
	}
	return at
}
