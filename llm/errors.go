package llm

import (
	"errors"
	"fmt"
	"strings"

	"engram/facts"
)

// Why a call failed; an *Error unwraps to one of them.
var (
	// ErrRefused: the model, or a filter in front of it, declined to answer.
	ErrRefused = errors.New("the model refused to answer")
	// ErrBusy: the endpoint limits the rate or is overloaded (429, 503, 529).
	ErrBusy = errors.New("the model's endpoint is busy")
	// ErrAnswer: the endpoint answered with a bad status, with something that is
	// not of the protocol, with too much, or with a text that was cut off.
	ErrAnswer = errors.New("the model's endpoint gave no usable answer")
	// ErrUnreachable: the network failed, or the time ran out, before the whole
	// answer was there. The error then unwraps to the cause as well, such as
	// context.DeadlineExceeded.
	ErrUnreachable = errors.New("the model's endpoint did not answer")
)

const (
	maxMessage = 200 // characters of what a server says that are shown
	runOfKey   = 12  // bytes in a row that give a part of the key away
	runOfText  = 24  // bytes in a row that count as repeating the question
	withheld   = "its message repeats the question or the key and is not shown"
)

// Error is a call that failed. Its text has neither the key nor the question in
// it, and no control characters, so it may be printed and logged.
type Error struct {
	Status  int    // of the answer; 0 if there was none
	Message string // what the server or the network said, cleaned and cut to 200 characters; may be ""
	kind    error  // one of the sentinels
	cause   error  // beneath it; may be nil
}

// Error says what happened, with the status and the message there are.
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

// Unwrap gives the sentinel and, if there is one, the cause. The cause is for
// errors.Is and errors.As: its own text is not cleaned.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.kind}
	}
	return []error{e.kind, e.cause}
}

// guard makes the message fit to be shown: one line of at most maxMessage
// characters, or nothing of it if it repeats a part of what was sent.
func (e *Error) guard(key string, sent ...string) {
	// What would be cut off counts too: half a key may stand before the cut.
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

// repeats reports whether n bytes in a row of message occur in text, or all of
// text where that is shorter.
func repeats(message, text string, n int) bool {
	n = min(n, len(text))
	for i := 0; n > 0 && i+n <= len(message); i++ {
		if strings.Contains(text, message[i:i+n]) {
			return true
		}
	}
	return false
}
