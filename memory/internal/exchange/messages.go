package exchange

import (
	"context"
	"errors"
	"fmt"

	"engram/bus"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
)

// MessageInput is a message between agents.
type MessageInput struct {
	Text  []byte `json:"-"`               // YAML or JSON
	Agent string `json:"agent,omitempty"` // the sender
	// BudgetTokens are grants for code in it.
	BudgetTokens []string `json:"budget_tokens,omitempty" help:"grants for code in it"`
}

// MessageResult is the verdict on a message.
type MessageResult struct {
	core.Answer
	budget.Verdict
}

// ValidateMessage reports whether a message keeps to its form and budgets. It writes
// nothing and uses no grant. If a reference names no commit, the corrected form has the
// commit of this work tree, provided that the reference leads to something there. The
// error wraps bus.ErrRefused if a budget token is not valid for code in the agent's
// messages, and is a *SecretError if a text contains a secret.
func (m *Bus) ValidateMessage(ctx context.Context, in MessageInput) (MessageResult, error) {
	if err := core.NormalizeAgents(&in.Agent); err != nil {
		return MessageResult{}, err
	}
	tip, err := m.Store.Tip(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNoBranch) {
		return MessageResult{}, err
	}
	if err := m.ScanTexts(bus.Texts(in.Text)); err != nil {
		return MessageResult{}, err
	}
	chars, err := m.codeAllowance(ctx, in.Agent, in.BudgetTokens)
	if err != nil {
		return MessageResult{}, err
	}
	allow := bus.Allowance{CodeChars: chars}
	verdict := bus.Check(in.Text, m.Bus.Limits, allow)
	if refs := bus.WithoutCommit(in.Text); len(refs) > 0 {
		if allow.Commits, err = m.commitsFor(ctx, refs); err != nil {
			return MessageResult{}, err
		}
		verdict = bus.Check(in.Text, m.Bus.Limits, allow)
	}
	return MessageResult{Answer: core.AnswerAt(tip), Verdict: verdict}, nil
}

// SubmitRefusals returns what Submit would reject in a child's message that
// ValidateMessage accepts: pointers that lead nowhere here, and too wide a reach. That
// depends on the checkout, so it is not part of the verdict. It is empty if there is no
// memory, and for other messages.
func (m *Bus) SubmitRefusals(ctx context.Context, in MessageInput) ([]budget.Refusal, error) {
	message, err := bus.ParseChild(in.Text)
	if err != nil {
		return nil, nil
	}
	_, refusals, err := m.prepareAll(ctx, putInputs(message, in.Agent), func(i int) string { return fmt.Sprintf("ENGRAMS[%d]", i) })
	if errors.Is(err, gitstore.ErrNoBranch) {
		return nil, nil
	}
	return refusals, err
}

// maxCompleted is how many references of one message are completed.
const maxCompleted = 60

// commitsFor completes references that name no commit, if they lead to something that is
// committed.
func (m *Bus) commitsFor(ctx context.Context, refs []string) (map[string]string, error) {
	commits := map[string]string{}
	for _, ref := range refs[:min(len(refs), maxCompleted)] {
		done, err := m.deref.Complete(ctx, bus.BareRef(ref))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // the refusal reports the missing commit
		}
		if a, err := facts.ParseRef(done.Ref); err == nil && a.Commit != "" {
			commits[ref] = done.Ref
		}
	}
	return commits, nil
}
