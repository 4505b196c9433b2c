package exchange

import (
	"context"
	"fmt"
	"strings"

	"engram/bus"
	"engram/bus/ledger"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/ask"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// ReportInput is the result of a task.
type ReportInput struct {
	Key      string         `json:"key" help:"key of the task, sdd/FLOW/ID/CHILD"`
	Result   string         `json:"result" help:"what came of the task; the first line is what others find"`
	Detail   string         `json:"detail,omitempty" help:"longer text, at most 8 KiB"`
	Agent    string         `json:"agent_id,omitempty" help:"the agent that reports"`
	Pointers []core.Pointer `json:"pointers,omitempty" help:"references that the result rests on, as PATH:LINES or whole"`
	// Findings become the last paragraph of the detail (bus.WithFindings). Their pointers are
	// among those of the fact.
	Findings []TaskFinding `json:"findings,omitempty" help:"what was found out, each with a pointer that can be read here"`
	Strict   bool          `json:"-"` // at the boundary between agents: a child's report keeps to the budget of a message
}

// Report states the result of a task under the task's key, of which it is the next
// version, of kind fact, and ends the agent's turn. Only the agent of the task, parents
// and people may report: the error is a *LeadError otherwise. Pointers may be short forms
// (Complete). Each finding needs a pointer to something that can be read here. The error wraps
// ErrNotFound if no open fact has the key, and ErrUsage if the fact is not a task. With Strict,
// the error is a *Refusal if the report of a child is larger than a message may be.
func (m *Bus) Report(ctx context.Context, in ReportInput) (write.CommitResult, error) {
	if err := m.NormalizeAgents(&in.Agent); err != nil {
		return write.CommitResult{}, err
	}
	if facts.FoldSpace(in.Result) == "" {
		return write.CommitResult{}, core.UsageErrorf(hint.New("as in %s", hint.Do(hint.ReportResult, "KEY", "what came of it")), "the result is empty")
	}
	f, err := m.reportable(ctx, in)
	if err != nil {
		return write.CommitResult{}, err
	}
	pointers, err := m.completeAll(ctx, in.Agent, nil, in.Pointers)
	if err != nil {
		return write.CommitResult{}, err
	}
	findings, pointers, err := m.completeFindings(ctx, in, pointers)
	if err != nil {
		return write.CommitResult{}, err
	}
	claim, detail := claimAndDetail(bus.ResultMark, in.Result, bus.WithFindings(strings.Trim(in.Detail, "\n"), findings))
	if refusal := m.reportRefusal(in, claim, detail); refusal != nil {
		m.budget.Note(ctx, budget.Event{Name: ledger.BudgetReject, Agent: in.Agent, Count: 1, Code: refusal.Code, Limit: refusal.Name})
		return write.CommitResult{}, refusal
	}
	done, err := m.write.Commit(ctx, write.CommitInput{
		Claim: claim, Detail: detail, Key: f.Key.String(), Kind: string(facts.KindFact), Agent: in.Agent, Source: string(facts.SourceAgent),
		Pointers: pointers,
	})
	if err == nil {
		m.write.EndTurnBy(ctx, in.Agent, []write.CommitResult{done})
	}
	return done, err
}

// reportable returns the task or earlier result that an agent may report on.
func (m *Bus) reportable(ctx context.Context, in ReportInput) (core.Fact, error) {
	task, err := m.ask.Get(ctx, ask.GetInput{Key: in.Key, AskedBy: in.Agent})
	if err != nil {
		return core.Fact{}, err
	}
	f := task.Fact
	switch {
	case !strings.HasPrefix(f.Claim, bus.TaskMark) && !strings.HasPrefix(f.Claim, bus.ResultMark):
		return f, errNoTask(in.Key)
	case !strings.EqualFold(in.Agent, f.Key.Sub) && !m.budget.MayLead(in.Agent):
		return f, &write.LeadError{Agent: in.Agent, What: "state the result of a task for " + f.Key.Sub}
	case f.State != facts.Current && f.State != facts.Scheduled:
		return f, fmt.Errorf("%w: the task %s is %s", core.ErrNotFound, in.Key, f.State)
	}
	return f, nil
}

// reportRefusal compares a child's report with the limits of a message (bus.Inline): its
// findings count as engrams, and its text has no code. It returns nil if the report fits.
func (m *Bus) reportRefusal(in ReportInput, claim, detail string) *budget.Refusal {
	if !in.Strict || m.budget.MayLead(in.Agent) {
		return nil
	}
	limits := m.budget.Limits().Inline
	text := claim + "\n" + detail
	_, code := bus.Code(text)
	for _, l := range []struct {
		name          string
		most, found   int
		what, instead string
	}{
		{bus.NameTokens, limits.Tokens, facts.Tokens(text), "tokens", "shorten it, and point to what it rests on"},
		{bus.NameEngrams, limits.Engrams, len(in.Findings), "findings", "report those that matter"},
		{bus.NameCode, limits.CodeChars, code, "characters of code", "point to the code instead"},
	} {
		if l.found > l.most {
			return &budget.Refusal{
				Code: bus.BudgetExceeded, Name: l.name, Limit: l.most, Amount: l.found,
				Reason: fmt.Sprintf("the report has %d %s, at most %d are allowed; nothing was written: %s", l.found, l.what, l.most, l.instead),
			}
		}
	}
	return nil
}
