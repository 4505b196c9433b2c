package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"engram/bus"
	"engram/bus/ledger"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
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
	if err := m.NormalizeAgents(&in.Agent); err != nil {
		return MessageResult{}, err
	}
	tip, err := m.Store.Tip(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNoBranch) {
		return MessageResult{}, err
	}
	if err := m.ScanTexts(bus.Texts(in.Text)); err != nil {
		return MessageResult{}, err
	}
	var allow bus.Allowance
	if len(in.BudgetTokens) > 0 {
		if allow.CodeChars, err = m.Ledger.CodeAllowance(ctx, in.Agent, in.BudgetTokens); err != nil {
			return MessageResult{}, err
		}
	}
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
	_, refusals, err := m.prepareAll(ctx, putInputs(message, in.Agent), inMessage)
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

// SubmitResult says what happened to a child's message.
type SubmitResult struct {
	core.Answer
	Verdict budget.Verdict       `json:"verdict"`
	Stored  []write.CommitResult `json:"stored"`  // one for each engram, in order
	Engrams []budget.Engram      `json:"engrams"` // as stored
	// Requests are the dereferences that the child asks for; its parent may grant them
	// (IssueGrant).
	Requests []bus.DerefRequest `json:"requests"`
}

// Submit takes a child's message: if it keeps to its form and budgets, its engrams become
// facts, all or none, and its turn ends. A message without anything new ends a turn only
// once in the time of a turn. If the message is not valid, or PutEngram would reject an
// engram, nothing is written and the verdict says what to send instead; that is not an
// error. Storing uses up the grants for code.
func (m *Bus) Submit(ctx context.Context, in MessageInput) (SubmitResult, error) {
	if err := m.NormalizeAgents(&in.Agent); err != nil {
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
	commits, refusals, err := m.prepareAll(ctx, putInputs(message, in.Agent), inMessage)
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

// inMessage returns the place of an engram in a message.
func inMessage(i int) string { return fmt.Sprintf("ENGRAMS[%d]", i) }

// putInputs returns the engrams of a message as inputs of a put.
func putInputs(message bus.ChildMessage, agent string) []PutInput {
	puts := make([]PutInput, len(message.Engrams))
	for i, e := range message.Engrams {
		puts[i] = PutInput{Engram: e, Agent: agent}
	}
	return puts
}

// reject records that a message was rejected.
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

// withRefusals returns the verdict on a message with refusals that bus.Check cannot know.
func withRefusals(v budget.Verdict, refusals ...budget.Refusal) budget.Verdict {
	v.OK, v.Refusals = false, append(v.Refusals, refusals...)
	v.Code = v.Refusals[0].Code
	return v
}

// storeWithCode stores the engrams of a message with chars characters of code. It charges
// the grants first, so that concurrent messages cannot use the same allowance, and
// restores them if nothing was stored. The error wraps bus.ErrRefused if another message
// used the allowance first.
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
