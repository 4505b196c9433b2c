package exchange

import (
	"cmp"
	"context"
	"fmt"

	"engram/bus"
	"engram/bus/ledger"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// SubmitResult is what became of a child's message.
type SubmitResult struct {
	core.Answer
	Verdict budget.Verdict       `json:"verdict"`
	Stored  []write.CommitResult `json:"stored"`  // one an engram, in order
	Engrams []budget.Engram      `json:"engrams"` // as they were stored
	// Requests are what the child asks to be let read: its parent grants it, or not
	// (IssueGrant).
	Requests []bus.DerefRequest `json:"requests"`
}

// Submit takes a child's message: where it keeps to its form and budgets, its engrams
// become facts, all or none, and its turn ends (of messages that say nothing new, one in
// the time of a turn ends it). Where it does not, or where an engram
// would be refused by PutEngram, nothing is written and the verdict says how to send it
// again; that is no error. Grants for code are used up with what is stored.
func (m *Bus) Submit(ctx context.Context, in MessageInput) (SubmitResult, error) {
	if err := core.NameAgents(&in.Agent); err != nil {
		return SubmitResult{}, err
	}
	checked, err := m.ValidateMessage(ctx, in)
	if err != nil {
		return SubmitResult{}, err
	}
	result := SubmitResult{Answer: checked.Answer, Verdict: checked.Verdict, Stored: []write.CommitResult{}, Engrams: []budget.Engram{}, Requests: []bus.DerefRequest{}}
	if !result.Verdict.OK {
		return result, m.reject(ctx, in.Agent, "", &result)
	}
	message, err := bus.ParseChild(in.Text)
	if err != nil {
		result.Verdict = withRefusals(result.Verdict, budget.Refusal{Code: bus.Invalid, Reason: err.Error(), Resend: "the form of a child: ROLE, TASK_STATUS, ENGRAMS and OUTPUT"})
		return result, m.reject(ctx, in.Agent, "", &result)
	}
	path := func(i int) string { return fmt.Sprintf("ENGRAMS[%d]", i) }
	commits, refusals, err := m.prepareAll(ctx, putInputs(message, in.Agent), path)
	if err != nil {
		return SubmitResult{}, err
	}
	if len(refusals) > 0 {
		result.Verdict = withRefusals(result.Verdict, refusals...)
		return result, m.reject(ctx, in.Agent, message.Role, &result)
	}
	puts, err := m.storeWithCode(ctx, in, result.Verdict.CodeChars, commits)
	if err != nil {
		return SubmitResult{}, err
	}
	for _, put := range puts {
		result.Answer = put.Answer
		result.Stored, result.Engrams = append(result.Stored, put.Commit), append(result.Engrams, put.Engram)
	}
	result.Requests = append(result.Requests, message.DerefRequests...)
	m.noteSubmitted(ctx, in.Agent, message.Role, result)
	m.write.EndTurnBy(ctx, in.Agent, result.Stored)
	return result, nil
}

// putInputs are the engrams of a message, to be stored.
func putInputs(message bus.ChildMessage, agent string) []PutInput {
	puts := make([]PutInput, len(message.Engrams))
	for i, e := range message.Engrams {
		puts[i] = PutInput{Engram: e, Agent: agent}
	}
	return puts
}

// reject records that a message was refused.
func (m *Bus) reject(ctx context.Context, agent, role string, result *SubmitResult) error {
	v := result.Verdict
	e := budget.Event{Name: ledger.BudgetReject, Agent: agent, Role: role, Count: len(v.Refusals), Tokens: v.Tokens, Code: v.Code, Message: true}
	if len(v.Refusals) > 0 {
		e.Limit = v.Refusals[0].Name
	}
	m.budget.Note(ctx, e)
	if result.Revision != "" {
		return nil
	}
	tip, _, err := m.Tip(ctx)
	result.Answer = core.AnswerAt(tip)
	return err
}

func (m *Bus) noteSubmitted(ctx context.Context, agent, role string, result SubmitResult) {
	e := budget.Event{Name: ledger.EngramPut, Agent: agent, Role: role, Tokens: result.Verdict.Tokens, Message: true}
	for i, stored := range result.Stored {
		if stored.Duplicate {
			continue
		}
		e.IDs, e.Kinds = append(e.IDs, stored.FactID), append(e.Kinds, result.Engrams[i].Kind)
		if bus.Contradicts(result.Engrams[i]) {
			e.Contradictions++
		}
	}
	m.budget.Note(ctx, e)
	for _, r := range result.Requests {
		m.budget.Note(ctx, budget.Event{Name: ledger.DerefRequest, Agent: agent, Role: role, Pointers: []string{cmp.Or(r.Pointer.Type, budget.PointerOf(r.Pointer.Ref, "").Type)}, Asked: true})
	}
}

// withRefusals is the verdict on a message that is refused for what Check cannot know.
func withRefusals(v budget.Verdict, refusals ...budget.Refusal) budget.Verdict {
	v.OK, v.Refusals = false, append(v.Refusals, refusals...)
	v.Code = v.Refusals[0].Code
	return v
}

// codeAllowance is how many characters of code an agent may have in a message by the
// grants that it shows. It uses none of them up. The error wraps bus.ErrRefused where
// a token is not good for that.
func (m *Bus) codeAllowance(ctx context.Context, agent string, tokens []string) (chars int, err error) {
	if len(tokens) == 0 {
		return 0, nil
	}
	return m.Ledger.CodeAllowance(ctx, agent, tokens)
}

// storeWithCode stores the engrams of a message with so many characters of code, and
// uses grants up for that: before, so that of several messages at once none has what
// another took. What was not stored costs nothing. The error wraps bus.ErrRefused where
// somebody else was faster.
func (m *Bus) storeWithCode(ctx context.Context, in MessageInput, chars int, all []preparedEngram) ([]PutResult, error) {
	place, err := m.Ledger.TakeCode(ctx, in.Agent, in.BudgetTokens, chars)
	if err != nil {
		return nil, err
	}
	puts, err := m.storeAll(ctx, all)
	if err != nil && puts == nil {
		if failed := m.Ledger.GiveBackCode(ctx, place); failed != nil {
			return nil, fmt.Errorf("%w (and the grants for its code could not be given back: %w)", err, failed)
		}
	}
	return puts, err
}
