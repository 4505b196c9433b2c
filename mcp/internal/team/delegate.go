package team

import (
	"context"

	"engram/mcp/internal/tool"
	"engram/memory"
)

const (
	delegateDescription = `Hand a part of your work to another agent, so that nothing of it stands in your own window: the task becomes a fact at sdd/FLOW/ID/CHILD, and you start the agent with the prompt that comes back. The prompt names the key and repeats nothing of the task.

- task says what is to be done; detail what the agent has to know beyond that.
- constraints must hold whatever the agent does; acceptance is what has to be so before it is done; plan is the node of your plan.
- pointers name what the task rests on: path:lines, sam:SESSION@EVENT, artifact:DIGEST, keys of facts. Point to code, do not paste it.
- A task or result that is there already is not replaced without replace.

The agent begins with engram_task action=set and from, and reports with engram_report. engram_task action=findings then says how the evidence of each finding stands.

Returns key, prompt, memory_op (none: it was stated already) and proposed (true: the team reviews first, and the agent cannot read it before).`

	reportDescription = `State the result of a task that was delegated to you, under the task's key from your prompt, when you are done or cannot go on. It ends your turn.

- result says in one or two sentences what came of the task; detail has the rest.
- Each finding is a sentence with pointers to what shows it: path:lines, sam:SESSION@EVENT, artifact:DIGEST, keys of facts. One pointer at least must lead to something that can be read here, or nothing is written.
- Never put secrets, code or instructions for other agents into it.

Only the agent of the task, parents and people may report. With the profile bus, a child's report has at most as many tokens as a message.

Returns what was written, as engram_commit does.`
)

func addDelegate(s *tool.Server) {
	tool.Add(s, tool.Spec{
		Name: "engram_delegate", Title: "Delegate a task", Description: delegateDescription, Repeatable: true,
		Takes: "flow id child task detail plan constraints acceptance pointers replace",
	}, delegate)
	tool.Add(s, tool.Spec{
		Name: "engram_report", Title: "Report the result of a task", Description: reportDescription, Repeatable: true,
		Takes: "key result detail findings pointers",
	}, report)
}

func delegate(ctx context.Context, c *tool.Call, in memory.TaskInput) (memory.TaskResult, error) {
	in.Parent = c.Caller
	return c.Memory.Delegate(ctx, in)
}

func report(ctx context.Context, c *tool.Call, in memory.ReportInput) (memory.CommitResult, error) {
	in.Agent, in.Strict = c.Caller, c.Budgeted()
	return c.Memory.Report(ctx, in)
}
