package mcp

import (
	"context"
	"maps"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"engram/memory"
)

// maxCompletions is how many values the protocol lets one answer have.
const maxCompletions = 100

// complete proposes keys of facts for the resource, and scopes in use for
// prompts. It proposes nothing where the memory cannot be read: completion is a
// convenience.
func (s *surface) complete(ctx context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	var of func(memory.Fact) string
	switch req.Params.Argument.Name {
	case "key":
		of = func(f memory.Fact) string { return f.Key.String() }
	case "scope":
		of = func(f memory.Fact) string { return f.Scope }
	default:
		return completions(nil), nil
	}
	list, err := use(ctx, s, req.ClientInfo(), func(c *call) (memory.ListResult, error) {
		return c.Memory.List(ctx, memory.ListInput{AskedBy: c.agent})
	})
	if err != nil {
		return completions(nil), nil
	}
	values := make(map[string]bool)
	for _, f := range list.Facts {
		if v := of(f); v != "" && strings.HasPrefix(v, req.Params.Argument.Value) {
			values[v] = true
		}
	}
	return completions(slices.Sorted(maps.Keys(values))), nil
}

func completions(values []string) *sdk.CompleteResult {
	total := len(values)
	if total > maxCompletions {
		values = values[:maxCompletions]
	}
	return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: append([]string{}, values...), Total: total, HasMore: total > maxCompletions}}
}
