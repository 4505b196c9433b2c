package gateway

import (
	"context"

	"engram/memory"
	"engram/web/internal/wire"
)

// delegateTask is POST /delegation; only a parent may. 201 is a new task or one that took the
// place of another, 200 one that was stated already, 202 one that waits for a review.
func delegateTask(ctx context.Context, r *request) (any, error) {
	in, err := wire.Body[memory.TaskInput](r.Request)
	if err != nil {
		return nil, err
	}
	if in.Parent, err = r.agent(in.Parent); err != nil {
		return nil, err
	}
	in.Strict = true
	task, err := r.memory.Delegate(ctx, in)
	return created{writtenStatus(memory.CommitResult{Duplicate: task.MemoryOp == "none", Proposed: task.Proposed}), task}, err
}

// reportResult is POST /delegation/result, by the agent of the task or a parent. The statuses
// are those of delegateTask.
func reportResult(ctx context.Context, r *request) (any, error) {
	in, err := wire.Body[memory.ReportInput](r.Request)
	if err != nil {
		return nil, err
	}
	if in.Agent, err = r.agent(in.Agent); err != nil {
		return nil, err
	}
	in.Strict = true
	result, err := r.memory.Report(ctx, in)
	return created{writtenStatus(result), result}, err
}

// taskFindings is GET /delegation/findings: a result's findings, and how their evidence stands.
func taskFindings(ctx context.Context, r *request) (any, error) {
	in, err := wire.Query[memory.FindingsInput](r.Request, "key")
	if err != nil {
		return nil, err
	}
	if in.Key == "" {
		return nil, wire.BadRequest("key is missing", "it is the key of the task, sdd/FLOW/ID/CHILD")
	}
	if in.AskedBy, err = r.agent(""); err != nil {
		return nil, err
	}
	return r.memory.Findings(ctx, in)
}
