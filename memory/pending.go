package memory

// limits are those of what agents exchange, defaults filled in.
func (m *Memory) limits() Limits { return m.bus.Limits.WithDefaults() }
