package judge

import (
	"context"

	"engram/detect"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// UndecidedInput narrows the list of pairs that wait for a judge.
type UndecidedInput struct {
	Limit   int    `json:"limit,omitempty" help:"at most N pairs"` // 0: all
	AskedBy string `json:"asked_by,omitempty"`                     // the agent that reads; "" whom the memory was opened for
}

// Undecided is a pair of facts that nobody has judged.
type Undecided struct {
	A           core.Fact `json:"a"`
	B           core.Fact `json:"b"`
	Grade       string    `json:"grade"`
	Explanation string    `json:"explanation,omitempty"`
}

// UndecidedResult lists pairs that wait for a judge, those first of which a verdict tells most.
type UndecidedResult struct {
	core.Answer
	Pairs []Undecided `json:"pairs"`
	More  int         `json:"more"` // beyond the limit
}

// Undecided lists the pairs that the rules could not decide in the facts that were written or
// audited here, and that nobody has judged.
func (m *Judge) Undecided(ctx context.Context, in UndecidedInput) (UndecidedResult, error) {
	result := UndecidedResult{Pairs: []Undecided{}}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return result, err
	}
	result.Answer = core.AnswerAt(tip)
	offers := m.compare.Offers()
	if len(offers) == 0 {
		return result, nil
	}
	known, err := m.audit.ConflictsAt(ctx, tip)
	if err != nil {
		return result, err
	}
	reads := m.Reader(manifest, in.AskedBy)
	for _, o := range offers {
		a, b, err := m.compare.Stands(ctx, tip, o, func(id string) bool { c, ok := known[id]; return ok && c.Status != detect.Closed })
		if err != nil {
			return result, err
		}
		if a == nil || !reads.MayReadScope(a.Fact.Scope) || !reads.MayReadScope(b.Fact.Scope) {
			continue
		}
		if in.Limit > 0 && len(result.Pairs) == in.Limit {
			result.More++
			continue
		}
		result.Pairs = append(result.Pairs, m.show(o, a, b))
	}
	return result, nil
}

func (m *Judge) show(o compare.Offer, a, b *core.AnalyzedFact) Undecided {
	now := m.Moment()
	return Undecided{
		A: core.Show(a.Fact, a.Fact.Window(), now), B: core.Show(b.Fact, b.Fact.Window(), now),
		Grade: o.Grade, Explanation: o.Explanation,
	}
}
