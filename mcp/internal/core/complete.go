package core

import (
	"context"
	"slices"
	"strings"
	"unicode"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"engram/mcp/internal/tool"
	"engram/memory"
)

// maxCompletions is how many values the protocol lets one answer have.
const maxCompletions = 100

// complete proposes keys of facts for the resource, and scopes in use for
// prompts. It proposes nothing if the memory cannot be read: completion is a
// convenience.
func complete(ctx context.Context, s *tool.Server, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	argument, scopes := req.Params.Argument, false
	switch {
	case req.Params.Ref.Type == "ref/resource" && argument.Name == "key":
	case req.Params.Ref.Type == "ref/prompt" && argument.Name == "scope":
		scopes = true
	default:
		return completions(nil, 0), nil
	}
	found, err := tool.Use(ctx, s, tool.Client{Info: req.ClientInfo(), Session: req.Session}, func(c *tool.Call) (memory.NamesResult, error) {
		return c.Memory.Names(ctx, memory.NamesInput{Contains: argument.Value, Scopes: scopes, Limit: maxCompletions, AskedBy: c.Caller})
	})
	if err != nil {
		return completions(nil, 0), nil
	}
	// A value goes into a prompt as it is, and a file made by hand may say anything.
	names := slices.DeleteFunc(found.Names, func(name string) bool {
		return strings.ContainsFunc(name, func(r rune) bool {
			return unicode.IsSpace(r) || !unicode.IsPrint(r) || strings.ContainsRune("<>`\"", r)
		})
	})
	return completions(names, found.Total), nil
}

func completions(values []string, total int) *sdk.CompleteResult {
	return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: append([]string{}, values...), Total: total, HasMore: total > len(values)}}
}
