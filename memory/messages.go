package memory

import "context"

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
	return MessageResult{}, errNotBuilt
}

// SubmitResult is what became of a child's message.
type SubmitResult struct {
	Answer
	Verdict Verdict        `json:"verdict"`
	Stored  []CommitResult `json:"stored"`  // one an engram, in order
	Engrams []Engram       `json:"engrams"` // as they were stored
}

// Submit takes a child's message: where it keeps to its form and budgets, its engrams
// become facts, all or none, and its turn ends. Where it does not, nothing is written
// and the verdict says how to send it again; that is no error.
func (m *Memory) Submit(ctx context.Context, in MessageInput) (SubmitResult, error) {
	return SubmitResult{}, errNotBuilt
}

// BroadcastInput says for whom a shared brief is.
type BroadcastInput struct {
	Parent       string       `json:"parent,omitempty"`
	ParentRole   string       `json:"parent_role,omitempty"` // "" means Parent
	Child        string       `json:"child,omitempty"`
	Role         string       `json:"role,omitempty"` // of the child
	Goal         string       `json:"goal,omitempty"`
	Instructions []string     `json:"instructions,omitempty"`
	Scope        string       `json:"scope,omitempty"`
	Branch       string       `json:"branch,omitempty"`
	Files        []string     `json:"files,omitempty"`
	Grants       []GrantInput `json:"grants,omitempty"` // to issue with it; parent and child are those above
}

// BroadcastResult is a shared brief.
type BroadcastResult struct {
	Answer
	Message  ParentMessage `json:"message"`
	Text     string        `json:"text"`  // as YAML, at most bus.MaxBriefLines lines
	Lines    int           `json:"lines"` // of it
	Tokens   int           `json:"tokens"`
	Omitted  int           `json:"omitted"`
	Withheld int           `json:"withheld"`
	Notes    []string      `json:"notes,omitempty"`
}

// Broadcast composes what a parent tells a child: constraints first, then the facts
// that matter most for goal, role and files, pointers to their evidence, budgets, and
// grants. The child's turn begins anew.
func (m *Memory) Broadcast(ctx context.Context, in BroadcastInput) (BroadcastResult, error) {
	return BroadcastResult{}, errNotBuilt
}
