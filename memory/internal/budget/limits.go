package budget

import (
	"engram/memory/internal/core"
)

// Limits are the budgets of agents, with the defaults of what nobody set.
func (m *Limiter) Limits() core.Limits { return m.Bus.Limits.WithDefaults() }
