package gateway

import (
	"context"

	"engram/memory"
	"engram/web/internal/wire"
)

// recallEvents is POST /recall.
func recallEvents(ctx context.Context, r *request) (any, error) {
	in, err := wire.Body[memory.RecallInput](r.Request)
	if err != nil {
		return nil, err
	}
	if in.AskedBy, err = r.agent(""); err != nil {
		return nil, err
	}
	return r.memory.Recall(ctx, in)
}

// showTask is GET /tasks/{task}.
func showTask(ctx context.Context, r *request) (any, error) {
	in, err := r.taskQuery()
	if err != nil {
		return nil, err
	}
	return r.memory.TaskState(ctx, in)
}

// taskHistory is GET /tasks/{task}/history.
func taskHistory(ctx context.Context, r *request) (any, error) {
	in, err := r.taskQuery()
	if err != nil {
		return nil, err
	}
	return r.memory.TaskHistory(ctx, in)
}

func (r *request) taskQuery() (memory.TaskStateInput, error) {
	in, err := wire.Query[memory.TaskStateInput](r.Request, "session_id")
	if err != nil {
		return in, err
	}
	in.Task = r.PathValue("task")
	in.AskedBy, err = r.agent("")
	return in, err
}

// setTask is POST /tasks/{task}: the fields that the body has are changed.
func setTask(ctx context.Context, r *request) (any, error) {
	in, err := wire.Body[memory.SetTaskStateInput](r.Request)
	if err != nil {
		return nil, err
	}
	if in.Task != "" && in.Task != r.PathValue("task") {
		return nil, wire.BadRequest("the body names another task than the path", "omit task")
	}
	if in.Agent, err = r.agent(in.Agent); err != nil {
		return nil, err
	}
	in.Task, in.AskedBy = r.PathValue("task"), in.Agent
	return r.memory.SetTaskState(ctx, in)
}
