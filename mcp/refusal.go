package mcp

import (
	"errors"
	"fmt"
	"strings"

	"engram/memory"
)

// refusedMessage is a message that was not taken.
type refusedMessage struct{ verdict memory.Verdict }

func (e *refusedMessage) Error() string { return "the message was refused, and nothing was stored" }

// Unwrap makes it what its first refusal is.
func (e *refusedMessage) Unwrap() error {
	if len(e.verdict.Refusals) == 0 {
		return nil
	}
	return &e.verdict.Refusals[0]
}

// refusalText says, in the place of a hint, which limits were passed and how to send it
// again; "" where there is nothing to send.
func refusalText(err error) string {
	var (
		message *refusedMessage
		one     *memory.Refusal
		b       strings.Builder
	)
	switch {
	case errors.As(err, &message):
		for _, r := range message.verdict.Refusals {
			fmt.Fprintf(&b, "\n- %s", limitText(r))
			if message.verdict.Resend == "" && r.Resend != "" { // else it is part of that
				fmt.Fprintf(&b, "; in its place:\n%s", strings.TrimSuffix(r.Resend, "\n"))
			}
		}
		writeResend(&b, message.verdict.Resend)
	case errors.As(err, &one):
		writeResend(&b, one.Resend)
	}
	return b.String()
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

func writeResend(b *strings.Builder, resend string) {
	if resend != "" {
		b.WriteString("\nhint: send this instead:\n" + resend)
	}
}
