package gateway

import (
	"context"
	"encoding/json"
	"io"

	"engram/memory"
	"engram/web/internal/wire"
)

// TokenHeader carries a budget token beside a message, for code in it; it may be
// repeated.
const TokenHeader = "Engram-Budget-Token"

// validateMessage is POST /message/validate. It answers a question, so a message that
// would be refused is 200 with ok false.
func validateMessage(ctx context.Context, r *request) (any, error) {
	in, err := r.message()
	if err != nil {
		return nil, err
	}
	return r.memory.ValidateMessage(ctx, in)
}

// submitMessage is POST /message/submit: a child's message is taken, or refused
// with the form in which to send it again.
func submitMessage(ctx context.Context, r *request) (any, error) {
	in, err := r.message()
	if err != nil {
		return nil, err
	}
	return r.submit(ctx, in)
}

func (r *request) submit(ctx context.Context, in memory.MessageInput) (any, error) {
	result, err := r.memory.Submit(ctx, in)
	if err == nil && !result.Verdict.OK {
		err = &wire.RefusedMessage{Verdict: result.Verdict}
	}
	return result, err
}

// message reads a body that is a message itself.
func (r *request) message() (memory.MessageInput, error) {
	in := memory.MessageInput{BudgetTokens: r.Header.Values(TokenHeader)}
	if err := wire.NoQuery(r.Request); err != nil {
		return in, err
	}
	if err := wire.WantType(r.Request, "application/json", "application/yaml", "application/x-yaml", "text/yaml"); err != nil {
		return in, err
	}
	var err error
	if in.Agent, err = r.agent(""); err != nil {
		return in, err
	}
	if in.Text, err = io.ReadAll(r.Body); err != nil {
		return in, err
	}
	if wire.WantType(r.Request, "application/json") == nil && !json.Valid(in.Text) {
		return in, wire.BadRequest("the body is not JSON", "send the message as JSON, or as YAML with Content-Type: application/yaml")
	}
	return in, nil
}
