package core

import (
	"cmp"
	"context"
	"slices"

	"engram/facts"
	"engram/mcp/internal/sampling"
	"engram/mcp/internal/tool"
	"engram/memory"
)

// askModel puts the pairs that a commit left undecided to the client's model, if the
// configuration permits it and the client offers it, and reports whether it does. The verdicts
// are the model's; the permissions those of the agent that wrote.
func askModel(c *tool.Call, in memory.CommitInput, r memory.CommitResult) bool {
	if !c.Sampling {
		return false
	}
	var pairs []sampling.Pair
	for _, met := range slices.Concat(r.Likely, r.Related) {
		pairs = append(pairs, sampling.Pair{
			A: sampling.Claim{Key: r.Key, Text: facts.FoldSpace(in.Claim)}, B: sampling.Claim{Key: met.Key, Text: met.Claim},
		})
	}
	s, client := c.Server, c.Client
	return s.Models.Ask(client.Session, pairs, func(ctx context.Context, p sampling.Pair, v sampling.Verdict, model string) error {
		verdict := memory.PairVerdict{A: p.A.Key, B: p.B.Key, Verdict: v.Verdict, Reason: v.Reason, Newer: map[string]string{"a": p.A.Key, "b": p.B.Key}[v.Newer]}
		judge := cmp.Or(tool.AgentName(model), unnamedModel)
		_, err := tool.Use(ctx, s, client, func(c *tool.Call) (memory.JudgeResult, error) {
			return c.Memory.Judge(ctx, memory.JudgeInput{Verdicts: []memory.PairVerdict{verdict}, Agent: in.Agent, Model: judge})
		})
		return err
	})
}

// unnamedModel is the judge if a client does not say which model answered.
const unnamedModel = "model-of-the-client"
