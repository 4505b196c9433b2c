package memory

import "engram/bus"

// Stand-ins until other work is merged.
func (m *Memory) limits() Limits { return bus.DefaultLimits() }
