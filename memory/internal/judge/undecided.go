package judge

import (
	"context"

	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// UndecidedInput narrows the list of pairs that nobody has judged.
type UndecidedInput struct {
	Limit   int    `json:"limit,omitempty" flag:"limit,n,N" min:"1" help:"at most N pairs"` // 0: all
	AskedBy string `json:"asked_by,omitempty"`                                              // the agent that reads; "" whom the memory was opened for
}

// Undecided is a pair of facts that nobody has judged.
type Undecided struct {
	A           core.Fact `json:"a"`
	B           core.Fact `json:"b"`
	Grade       string    `json:"grade"`                 // likely, related
	Explanation string    `json:"explanation,omitempty"` // of a likely contradiction
}

// UndecidedResult lists pairs that nobody has judged, those first about which a verdict tells
// most.
type UndecidedResult struct {
	core.Answer
	Pairs []Undecided `json:"pairs"`
	More  int         `json:"more"` // pairs beyond the limit, some of which may be decided
	// Dropped counts pairs that this clone no longer offers, because it keeps MaxPairs: the
	// newest and the likeliest. An audit of everything offers the likely ones again.
	Dropped int `json:"dropped"`
}

// MaxPairs is how many pairs a clone keeps until somebody judges them.
const MaxPairs = compare.MaxOffers

// Undecided lists the pairs that the rules could not decide in the facts that were written
// in this clone, and that nobody has judged. The error wraps gitstore.ErrNoBranch if there is
// no memory.
func (m *Judge) Undecided(ctx context.Context, in UndecidedInput) (UndecidedResult, error) {
	result := UndecidedResult{Pairs: []Undecided{}}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return result, err
	}
	result.Answer = core.AnswerAt(tip)
	reads := m.Reader(manifest, in.AskedBy)
	offers, dropped := m.compare.Offers()
	result.Dropped = dropped
	over := make(map[[2]string]bool)
	for i, o := range offers {
		if in.Limit > 0 && len(result.Pairs) == in.Limit {
			result.More = len(offers) - i
			break
		}
		a, b, err := m.waits(ctx, tip, o)
		switch {
		case err != nil:
			return result, err
		case a == nil:
			over[o.Pair()] = true
		case reads.MayReadScope(a.Fact.Scope) && reads.MayReadScope(b.Fact.Scope):
			result.Pairs = append(result.Pairs, m.show(o, a, b))
		}
	}
	if err := m.compare.KeepOffers(func(o compare.Offer) bool { return !over[o.Pair()] }); err != nil {
		m.Log.Debug("decided pairs are kept", "error", err)
	}
	return result, nil
}

// waits returns the facts of an offer, or nil if one of them has changed or the pair is
// decided.
func (m *Judge) waits(ctx context.Context, revision string, o compare.Offer) (a, b *core.AnalyzedFact, err error) {
	if a, b, err = m.compare.Stands(ctx, revision, o); err != nil || a == nil {
		return nil, nil, err
	}
	if decided, err := m.audit.Decided(ctx, revision, a.Fact, b.Fact); err != nil || decided {
		return nil, nil, err
	}
	return a, b, nil
}

func (m *Judge) show(o compare.Offer, a, b *core.AnalyzedFact) Undecided {
	now := m.Moment()
	return Undecided{
		A: core.Show(a.Fact, a.Fact.Window(), now), B: core.Show(b.Fact, b.Fact.Window(), now),
		Grade: o.Grade, Explanation: o.Explanation,
	}
}
