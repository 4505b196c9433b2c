package web

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"engram/memory"
)

// TokenHeader carries a budget token beside a message, for code in it; it may be
// repeated.
const TokenHeader = "Engram-Budget-Token"

// validateMessage is POST /message/validate. It answers a question, so a message that
// would be refused is 200 with ok false.
func validateMessage(ctx context.Context, r *request) (int, any, error) {
	in, err := r.message()
	if err != nil {
		return 0, nil, err
	}
	result, err := r.memory.ValidateMessage(ctx, in)
	return http.StatusOK, result, err
}

// submitMessage is POST /message/submit: a child's message is taken, or refused
// with the form in which to send it again.
func submitMessage(ctx context.Context, r *request) (int, any, error) {
	in, err := r.message()
	if err != nil {
		return 0, nil, err
	}
	return r.submit(ctx, in)
}

func (r *request) submit(ctx context.Context, in memory.MessageInput) (int, any, error) {
	result, err := r.memory.Submit(ctx, in)
	if err == nil && !result.Verdict.OK {
		err = &RefusedMessage{result.Verdict}
	}
	return http.StatusOK, result, err
}

// message reads a body that is a message itself.
func (r *request) message() (memory.MessageInput, error) {
	in := memory.MessageInput{BudgetTokens: r.Header.Values(TokenHeader)}
	if _, err := r.params(); err != nil {
		return in, err
	}
	if err := wantType(r, "application/json", "application/yaml", "application/x-yaml", "text/yaml"); err != nil {
		return in, err
	}
	var err error
	if in.Agent, err = r.agent(""); err != nil {
		return in, err
	}
	if in.Text, err = io.ReadAll(r.Body); err != nil {
		return in, err
	}
	if wantType(r, "application/json") == nil && !json.Valid(in.Text) {
		return in, badRequest("the body is no JSON", "send the message as JSON, or as YAML with Content-Type: application/yaml")
	}
	return in, nil
}
