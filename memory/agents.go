package memory

import (
	"context"
	"time"

	"engram/memory/internal/brief"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/exchange"
)

type (
	// Engram is a claim that agents exchange.
	Engram = budget.Engram
	// EngramPointer is a pointer as agents exchange it.
	EngramPointer = budget.EngramPointer
	// EngramResult is one engram.
	EngramResult = exchange.EngramResult
	// EngramQuery asks for engrams, by one of Keys, Text and Near.
	EngramQuery = exchange.EngramQuery
	// EngramsResult is the engrams that were found, best first.
	EngramsResult = exchange.EngramsResult
	// RefusedEngram is the error for an engram that was not stored.
	RefusedEngram = exchange.RefusedEngram
	// PutInput is an engram to store.
	PutInput = exchange.PutInput
	// PutResult is an engram as stored.
	PutResult = exchange.PutResult
	// EntriesInput asks for entries of the memory as pointers, by a question or by their keys.
	EntriesInput = exchange.EntriesInput
	// Retrieved is a passage that a retrieval system found.
	Retrieved = exchange.Retrieved
	// RetrievedInput is the result of a retrieval.
	RetrievedInput = exchange.RetrievedInput
	// RetrievedResult is the result of a retrieval, with pointers first.
	RetrievedResult = exchange.RetrievedResult
	// MessageInput is a message between agents.
	MessageInput = exchange.MessageInput
	// MessageResult is the verdict on a message.
	MessageResult = exchange.MessageResult
	// Verdict is the verdict on a message.
	Verdict = budget.Verdict
	// Refusal is one reason for rejecting a message.
	Refusal = budget.Refusal
	// SubmitResult says what happened to a child's message.
	SubmitResult = exchange.SubmitResult
	// BroadcastInput says for whom to compose a shared brief.
	BroadcastInput = brief.BroadcastInput
	// BroadcastResult is a shared brief.
	BroadcastResult = exchange.BroadcastResult
	// TaskInput is a task for an agent.
	TaskInput = exchange.TaskInput
	// TaskResult is the key of the task and what to tell the agent.
	TaskResult = exchange.TaskResult
	// ReportInput is the result of a task.
	ReportInput = exchange.ReportInput
	// TaskFinding is one thing that an agent found out, and the references that it rests on.
	TaskFinding = exchange.TaskFinding
	// FindingsInput names a task that has a result.
	FindingsInput = exchange.FindingsInput
	// FindingsResult is what an agent found out, and how its evidence stands.
	FindingsResult = exchange.FindingsResult
	// FindingCheck is a finding with the verdict on its evidence.
	FindingCheck = exchange.FindingCheck
	// DerefAsk is what an agent wants to read, and why.
	DerefAsk = exchange.DerefAsk
	// DerefAskResult says whether the agent's turn has room for a dereference.
	DerefAskResult = exchange.DerefAskResult
	// Grant is a parent's permission for a child to read more.
	Grant = budget.Grant
	// GrantInput is what a parent permits a child.
	GrantInput = budget.GrantInput
	// GrantResult is a grant with its token.
	GrantResult = budget.GrantResult
	// GrantState is a grant and what is left of it.
	GrantState = exchange.GrantState
	// GrantsResult lists grants, newest first.
	GrantsResult = exchange.GrantsResult
	// Event is something that happened between agents; it contains no text.
	Event = budget.Event
	// EventsResult is the end of the log of events, newest last.
	EventsResult = budget.EventsResult
	// Counters are the sums of all events of this clone.
	Counters = budget.Counters
	// TelemetryResult is what agents exchanged, in sums.
	TelemetryResult = budget.TelemetryResult
	// Limits are the limits of what agents exchange.
	Limits = core.Limits
	// BusOptions are the settings of what agents exchange; the zero value is the default.
	BusOptions = core.BusOptions
)

// Bounds and words of what agents exchange.
const (
	ModeHashKeys   = exchange.ModeHashKeys // by hash keys alone, which always gives the same answer
	ReachFloor     = exchange.ReachFloor   // the confidence that an engram needs to reach beyond its run
	BudgetExceeded = budget.BudgetExceeded // the reasons for a refusal
	DerefDenied    = budget.DerefDenied
	Invalid        = budget.Invalid
	MetricsType    = budget.MetricsType // the content type of MetricsText
)

// PutEngram stores an engram as a fact, under the strict rules between agents.
func (m *Memory) PutEngram(ctx context.Context, in PutInput) (PutResult, error) {
	return m.exchange.PutEngram(ctx, in)
}

// GetEngram returns the current engram with an id, which may be that of any version, or at a
// key.
func (m *Memory) GetEngram(ctx context.Context, id, askedBy string) (EngramResult, error) {
	return m.exchange.GetEngram(ctx, id, askedBy)
}

// QueryEngrams finds engrams, ephemeral ones too, by hash keys, by a question, or by nearness
// to a fact.
func (m *Memory) QueryEngrams(ctx context.Context, in EngramQuery) (EngramsResult, error) {
	return m.exchange.QueryEngrams(ctx, in)
}

