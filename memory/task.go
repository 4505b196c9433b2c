package memory

import (
	"context"

	"engram/memory/internal/task"
	"engram/session"
)

type (
	// TaskStateInput names a task.
	TaskStateInput = task.Input
	// SetTaskStateInput is a new state of a task.
	SetTaskStateInput = task.SetInput
	// TaskVersion is one state of a task.
	TaskVersion = task.Version
	// TaskStateResult is the state of a task as it is now.
	TaskStateResult = task.Result
	// TaskHistory is all states of a task, the oldest first.
	TaskHistory = task.History
	// TaskState is what a state says.
	TaskState = session.TaskState
)

// TaskSchema returns the JSON Schema of the state of a task.
func TaskSchema() []byte { return session.TaskSchema }

// ParseTaskState reads the state of a task, and says what is wrong with it.
func ParseTaskState(text []byte) (TaskState, error) { return session.ParseTaskState(text) }

// TaskState returns the state of a task. One without a state is no error.
func (m *Memory) TaskState(ctx context.Context, in TaskStateInput) (TaskStateResult, error) {
	return m.task.Find(ctx, in)
}

// Tasks returns the tasks whose states an agent may see, each with its state as it is now, the
// newest first.
func (m *Memory) Tasks(ctx context.Context, agent string) ([]TaskVersion, error) {
	return m.task.All(ctx, agent)
}

// TaskHistory returns the states that a task has had.
func (m *Memory) TaskHistory(ctx context.Context, in TaskStateInput) (TaskHistory, error) {
	return m.task.History(ctx, in)
}

// SetTaskState writes a new state of a task. It is durable when SetTaskState returns.
func (m *Memory) SetTaskState(ctx context.Context, in SetTaskStateInput) (TaskStateResult, error) {
	return m.task.Set(ctx, in)
}
