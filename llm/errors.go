package llm

import (
	"errors"
	"fmt"
	"strings"

	"engram/facts"
)

// Causes of a failed call; an *Error unwraps to one of them.
var (
	// ErrRefused reports that the model, or a filter in front of it, declined to answer.
	ErrRefused = errors.New("the model refused to answer")
	// ErrBusy reports that the endpoint limits the rate or is overloaded (429, 503, 529).
	ErrBusy = errors.New("the model's endpoint is busy")
	// ErrAnswer reports an answer with a bad status, outside the protocol, too long, or cut
	// off.
	ErrAnswer = errors.New("the model's endpoint gave no usable answer")
	// ErrUnreachable reports that the network failed, or the time ran out, before the whole
	// answer had arrived. The error also unwraps to the cause, such as
	// context.DeadlineExceeded.
	ErrUnreachable = errors.New("the model's endpoint did not answer")
)

const (
	maxMessage = 200 // characters shown of a server's message
	runOfKey   = 12  // consecutive bytes that reveal a part of the key
	runOfText  = 24  // consecutive bytes that count as repeating the question
	withheld   = "its message repeats the question or the key and is not shown"
)

// Error is a failed call. Its text contains neither the key, the question nor control
// characters, so it may be printed and logged.
type Error struct {
	Status  int    // of the answer; 0 if there was none
	Message string // from the server or the network, cleaned and cut to 200 characters; may be ""
	kind    error  // one of the sentinels
	cause   error  // may be nil
}

// Error returns what happened, with the status and the message if there are any.
func (e *Error) Error() string {
	text := e.kind.Error()
	if e.Status != 0 {
		text += fmt.Sprintf(": status %d", e.Status)
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Unwrap returns the sentinel and, if there is one, the cause. The cause is for errors.Is
// and errors.As: its own text is not cleaned.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.kind}
	}
	return []error{e.kind, e.cause}
}

// guard makes the message safe to show: one line of at most maxMessage characters, or none
// of it if it repeats a part of what was sent.
func (e *Error) guard(key string, sent ...string) {
	// The text after the cut counts too: half a key may be before the cut.
	message := facts.Cut(facts.OneLine(e.Message), 2*maxMessage)
	bad := repeats(message, key, runOfKey)
	for _, text := range sent {
		bad = bad || repeats(message, facts.OneLine(text), runOfText)
	}
	if bad {
		message = withheld
	}
	e.Message = facts.Cut(message, maxMessage)
}

// repeats reports whether n consecutive bytes of message occur in text, or all of a shorter
// text.
func repeats(message, text string, n int) bool {
	n = min(n, len(text))
	for i := 0; n > 0 && i+n <= len(message); i++ {
		if strings.Contains(text, message[i:i+n]) {
			return true
		}
	}
	return false
}
