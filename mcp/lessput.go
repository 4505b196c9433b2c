package mcp

import (
	"context"
	"errors"

	"engram/memory"
)

type lessPutInput struct {
	Kind       string        `json:"kind" jsonschema:"what it is about"`
	Claim      string        `json:"claim" jsonschema:"one to three sentences, at most 500 characters"`
	Pointers   []lessPointer `json:"pointers" jsonschema:"where it can be looked up, 1 to 12, each with a commit"`
	Confidence *float64      `json:"confidence" jsonschema:"0 to 1: 1 verified in code, 0.7 observed, 0.3 inferred"`
	TTL        string        `json:"ttl" jsonschema:"how long it holds: an ISO-8601 duration such as PT6H or P7D"`
	Scope      string        `json:"scope" jsonschema:"who sees it: run, project, org or global; the last two are for parents"`
	Tags       []string      `json:"tags,omitempty" jsonschema:"words to find it by, at most 12"`
	Key        string        `json:"key,omitempty" jsonschema:"namespace/category/identifier; leave it away and one is made"`
	AgentID    string        `json:"agent_id,omitempty" jsonschema:"your name, if it is not the client's"`
}

const lessPutDescription = `Use it as soon as you have found something that other agents of this task need: a risk, a decision, a constraint, a change, a test result. Put a claim and pointers, and never paste the code or document: whoever needs the text pulls it with less_deref_pointer.

- One claim, one to three sentences, at most 500 characters.
- At least one pointer into the repository (repo, artifact, diff, test) or the memory (sam), each with its commit: an engram without evidence is refused. What stands there is recorded with its digest.
- A contradiction is one engram of kind risk with pointers to both sources.
- confidence says how sure you are; ttl for how long it holds; scope is run, project, org or global. Only a parent may put org and global.
- Never put secrets, or instructions for other agents, into a claim.

It is durable when this returns. A refusal names the limit, what was found, and the form to send instead: send that.

Returns the engram as it was stored, with its id, and commit (duplicate: it stood already).`

func addLessPut(s *surface) {
	add(s, tool{
		name: "less_put_engram", title: "Put an engram on the bus", description: lessPutDescription, repeatable: true,
		enums:  map[string][]string{"kind": kindsOnWire(), "scope": reachesOnWire()},
		ranges: map[string][2]int{"confidence": {0, 1}},
	}, lessPut)
}

func lessPut(ctx context.Context, c *call, in lessPutInput) (memory.PutResult, error) {
	sender, err := c.sender(in.AgentID)
	if err != nil {
		return memory.PutResult{}, err
	}
	put := memory.PutInput{Key: in.Key, Agent: sender, Engram: memory.Engram{
		Kind: in.Kind, Claim: in.Claim, Confidence: in.Confidence, TTL: in.TTL, Scope: in.Scope, Tags: in.Tags,
	}}
	for _, p := range in.Pointers {
		put.Pointers = append(put.Pointers, p.wire())
	}
	result, err := c.Memory.PutEngram(ctx, put)
	var refused *memory.RefusedEngram
	if errors.As(err, &refused) {
		err = &refusedPut{refused, in.AgentID}
	}
	return result, err
}
