package memory

import (
	"fmt"

	"engram/facts"
)

// ReachError refuses an agent that is no parent a fact that goes beyond the project
// (seed 2 §4.3).
type ReachError struct {
	Agent string
	Reach string
}

func (e *ReachError) Error() string {
	return fmt.Sprintf("the agent %s may not let a fact reach %s; nothing was written", e.Agent, e.Reach)
}

// mayReach refuses an agent that is no parent a fact of reach org or global, with a
// *ReachError. It lets everything else pass.
func (m *Memory) mayReach(agent, reach string) error {
	beyond := reach == string(facts.ReachOrg) || reach == string(facts.ReachGlobal)
	if !beyond || m.mayLead(agent) {
		return nil
	}
	return &ReachError{Agent: agent, Reach: reach}
}

// permitReach is mayReach for whatever is written. Where the team named no parents,
// nobody is held back outside of the bus: who may write what is the policy's to say.
func (p *planner) permitReach(d draft, next facts.Fact) error {
	if len(p.m.bus.Parents) == 0 {
		return nil
	}
	agent := d.author()
	return p.m.mayReach(agent, string(next.Reach))
}
