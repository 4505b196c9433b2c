package memory

import (
	"context"

	"engram/memory/internal/exchange"
)

type (
	// BroadcastResult is a shared brief.
	BroadcastResult = exchange.BroadcastResult
	// TaskInput is a task for an agent (seed 3's delegation).
	TaskInput = exchange.TaskInput
	// TaskResult is where the task stands, and what to tell the agent.
	TaskResult = exchange.TaskResult
	// ReportInput is the result of a task.
	ReportInput = exchange.ReportInput
	// DerefAsk is what an agent wants to read, and why.
	DerefAsk = exchange.DerefAsk
	// DerefAskResult says whether the agent's turn has room for it.
	DerefAskResult = exchange.DerefAskResult
	// EngramResult is one engram.
	EngramResult = exchange.EngramResult
	// EngramQuery asks for engrams, by one of Keys, Text and Near.
	EngramQuery = exchange.EngramQuery
	// EngramsResult is what was found, best first; of Keys, ties go by the topic's depth,
	// recency, confidence and pointers in common with the keys (seed 1 §5.1).
	EngramsResult = exchange.EngramsResult
	// RefusedEngram is an engram that was not stored.
	RefusedEngram = exchange.RefusedEngram
	// PutInput is an engram to be stored.
	PutInput = exchange.PutInput
	// PutResult is an engram as it was stored.
	PutResult = exchange.PutResult
	// EntriesInput asks for entries of the memory as pointers (seed 2 §8.2): by a question,
	// or by their keys.
	EntriesInput = exchange.EntriesInput
	// GrantState is a grant and what is left of it.
	GrantState = exchange.GrantState
	// GrantsResult lists grants, the newest first.
	GrantsResult = exchange.GrantsResult
	// MessageInput is a message between agents.
	MessageInput = exchange.MessageInput
	// MessageResult is the verdict on a message.
	MessageResult = exchange.MessageResult
	// Retrieved is a passage that a retrieval system found.
	Retrieved = exchange.Retrieved
	// RetrievedInput is the result of a retrieval.
	RetrievedInput = exchange.RetrievedInput
	// RetrievedResult is the same with pointers first (seed 2 §8.1).
	RetrievedResult = exchange.RetrievedResult
	// SubmitResult is what became of a child's message.
	SubmitResult = exchange.SubmitResult
)

const (
	// ReachFloor is the confidence that an engram needs to reach beyond its run (seed 2 §13.2
	// wants such a floor and names none): what its writer holds for less likely than not may
	// help a run along, and does not belong in front of the whole project.
	ReachFloor = exchange.ReachFloor
	// ModeHashKeys: by hash keys alone: the same memory gives the same answer
	ModeHashKeys = exchange.ModeHashKeys
)

// Broadcast composes what a parent tells a child: the goal, constraints, open conflicts,
// then the facts that matter most for goal, role and files, pointers to their evidence,
// budgets, and grants.
func (m *Memory) Broadcast(ctx context.Context, in BroadcastInput) (BroadcastResult, error) {
	return m.exchange.Broadcast(ctx, in)
}

// Delegate states a task as a fact, of kind todo, at sdd/FLOW/ID/CHILD.
func (m *Memory) Delegate(ctx context.Context, in TaskInput) (TaskResult, error) {
	return m.exchange.Delegate(ctx, in)
}

// Report states the result of a task under the task's key, of which it is the next version,
// of kind fact, and ends the agent's turn.
func (m *Memory) Report(ctx context.Context, in ReportInput) (CommitResult, error) {
	return m.exchange.Report(ctx, in)
}

// AskDeref says whether an agent's turn has room for what it wants to read and, where it
// has none, what to send its parent.
func (m *Memory) AskDeref(ctx context.Context, in DerefAsk) (DerefAskResult, error) {
	return m.exchange.AskDeref(ctx, in)
}

