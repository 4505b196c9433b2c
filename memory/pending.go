package memory

import (
	"context"

	"engram/bus"
	"engram/facts"
)

// Stand-ins until other work is merged.
func (m *Memory) limits() Limits { return bus.DefaultLimits() }

func (m *Memory) mayReach(agent string, reach facts.Reach) error {
	if (reach == facts.ReachOrg || reach == facts.ReachGlobal) && !m.mayLead(agent) {
		return &PermissionError{Agent: agent, Access: facts.Write}
	}
	return nil
}

func (m *Memory) useCode(ctx context.Context, agent string, tokens []string, chars int) error { return nil }
func (m *Memory) endTurn(ctx context.Context, agent string) error                            { return nil }
