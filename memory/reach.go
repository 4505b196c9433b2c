package memory

import "engram/facts"

// mayReach refuses an agent that is no parent a fact of reach org or global (seed 2
// §4.3), with a *LeadError. It lets everything else pass.
func (m *Memory) mayReach(agent, reach string) error {
	beyond := reach == string(facts.ReachOrg) || reach == string(facts.ReachGlobal)
	if !beyond || m.MayLead(agent) {
		return nil
	}
	return &LeadError{Agent: agent, What: "let a fact reach " + reach}
}

// permitReach is mayReach for whatever is written. Where nobody named parents, only
// the bus holds agents back: who may write what is the policy's to say.
func (p *planner) permitReach(d draft, next facts.Fact) error {
	if len(p.m.bus.Parents) == 0 {
		return nil
	}
	return p.m.mayReach(d.author(), string(next.Reach))
}
