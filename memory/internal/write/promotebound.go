package write

import (
	"context"
	"strings"

	"engram/facts"
	"engram/memory/internal/core"
)

// Settled is a bound fact that was promoted or retired.
type Settled struct {
	Branch string    `json:"branch"`
	Bound  facts.Key `json:"bound_key"` // the key of the bound fact
	Key    facts.Key `json:"key"`       // the key of the promoted fact, or of the dropped one
	Claim  string    `json:"claim"`
	FactID string    `json:"fact_id"`
	// Replaced is the fact with another claim that stood at the key.
	Replaced *Replaced `json:"replaced,omitempty"`
	// Rival: a newer fact with another claim stands at the key, so this one stands
	// beside it, at Key, for a person to settle.
	Rival bool `json:"rival"`
}

// Replaced is a version that a promoted one replaced.
type Replaced struct {
	FactID string `json:"fact_id"`
	Claim  string `json:"claim"`
}

// PromoteBound makes a bound fact hold on all branches, and ends the bound one. Cases,
// by what stands at the key that it is for:
//
//  1. Nothing, or nothing open: the fact continues there.
//  2. A fact with the same claim: its next version, if there is anything to add.
//  3. A fact with another claim, older than the bound fact, whose author could know it: its next version.
//  4. A fact with another claim, newer than the bound fact: it stays, and the promoted fact becomes its rival, the same in every clone that promotes it.
func (p *Planner) PromoteBound(ctx context.Context, old facts.Fact, why string) (Settled, error) {
	target := old.Target()
	s := Settled{Branch: old.Branch, Bound: old.Key, Key: target, Claim: old.Claim}
	standing, found, err := p.At(ctx, target)
	if err != nil {
		return s, err
	}
	next := unbound(old, p.Now)
	lines := len(p.Lines)
	differs := facts.ContentHash(standing.Claim) != facts.ContentHash(old.Claim)
	switch {
	case !found || target == old.Key || !core.CurrentOrScheduled(standing, p.Now): // 1.
		s.FactID, err = p.replace(next, old, old)
	case !differs && addsNothing(next, standing): // 2.
		s.FactID = standing.ID
		p.End(old, p.Now)
	case differs && standing.Provenance.CreatedAt.After(old.Provenance.CreatedAt): // 4.
		s.Rival = true
		s.Key, s.FactID, err = p.addRival(ctx, old)
	default: // 2. and 3.
		if differs {
			s.Replaced = &Replaced{standing.ID, standing.Claim}
		}
		next.Lineage = ""
		s.FactID, err = p.replace(next, standing, old)
	}
	if err == nil {
		p.Lines = append(p.Lines[:lines], boundLine("promote", s.Key, why, old.Claim))
	}
	return s, err
}

// replace writes a promoted version at its key, as the next version of the fact that it
// continues, and ends the bound one.
func (p *Planner) replace(next, continued, bound facts.Fact) (id string, err error) {
	result, err := p.Put(next, continued, true)
	if err == nil && bound.Key != next.Key {
		p.End(bound, p.pending[next.Key].ValidFrom)
	}
	return result.FactID, err
}

// addRival puts a promoted fact beside a newer one. A rival that another clone has put
// there, and that may be settled by now, stays as it is.
func (p *Planner) addRival(ctx context.Context, old facts.Fact) (facts.Key, string, error) {
	loser := old.Clone()
	loser.Key, loser.For, loser.Branch, loser.Operation = old.Target(), facts.Key{}, "", ""
	r := facts.Rival(loser)
	at, found, err := p.At(ctx, r.Key)
	if err != nil {
		return r.Key, "", err
	}
	if found {
		r = at
	} else if err := facts.Validate(r, p.Manifest); err != nil {
		return r.Key, "", err
	} else {
		p.Set(r)
	}
	p.End(old, p.Now)
	return r.Key, r.ID, nil
}

// boundLine is a line of a commit message with the reason before the claim.
func boundLine(verb string, key facts.Key, why, claim string) string {
	head := verb + " " + key.String()
	return head + " (" + facts.OneLine(why) + ")" + strings.TrimPrefix(core.MessageLine(verb, key, claim), head)
}
