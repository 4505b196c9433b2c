package tool

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Hiding removes the secrets of a request from the error that answers it, whether a tool, a
// resource or the protocol says it.
func Hiding(hide func(message string, said ...string) string) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			result, err := next(ctx, method, req)
			called, _ := result.(*sdk.CallToolResult)
			if err == nil && (called == nil || !called.IsError) {
				return result, nil
			}
			said, _ := json.Marshal(req.GetParams()) // what came as JSON is JSON again
			if err != nil {
				return result, hidden(err, hide(err.Error(), string(said)), func(text string) string { return hide(text, string(said)) })
			}
			for _, content := range called.Content {
				if text, ok := content.(*sdk.TextContent); ok {
					text.Text = hide(text.Text, string(said))
				}
			}
			return result, nil
		}
	}
}

// hidden is an error with a clean message, and with the code that it has.
func hidden(err error, message string, hide func(string) string) error {
	if message == err.Error() {
		return err
	}
	if coded, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return &jsonrpc.Error{Code: coded.Code, Message: hide(coded.Message)}
	}
	return errors.New(message)
}
