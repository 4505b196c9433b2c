package exchange

import (
	"context"
	"fmt"

	"engram/bus"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/budget"
)

// RefusedEngram is the error for an engram that was not stored. It unwraps to its first
// refusal.
type RefusedEngram struct {
	Refusals []budget.Refusal
	// Resend is a corrected engram that would be accepted; nil if it cannot be made
	// without inventing content.
	Resend *PutInput
}

func (e *RefusedEngram) Error() string {
	text := e.Refusals[0].Error()
	if more := len(e.Refusals) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}

// Unwrap returns the first refusal.
func (e *RefusedEngram) Unwrap() error { return &e.Refusals[0] }

// resendOf corrects a refused engram: it adds commits, cuts it to the limits, and reduces
// its reach to what its agent and confidence permit. It returns nil if the result would be
// refused as well.
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

// singleMessage returns a message with one engram and as little else as possible.
func singleMessage(e budget.Engram) bus.ChildMessage {
	return bus.ChildMessage{Role: "agent", TaskStatus: "put", Engrams: []budget.Engram{e}, Output: bus.Output{Summary: "put"}}
}

// RefusedEngramHint returns the hint for an engram that was not stored.
func RefusedEngramHint(e *RefusedEngram) hint.Hint {
	if first := e.Refusals[0].Resend; e.Resend == nil && first != "" {
		return hint.New("nothing was stored; instead: %s", first)
	}
	return hint.New("fix what is named; nothing was stored")
}

// RefusalHint returns the hint for a refusal; the zero hint if nothing can be sent instead.
func RefusalHint(e *bus.Refusal) hint.Hint {
	switch {
	case e.Resend == "":
		return hint.Hint{}
	case e.Code == bus.DerefDenied:
		return hint.New("send this to the parent: %s", e.Resend)
	}
	return hint.New("send this instead: %s", e.Resend)
}

// GrantHint returns the hint for a grant that is not valid.
func GrantHint() hint.Hint {
	return hint.New("%s shows what is left of each grant, %s what a grant may have", hint.Do(hint.ListGrants), hint.Do(hint.Help, "bus grant"))
}
