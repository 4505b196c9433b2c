package memory

// limits are the budgets of agents, with the defaults of what nobody set.
func (m *Memory) limits() Limits { return m.bus.Limits.WithDefaults() }
