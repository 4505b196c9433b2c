package memory

import "context"

// TaskInput is a task for an agent (seed 3's delegation).
type TaskInput struct {
	Flow   string `json:"flow"` // what it belongs to, a slug
	ID     string `json:"id"`   // of the task within it, a slug
	Child  string `json:"child"`
	Parent string `json:"parent,omitempty"`
	Task   string `json:"task"` // its claim; what is longer than a claim goes to the detail
	Detail string `json:"detail,omitempty"`
}

// TaskResult is where the task stands, and what to tell the agent.
type TaskResult struct {
	Answer
	Key    string `json:"key"` // sdd/FLOW/ID/CHILD
	Prompt string `json:"prompt"`
	FactID string `json:"fact_id"`
}

// Delegate states a task as a fact. The prompt names its key and nothing of its
// content.
func (m *Memory) Delegate(ctx context.Context, in TaskInput) (TaskResult, error) {
	return TaskResult{}, errNotBuilt
}

// ReportInput is the result of a task.
type ReportInput struct {
	Key      string    `json:"key"`
	Result   string    `json:"result"`
	Detail   string    `json:"detail,omitempty"`
	Agent    string    `json:"agent,omitempty"`
	Pointers []Pointer `json:"pointers,omitempty"`
}

// Report states the result of a task under the task's key, of which it is the next
// version.
func (m *Memory) Report(ctx context.Context, in ReportInput) (CommitResult, error) {
	return CommitResult{}, errNotBuilt
}
