package exchange

import (
	"context"
	"fmt"

	"engram/bus"
	"engram/facts"
	"engram/memory/internal/budget"
)

// RefusedEngram is an engram that was not stored. It is what its first refusal is.
type RefusedEngram struct {
	Refusals []budget.Refusal
	// Resend is the whole of what can be put instead, and would be taken; nil where
	// that cannot be made without inventing anything.
	Resend *PutInput
}

func (e *RefusedEngram) Error() string {
	text := e.Refusals[0].Error()
	if more := len(e.Refusals) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}

// Unwrap is the first refusal.
func (e *RefusedEngram) Unwrap() error { return &e.Refusals[0] }

// resendOf makes of an engram that was refused one that is taken: with commits, cut to
// the limits, and reaching as far as its agent and its confidence let it. Where that is
// refused as well, there is none.
func (m *Bus) resendOf(ctx context.Context, in PutInput) (*PutInput, error) {
	allow := bus.Allowance{}
	text := []byte(singleMessage(in.Engram).YAML())
	if refs := bus.WithoutCommit(text); len(refs) > 0 {
		var err error
		if allow.Commits, err = m.commitsFor(ctx, refs); err != nil {
			return nil, err
		}
	}
	verdict := bus.Check(text, m.Bus.Limits, allow)
	if !verdict.OK {
		message, err := bus.ParseChild([]byte(verdict.Resend))
		if err != nil || len(message.Engrams) != 1 {
			return nil, nil
		}
		in.Engram = message.Engrams[0]
	}
	if m.write.MayReach(in.Agent, in.Scope) != nil {
		in.Scope = string(facts.ReachProject)
	}
	if c := in.Confidence; c != nil && *c < ReachFloor {
		in.Scope = string(facts.ReachRun)
	}
	if len(m.checkForm(in.Engram)) > 0 {
		return nil, nil
	}
	_, refusals, err := m.prepareAll(ctx, []PutInput{in}, func(int) string { return "" })
	if err != nil || len(refusals) > 0 {
		return nil, err
	}
	return &in, nil
}

// singleMessage is a message of one engram and as little else as may be.
func singleMessage(e budget.Engram) bus.ChildMessage {
	return bus.ChildMessage{Role: "agent", TaskStatus: "put", Engrams: []budget.Engram{e}, Output: bus.Output{Summary: "put"}}
}
