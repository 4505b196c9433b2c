package memory

import (
	"fmt"

	"engram/bus"
	"engram/facts"
)

// guardBus holds what an agent states over the bus at a key against the fact that
// stands there. Parents and people may replace it. Of other agents
//
//  1. nobody changes a fact of somebody else: one that says the same is known, and
//     nothing is written;
//  2. nobody lets a fact of their own that reaches org or global reach less far;
//  3. nobody makes a durable fact of their own one of a run.
//
// The error is a *bus.Refusal.
func (p *planner) guardBus(d draft, next, old facts.Fact) (known bool, err error) {
	agent := d.author()
	if p.m.MayLead(agent) {
		return false, nil
	}
	refuse := func(path, resend, format string, args ...any) error {
		return &bus.Refusal{Code: bus.Invalid, Path: path, Reason: fmt.Sprintf(format, args...), Resend: resend}
	}
	same := facts.ContentHash(old.Claim) == facts.ContentHash(next.Claim)
	switch by := old.Provenance.Agent; {
	case (by == "" || !p.m.aliases().is(by, agent)) && same:
		return true, nil
	case by == "" || !p.m.aliases().is(by, agent):
		return false, refuse("key", "", "somebody else's fact stands at %s; state yours without a key, or ask its author or a parent", old.Key)
	case next.Reach != old.Reach && p.m.mayReach(agent, string(old.Reach)) != nil:
		return false, refuse("scope", "", "%s reaches %s; only a parent lets it reach less", old.Key, old.Reach)
	case next.Reach == facts.ReachRun && old.WithDefaults().Durability == facts.Durable:
		return false, refuse("scope", "scope: "+string(old.WithDefaults().Reach), "%s is durable and would end with the run; state what only the run needs without a key", old.Key)
	}
	return false, nil
}

// duplicateOf is the answer to what stands already.
func duplicateOf(f facts.Fact) CommitResult {
	return CommitResult{
		FactID: f.ID, Key: f.Key.String(), LineageID: f.Lineage, Committed: f.Provenance.CreatedAt,
		Duplicate: true, MemoryOp: string(facts.OpNone),
	}
}
