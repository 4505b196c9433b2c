// Package core is what every client sees: the tools for asking, writing and settling,
// the resources and the prompts.
package core

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"engram/mcp/internal/tool"
)

// Add gives a server the core tools, the resources and the prompts.
func Add(s *tool.Server) {
	addStatus(s)
	addQuery(s)
	addCommit(s)
	addConflicts(s)
	addResolve(s)
	addJudge(s)
	addGet(s)
	addRecall(s)
	addResources(s)
	addPrompts(s)
}

// Complete proposes values for the arguments of the resource and the prompts.
func Complete(s *tool.Server) func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	return func(ctx context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
		return complete(ctx, s, req)
	}
}
