package exchange

import (
	"context"
	"fmt"

	"engram/bus"
	"engram/bus/ledger"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
)

// DerefAsk is what an agent wants to read, and why.
type DerefAsk struct {
	Pointer budget.EngramPointer `json:"pointer" help:"what you want to read"`
	Reason  string               `json:"reason" help:"what you need it for, one sentence"` // at most facts.MaxClaim characters; it is not kept
	Agent   string               `json:"agent_id,omitempty" help:"your name, if it is not the client's"`
}

// DerefAskResult says whether the agent's turn has room for a dereference.
type DerefAskResult struct {
	core.Answer
	Room     bool     `json:"room"` // the turn permits a dereference now
	Tokens   int      `json:"tokens_left"`
	Turn     bus.Turn `json:"turn"`                // what the agent has read in it
	Request  string   `json:"request,omitempty"`   // for the message to the parent, as YAML, if there is no room
	DeniedBy string   `json:"denied_by,omitempty"` // the limit that is used up, if there is no room
}

// AskDeref reports whether an agent's turn has room for what it wants to read and, if not,
// what to send its parent. It reads nothing and uses nothing of the turn; it records the
// request. It does not check that the pointer leads to anything.
func (m *Bus) AskDeref(ctx context.Context, in DerefAsk) (DerefAskResult, error) {
	if err := m.NormalizeAgents(&in.Agent); err != nil {
		return DerefAskResult{}, err
	}
	address, err := facts.ParseRef(in.Pointer.Ref)
	if err != nil {
		return DerefAskResult{}, core.UsageErrorf(hint.New("write it as repo:internal/auth.go#L12-L40@COMMIT"), "pointer: %w", err)
	}
	reason := facts.FoldSpace(in.Reason)
	switch n := len([]rune(reason)); {
	case n == 0:
		return DerefAskResult{}, core.UsageErrorf(hint.New("give one sentence: the parent decides by it"), "a reason is missing")
	case n > facts.MaxClaim:
		return DerefAskResult{}, core.UsageErrorf(hint.New("one sentence is enough"), "the reason has %d characters, at most %d are read", n, facts.MaxClaim)
	case in.Agent == "":
		return DerefAskResult{}, core.UsageErrorf(hint.New("a person has no budget and may read everything"), "the request names no agent")
	}
	if err := m.ScanTexts([]bus.Text{{Path: "reason", Value: in.Reason}, {Path: "pointer.ref", Value: in.Pointer.Ref}}); err != nil {
		return DerefAskResult{}, err
	}
	revision, err := m.budget.RevisionIfAny(ctx)
	if err != nil {
		return DerefAskResult{}, err
	}
	turn, err := m.Ledger.Turn(in.Agent)
	if err != nil {
		return DerefAskResult{}, err
	}
	left, refusal := m.budget.Limits().Deref.Room(turn, address.Type, in.Pointer.Ref)
	result := DerefAskResult{Answer: core.AnswerAt(revision), Room: refusal == nil, Tokens: left, Turn: turn}
	if refusal != nil {
		result.DeniedBy = refusal.Name
		result.Request = fmt.Sprintf("DEREF_REQUESTS:\n  - pointer: { type: %s, ref: %q }\n    reason: %q\n", address.Type, in.Pointer.Ref, reason)
	}
	m.budget.Note(ctx, budget.Event{Name: ledger.DerefRequest, Agent: in.Agent, Pointers: []string{string(address.Type)}, Asked: true})
	return result, nil
}
