package web

import (
	"errors"
	"fmt"
	"net/http"

	"engram/memory"
)

// RefusedMessage is a message that was not taken; its verdict says why, and how to
// send it again.
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

// Unwrap makes it what its first refusal is.
func (e *RefusedMessage) Unwrap() error {
	if len(e.Verdict.Refusals) == 0 {
		return nil
	}
	return &e.Verdict.Refusals[0]
}

// refusalsOf are those of an error; none where no budget refused anything.
func refusalsOf(err error) memory.Verdict {
	var message *RefusedMessage
	if errors.As(err, &message) {
		return message.Verdict
	}
	var one *memory.Refusal
	if errors.As(err, &one) {
		return memory.Verdict{Refusals: []memory.Refusal{*one}, Resend: one.Resend}
	}
	return memory.Verdict{}
}

// refusalHint says what to do about refusals; the form to send is beside it.
func refusalHint(v memory.Verdict) string {
	switch {
	case v.Resend != "":
		return "send what resend says instead; the same again is refused again"
	case v.Refusals[0].Code == memory.DerefDenied:
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