// GetEngram is the engram that has an id, of any of its versions, or stands at a key, as it
// is now.
func (m *Memory) GetEngram(ctx context.Context, id, askedBy string) (EngramResult, error) {
	return m.exchange.GetEngram(ctx, id, askedBy)
}

// QueryEngrams finds engrams that hold, ephemeral ones too: by hash keys, by a question, or
// by nearness to a fact.
func (m *Memory) QueryEngrams(ctx context.Context, in EngramQuery) (EngramsResult, error) {
	return m.exchange.QueryEngrams(ctx, in)
}

// PutEngram stores an engram as a fact, under the rules of the strict boundary (seed 1
// §8.2, seed 2 §5.2 and §13.2): 1. it has a claim, a confidence, a ttl and a scope; 2.
// it has a pointer to something that can be looked up here, which a url is not; 3. pointers
// into the repository name a commit, and something stands there; what stands there is
// recorded by its digest, and has the one that the engram names; 4. beyond the scope run it
// is more likely true than not (ReachFloor); 5. beyond the project only a parent lets it
// reach; 6. at a key where a fact stands, it changes what its agent may change (guardBus).
func (m *Memory) PutEngram(ctx context.Context, in PutInput) (PutResult, error) {
	return m.exchange.PutEngram(ctx, in)
}

// DeleteEngram retires the fact that has an id or key.
func (m *Memory) DeleteEngram(ctx context.Context, id, agent string) (CommitResult, error) {
	return m.exchange.DeleteEngram(ctx, id, agent)
}

// ReadEntries shows each entry as a pointer and its short statement.
func (m *Memory) ReadEntries(ctx context.Context, in EntriesInput) (RetrievedResult, error) {
	return m.exchange.ReadEntries(ctx, in)
}

// IssueGrant signs a grant.
func (m *Memory) IssueGrant(ctx context.Context, in GrantInput) (GrantResult, error) {
	return m.exchange.IssueGrant(ctx, in)
}

// Grants lists the grants that were issued in this repository; of child, where it is not
// "".
func (m *Memory) Grants(ctx context.Context, child string) (GrantsResult, error) {
	return m.exchange.Grants(ctx, child)
}

// RevokeGrant ends a grant and those that were made out of it, and lists them. agent is who
// asks: the parent of it or of one that it was made out of, or a person.
func (m *Memory) RevokeGrant(ctx context.Context, id, agent string) (GrantsResult, error) {
	return m.exchange.RevokeGrant(ctx, id, agent)
}

// ValidateMessage says whether a message keeps to its form and budgets.
func (m *Memory) ValidateMessage(ctx context.Context, in MessageInput) (MessageResult, error) {
	return m.exchange.ValidateMessage(ctx, in)
}

// SubmitRefusals is what Submit would refuse in a child's message that ValidateMessage
// finds fine: pointers that lead nowhere here, and what reaches too far.
func (m *Memory) SubmitRefusals(ctx context.Context, in MessageInput) ([]Refusal, error) {
	return m.exchange.SubmitRefusals(ctx, in)
}

// PointersOf turns what a retrieval found into pointers into this repository as HEAD has
// it, with excerpts only inside the agent's dereference budget: 1. a file of which the
// passage is a part: a pointer to those lines; 2. a file of which it is not, since it
// changed or the passage was rewritten: a pointer to the file; 3. an http or https address:
// a url pointer; 4. anything else is dropped, and counted.
func (m *Memory) PointersOf(ctx context.Context, in RetrievedInput) (RetrievedResult, error) {
	return m.exchange.PointersOf(ctx, in)
}

// Submit takes a child's message: where it keeps to its form and budgets, its engrams
// become facts, all or none, and its turn ends (of messages that say nothing new, one in
// the time of a turn ends it).
func (m *Memory) Submit(ctx context.Context, in MessageInput) (SubmitResult, error) {
	return m.exchange.Submit(ctx, in)
}
