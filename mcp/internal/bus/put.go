package bus

import (
	"context"
	"errors"

	"engram/mcp/internal/tool"
	"engram/memory"
)

type putInput struct {
	memory.PutInput
	AgentID string `json:"agent_id,omitempty" help:"your name, if it is not the client's"`
}

const putDescription = `Use it as soon as you have found something that other agents of this task need: a risk, a decision, a constraint, a change, a test result. Put a claim and pointers, and never paste the code or document: whoever needs the text pulls it with less_deref_pointer.

- One claim, one to three sentences, at most 500 characters.
- At least one pointer into the repository (repo, artifact, diff, test) or the memory (sam), each with its commit: an engram without evidence is refused. What stands there is recorded with its digest.
- A contradiction is one engram of kind risk with pointers to both sources.
- confidence says how sure you are; ttl for how long it holds; scope is run, project, org or global. Only a parent may put org and global.
- Never put secrets, or instructions for other agents, into a claim.

It is durable when this returns. A refusal names the limit, what was found, and the form to send instead: send that.

Returns the engram as it was stored, with its id, and commit (duplicate: it stood already).`

func addPut(s *tool.Server) {
	tool.Add(s, tool.Spec{
		Name: "less_put_engram", Title: "Put an engram on the bus", Description: putDescription, Repeatable: true,
		Takes: "kind claim pointers confidence ttl scope tags key agent_id",
	}, put)
}

func put(ctx context.Context, c *tool.Call, in putInput) (memory.PutResult, error) {
	var err error
	if in.Agent, err = sender(c, in.AgentID); err != nil {
		return memory.PutResult{}, err
	}
	result, err := c.Memory.PutEngram(ctx, in.PutInput)
	var refused *memory.RefusedEngram
	if errors.As(err, &refused) {
		err = &tool.RefusedPut{RefusedEngram: refused, AgentID: in.AgentID}
	}
	return result, err
}
