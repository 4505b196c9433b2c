package memory

import (
	"context"

	"engram/bus"
)

// MessageInput is a message between agents.
type MessageInput struct {
	Text  []byte `json:"-"`               // YAML or JSON
	Agent string `json:"agent,omitempty"` // who sends it
	// BudgetTokens are grants for code in it.
	BudgetTokens []string `json:"budget_tokens,omitempty"`
}

// MessageResult is the verdict on a message.
type MessageResult struct {
	Answer
	Verdict
}

// ValidateMessage says whether a message keeps to its form and budgets. It writes
// nothing and uses no grant up.
func (m *Memory) ValidateMessage(ctx context.Context, in MessageInput) (MessageResult, error) {
	tip, _, err := m.tip(ctx)
	return MessageResult{answer(tip), bus.Check(in.Text, m.bus.Limits, bus.Allowance{})}, err
}
