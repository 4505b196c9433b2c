package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// atWork is how many requests of one client over stdio are worked on at a time. More would not
// end sooner: they share one disk and one lock of writers. Each may run a few gits.
const atWork = 8

// takingTurns lets at most n requests that do work run at a time; others wait, those that came
// first before those that came later, until the client cancels them or goes.
func takingTurns(n int) sdk.Middleware {
	places := make(chan struct{}, n)
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			switch method {
			case "tools/call", "resources/read", "prompts/get", "completion/complete":
			default:
				return next(ctx, method, req)
			}
			select {
			case places <- struct{}{}: // a channel serves its senders in their order
				defer func() { <-places }()
				return next(ctx, method, req)
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		}
	}
}
