package memory

import (
	"errors"
	"fmt"
	"strings"

	"engram/facts"
)

// usageError is a request that makes no sense as it is. Its message is for people
// on every surface; hint says how to ask instead, and may be "".
type usageError struct {
	message, hint string
	cause         error // nil, or what found it
}

func (e *usageError) Error() string { return e.message }

// Is makes it an ErrUsage.
func (e *usageError) Is(target error) bool { return target == ErrUsage }

func (e *usageError) Unwrap() error { return e.cause }

// wrong refuses a request. The message is a format; what it wraps stays found.
func wrong(hint, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &usageError{message: err.Error(), hint: hint, cause: errors.Unwrap(err)}
}

// What several requests are told.
const (
	defaultBudgetHint = "a budget is above 0; leave it away for the default"
	oneMomentHint     = "leave one of the two away"
)

// nearestHint names the word that was probably meant; "" where none is near.
func nearestHint[T ~string](given string, words []T) string {
	const most = 2 // letters that differ
	for _, word := range words {
		if len(given) <= 40 && facts.EditDistance(strings.ToLower(given), string(word)) <= most {
			return "did you mean " + string(word) + "?"
		}
	}
	return ""
}

// listed names what may be chosen: "a, b or c".
func listed[T ~string](values []T) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	last := len(texts) - 1
	if last < 1 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}
