package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/index"
)

// SinceInput asks for what is new.
type SinceInput struct {
	After   time.Time `json:"after,omitzero"`  // committed after this
	Scope   string    `json:"scope,omitempty"` // with what is below it; shared and shared/* mean the same
	Limit   int       `json:"limit,omitempty"` // 1 to 1,000; 0 means 100
	AskedBy string    `json:"asked_by,omitempty"`
}

// SinceResult is a page of what is new, the oldest first.
type SinceResult struct {
	Answer
	Facts []Fact `json:"facts"`
	// Next is the After of the next page; More reports whether there is one.
	Next     time.Time `json:"next,omitzero"`
	More     bool      `json:"more"`
	Withheld int       `json:"withheld"` // for who asks, or of reach run or project
}

// Bounds of a page.
const (
	DefaultSinceLimit = 100
	MaxSinceLimit     = 1000
)

// FactsSince lists the facts of reach org or global that were committed after a
// moment, as they stand, ended ones too: the federation read of seed 4, phase 6. What
// is ephemeral or bound to a code branch is for nobody else (index.Shared). A page
// never ends between two facts of the same moment, so that it may have more facts
// than the limit, and each fact is read once by whoever follows Next. A fact that
// comes by a merge with an earlier moment than Next is read only by who begins anew.
// A retirement counts from when the fact was retired.
func (m *Memory) FactsSince(ctx context.Context, in SinceInput) (SinceResult, error) {
	limit := cmp.Or(in.Limit, DefaultSinceLimit)
	if limit < 1 || limit > MaxSinceLimit {
		return SinceResult{}, wrong("leave the limit away for the default", "limit %d is not between 1 and %d", limit, MaxSinceLimit)
	}
	tip, manifest, err := m.tip(ctx)
	if err != nil {
		return SinceResult{}, err
	}
	reads := m.reader(manifest, in.AskedBy)
	result := SinceResult{Answer: answer(tip), Facts: []Fact{}, Next: in.After}
	scope := trimStar(strings.TrimPrefix(in.Scope, "/"))
	var found []dated
	now := m.moment()
	_, err = m.each(ctx, tip, "", func(f facts.Fact) error {
		if bookkeeping(f.Key) || !underScope(f.Scope, scope) {
			return nil
		}
		d := dated{forReaders(f), sinceWhen(f, now)}
		if !d.moment.After(in.After) {
			return nil
		}
		may, err := reads.mayFact(ctx, tip, f)
		if may = may && index.Shared(f); !may {
			result.Withheld++
			return err
		}
		found = append(found, d)
		return nil
	})
	if err != nil {
		return SinceResult{}, err
	}
	slices.SortFunc(found, func(a, b dated) int {
		return cmp.Or(a.moment.Compare(b.moment), strings.Compare(a.fact.Key.String(), b.fact.Key.String()))
	})
	end := min(limit, len(found))
	for end > 0 && end < len(found) && found[end].moment.Equal(found[end-1].moment) {
		end++
	}
	result.More = end < len(found)
	for _, d := range found[:end] {
		result.Facts = append(result.Facts, show(d.fact, d.fact.Window(), now))
		result.Next = d.moment
	}
	list := make([]*Fact, len(result.Facts))
	for i := range result.Facts {
		list[i] = &result.Facts[i]
	}
	return result, m.tellDisputed(ctx, tip, list...)
}

// dated is a fact and the moment since which others may read it as it stands.
type dated struct {
	fact   facts.Fact
	moment time.Time
}

// sinceWhen is when a fact was committed or, where that came later, retired.
func sinceWhen(f facts.Fact, now time.Time) time.Time {
	at := forReaders(f).Provenance.CreatedAt
	if f.Operation == facts.OpDelete && f.ValidUntil.After(at) && !f.ValidUntil.After(now) {
		return f.ValidUntil
	}
	return at
}
