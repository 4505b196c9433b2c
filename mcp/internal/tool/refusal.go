package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"engram/memory"
)

// RefusedMessage reports a message that was not stored.
type RefusedMessage struct{ Verdict memory.Verdict }

func (e *RefusedMessage) Error() string { return "the message was refused, and nothing was stored" }

// Unwrap returns the first refusal.
func (e *RefusedMessage) Unwrap() error {
	if len(e.Verdict.Refusals) == 0 {
		return nil
	}
	return &e.Verdict.Refusals[0]
}

// RefusedPut reports an engram that was not stored.
type RefusedPut struct {
	*memory.RefusedEngram
	AgentID string // as the caller stated it
}

func (e *RefusedPut) Unwrap() error { return e.RefusedEngram }

// arguments are those of the call to make instead; "" if there is none.
func (e *RefusedPut) arguments() string {
	if e.Resend == nil {
		return ""
	}
	text, _ := json.Marshal(struct { // plain values
		*memory.PutInput
		AgentID string `json:"agent_id,omitempty"`
	}{e.Resend, e.AgentID})
	return string(text)
}

// refusalText says, in place of a hint, which limits were exceeded and what to send
// instead; "" if there is nothing to send.
func refusalText(err error) string {
	var (
		message *RefusedMessage
		engram  *RefusedPut
		one     *memory.Refusal
		b       strings.Builder
	)
	switch {
	case errors.As(err, &message):
		writeRefusals(&b, message.Verdict.Refusals, message.Verdict.Resend)
	case errors.As(err, &engram):
		writeRefusals(&b, engram.Refusals, engram.arguments())
	case errors.As(err, &one) && one.Resend != "" && one.Code == memory.DerefDenied:
		b.WriteString("\nhint: ask the parent, with this in your message:\n" + one.Resend)
	case errors.As(err, &one) && one.Resend != "":
		b.WriteString("\nhint: send this instead:\n" + one.Resend)
	}
	return b.String()
}

// writeRefusals lists refusals, and then the whole text to send instead; without one,
// each refusal has its own.
func writeRefusals(b *strings.Builder, refusals []memory.Refusal, whole string) {
	for _, r := range refusals {
		fmt.Fprintf(b, "\n- %s", limitText(r))
		if whole == "" && r.Resend != "" { // else it is part of that
			fmt.Fprintf(b, "; in its place:\n%s", strings.TrimSuffix(r.Resend, "\n"))
		}
	}
	if whole != "" {
		b.WriteString("\nhint: send this instead:\n" + whole)
	}
}

func limitText(r memory.Refusal) string {
	text := r.Error()
	if r.Path != "" {
		text = r.Path + ": " + text
	}
	if r.Name != "" {
		text += fmt.Sprintf(" (%s %d, allowed %d)", r.Name, r.Amount, r.Limit)
	}
	return text
}
