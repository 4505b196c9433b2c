package write

import (
	"context"
	"strings"
	"unicode"

	"engram/facts"
	"engram/memory/internal/core"
)

// Settled is a bound fact that was promoted or retired.
type Settled struct {
	Branch string    `json:"branch"`
	Bound  facts.Key `json:"bound_key"` // where it stood
	Key    facts.Key `json:"key"`       // where it stands now; where it stood, if it was dropped
	Claim  string    `json:"claim"`
	FactID string    `json:"fact_id"`
	// Replaced is what stood at the key and claims something else: it is in the
	// key's history now.
	Replaced *Replaced `json:"replaced,omitempty"`
	// Rival: what stands at the key was written after the bound fact and claims
	// something else, so this stands beside it, at Key, for a person to settle.
	Rival bool `json:"rival"`
}

// Replaced is a version that a promoted one took the place of.
type Replaced struct {
	FactID string `json:"fact_id"`
	Claim  string `json:"claim"`
}

// PromoteBound makes a bound fact hold for all, and ends the bound one. What stands
// at the key that it is for:
//
//  1. Nothing, or nothing that holds: it goes on there.
//  2. A fact that claims the same: its next version, if there is anything to add.
//  3. One that claims something else, and was written before the bound one, whose
//     author could know it: its next version.
//  4. One that claims something else and was written since: that stands, and the
//     promoted fact becomes its rival, the same in every clone that promotes it.
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
		p.end(old, p.Now)
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

// replace puts a promoted version at its key, as the next of what it continues, and
// ends the bound one.
func (p *Planner) replace(next, continued, bound facts.Fact) (id string, err error) {
	result, err := p.Put(next, continued, true)
	if err == nil && bound.Key != next.Key {
		p.end(bound, p.pending[next.Key].ValidFrom)
	}
	return result.FactID, err
}

// addRival puts a promoted fact beside the one that was written since. One that a clone
// has put there, and that may be settled by now, stays as it is.
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
	p.end(old, p.Now)
	return r.Key, r.ID, nil
}

// boundLine is a line of a commit message with the reason before the claim.
func boundLine(verb string, key facts.Key, why, claim string) string {
	head := verb + " " + key.String()
	why = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, why)
	return head + " (" + why + ")" + strings.TrimPrefix(core.MessageLine(verb, key, claim), head)
}