// DeleteEngram retires the fact with an id or key.
func (m *Memory) DeleteEngram(ctx context.Context, id, agent string) (CommitResult, error) {
	return m.exchange.DeleteEngram(ctx, id, agent)
}

// ReadEntries returns each entry as a pointer and its short statement.
func (m *Memory) ReadEntries(ctx context.Context, in EntriesInput) (RetrievedResult, error) {
	return m.exchange.ReadEntries(ctx, in)
}

// PointersOf turns retrieved passages into pointers into this repository at HEAD, with excerpts
// only within the agent's dereference budget.
func (m *Memory) PointersOf(ctx context.Context, in RetrievedInput) (RetrievedResult, error) {
	return m.exchange.PointersOf(ctx, in)
}

// ValidateMessage reports whether a message keeps to its form and budgets.
func (m *Memory) ValidateMessage(ctx context.Context, in MessageInput) (MessageResult, error) {
	return m.exchange.ValidateMessage(ctx, in)
}

// SubmitRefusals returns what Submit would reject in a message that ValidateMessage accepts,
// such as pointers that lead nowhere.
func (m *Memory) SubmitRefusals(ctx context.Context, in MessageInput) ([]Refusal, error) {
	return m.exchange.SubmitRefusals(ctx, in)
}

// Submit takes a child's message: if it keeps to its form and budgets, its engrams become
// facts, all or none, and its turn ends.
func (m *Memory) Submit(ctx context.Context, in MessageInput) (SubmitResult, error) {
	return m.exchange.Submit(ctx, in)
}

// Broadcast composes what a parent tells a child: the goal, constraints, open conflicts,
// relevant facts, pointers to their evidence, budgets and grants.
func (m *Memory) Broadcast(ctx context.Context, in BroadcastInput) (BroadcastResult, error) {
	return m.exchange.Broadcast(ctx, in)
}

// Delegate states a task as a fact at sdd/FLOW/ID/CHILD, and makes the brief ready that Pack
// gives the child.
func (m *Memory) Delegate(ctx context.Context, in TaskInput) (TaskResult, error) {
	r, err := m.exchange.Delegate(ctx, in)
	if err == nil && !r.Proposed {
		_ = m.window.Prepare(ctx, r.Key, in.Child) // else Pack makes it
	}
	return r, err
}

// Report states the result of a task as the next version of the task's fact, and ends the
// agent's turn.
func (m *Memory) Report(ctx context.Context, in ReportInput) (CommitResult, error) {
	return m.exchange.Report(ctx, in)
}

// Findings checks the evidence of each finding of a task's result.
func (m *Memory) Findings(ctx context.Context, in FindingsInput) (FindingsResult, error) {
	return m.exchange.Findings(ctx, in)
}

// AskDeref reports whether an agent's turn has room for what it wants to read and, if not, what
// to send its parent.
func (m *Memory) AskDeref(ctx context.Context, in DerefAsk) (DerefAskResult, error) {
	return m.exchange.AskDeref(ctx, in)
}

// IssueGrant signs a grant.
func (m *Memory) IssueGrant(ctx context.Context, in GrantInput) (GrantResult, error) {
	return m.exchange.IssueGrant(ctx, in)
}

// Grants lists the grants that were issued in this repository; a child that is not "" narrows
// the list.
func (m *Memory) Grants(ctx context.Context, child string) (GrantsResult, error) {
	return m.exchange.Grants(ctx, child)
}

// RevokeGrant ends a grant and the grants derived from it, and lists them; agent must be its
// parent, the parent of a grant that it was derived from, or a person.
func (m *Memory) RevokeGrant(ctx context.Context, id, agent string) (GrantsResult, error) {
	return m.exchange.RevokeGrant(ctx, id, agent)
}

// CheckGranted reports how a pointer of a grant contradicts its reference.
func CheckGranted(p EngramPointer, prefix bool) error { return budget.CheckGranted(p, prefix) }

// MayLead reports whether an agent is a parent, or a person, whose name is "".
func (m *Memory) MayLead(agent string) bool { return m.budget.MayLead(agent) }

// DefaultLimits returns the limits that hold unless others are configured.
func DefaultLimits() Limits { return budget.DefaultLimits() }

// ParseLifetime reads how long a grant lasts: a Go duration (1h30m), days or weeks (7d, 2w), or
// ISO 8601 (PT30M); "" is 0, the default.
func ParseLifetime(text string) (time.Duration, error) { return exchange.ParseLifetime(text) }

// Telemetry sums up what agents exchanged in this clone.
func (m *Memory) Telemetry(ctx context.Context) (TelemetryResult, error) {
	return m.budget.Telemetry(ctx)
}

// Events reads the last events, at most as many as last says; 0 reads all.
func (m *Memory) Events(ctx context.Context, last int) (EventsResult, error) {
	return m.budget.Events(ctx, last)
}
