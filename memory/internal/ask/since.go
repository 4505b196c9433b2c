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

// SinceInput asks for what is new.
type SinceInput struct {
	After   time.Time `json:"after,omitzero" help:"committed after this time"`
	Scope   string    `json:"scope,omitempty" help:"a topic path, with what is below it; shared and shared/* mean the same"`
	Limit   int       `json:"limit,omitempty" min:"1" max:"1000" default:"100" help:"how many at most"`
	AskedBy string    `json:"asked_by,omitempty"`
}

// SinceResult is a page of what is new, the oldest first.
type SinceResult struct {
	core.Answer
	Facts []core.Fact `json:"facts"`
	// Next is the After of the next page; More reports whether there is one.
	Next time.Time `json:"next,omitzero"`
	More bool      `json:"more"`
	// Withheld were committed, or ended, after After and are not for who asks, or of
	// reach run or project.
	Withheld int `json:"withheld"`
}

// Bounds of a page.
const (
	defaultSinceLimit = 100
	maxSinceLimit     = 1000
)

// FactsSince lists the facts of reach org or global that were committed after a
// moment, as they stand, ended ones too: the federation read of seed 4, phase 6. What
// is ephemeral or bound to a code branch is for nobody else (index.Shared). A page
// never ends between two facts of the same moment, so that it may have more facts
// than the limit, and each fact is read once by whoever follows Next. A fact that
// comes by a merge with an earlier moment than Next is read only by who begins anew.
// A retirement counts from when the fact was retired. The index says which facts there
// are, and only those of the page are read from git.
func (m *Reader) FactsSince(ctx context.Context, in SinceInput) (SinceResult, error) {
	limit := cmp.Or(in.Limit, defaultSinceLimit)
	if limit < 1 || limit > maxSinceLimit {
		return SinceResult{}, core.Wrong(core.Omit(hint.Limit), "limit %d is not between 1 and %d", limit, maxSinceLimit)
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return SinceResult{}, err
	}
	q := index.Query{
		Scope: core.TrimStar(strings.TrimPrefix(in.Scope, "/")), Without: core.Unasked(""), Now: m.Moment(), Ephemeral: true, Branch: core.EveryBranch,
	}
	access := m.Reader(manifest, in.AskedBy).Access()
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

// dated is a fact that stands, and the moment since which others may read it so.
type dated struct {
	index.Ranked
	moment time.Time
}

// sincePage fills a page in.
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
		shown := core.Show(core.ForReaders(f), f.Window(), now)
		shown.HasConflict = seen.HasConflict(hits[i].Key, hits[i].Blob)
		result.Facts = append(result.Facts, shown)
	}
	return err
}

// datedSince are the facts of later than a moment, the oldest first. The index does not
// know an end that somebody made, from which a fact counts, from one that was stated:
// ended facts are read for that.
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

// committedOrRetired is when a fact was committed or, where that came later, retired.
func committedOrRetired(f facts.Fact, now time.Time) time.Time {
	at := core.ForReaders(f).Provenance.CreatedAt
	if f.Operation == facts.OpDelete && f.ValidUntil.After(at) && !f.ValidUntil.After(now) {
		return f.ValidUntil
	}
	return at
}
