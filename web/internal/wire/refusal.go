package wire

import (
	"errors"
	"fmt"
	"net/http"

	"engram/memory"
)

// RefusedMessage reports a message that was not stored; its verdict says why, and what to
// send instead.
type RefusedMessage struct{ Verdict memory.Verdict }

func (e *RefusedMessage) Error() string {
	if len(e.Verdict.Refusals) == 0 {
		return "the message was refused"
	}
	first := e.Verdict.Refusals[0]
	if more := len(e.Verdict.Refusals) - 1; more > 0 {
		return fmt.Sprintf("%s (and %d more)", first.Error(), more)
	}
	return first.Error()
}

// Unwrap returns the first refusal.
func (e *RefusedMessage) Unwrap() error {
	if len(e.Verdict.Refusals) == 0 {
		return nil
	}
	return &e.Verdict.Refusals[0]
}

// refused is what a budget refused, and what to send instead: all of a message as its
// text, all of another body as its object, or nothing.
type refused struct {
	refusals []memory.Refusal
	resend   any
}

// refusalsOf are the refusals in an error, if it has any.
func refusalsOf(err error) (r refused) {
	var (
		message *RefusedMessage
		engram  *memory.RefusedEngram
		one     *memory.Refusal
	)
	switch {
	case errors.As(err, &message):
		r.refusals = message.Verdict.Refusals
		if message.Verdict.Resend != "" {
			r.resend = message.Verdict.Resend
		}
	case errors.As(err, &engram):
		r.refusals = engram.Refusals
		if engram.Resend != nil {
			r.resend = engram.Resend
		}
	case errors.As(err, &one):
		r.refusals = []memory.Refusal{*one}
	}
	return r
}

// hint says what to do about refusals; the form to send is beside it.
func (r refused) hint() string {
	switch {
	case r.resend != nil:
		return "send what resend says instead; the same again is refused again"
	case r.refusals[0].Code == memory.DerefDenied && r.refusals[0].Resend != "":
		return "ask the parent for a grant, with refusals[0].resend in your message, and send its budget_token"
	case r.refusals[0].Code == memory.DerefDenied:
		return "ask the parent for a grant, and send its budget_token"
	}
	return "refusals say what is wrong and where; /openapi.json and /schemas have the form"
}

// refusalStatus is the HTTP status of a refusal's code.
func refusalStatus(code string) int {
	switch code {
	case memory.BudgetExceeded:
		return http.StatusRequestEntityTooLarge
	case memory.Invalid:
		return http.StatusUnprocessableEntity
	}
	return http.StatusForbidden
}
