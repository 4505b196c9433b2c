package memory

import (
	"errors"
	"fmt"
	"strings"

	"engram/facts"
	"engram/internal/hint"
)

// usageError is a request that makes no sense as it is. Its message is for people
// on every surface; hint says how to ask instead, and may be zero.
type usageError struct {
	message string
	hint    hint.Hint
	cause   error // nil, or what found it
}

func (e *usageError) Error() string { return e.message }

// Is makes it an ErrUsage.
func (e *usageError) Is(target error) bool { return target == ErrUsage }

func (e *usageError) Unwrap() error { return e.cause }

// wrong refuses a request. The message is a format; what it wraps stays found.
func wrong(h hint.Hint, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &usageError{message: err.Error(), hint: h, cause: errors.Unwrap(err)}
}

// Hints of several requests.
var (
	budgetHint   = hint.New("omit %s to use the default, or state one above 0", hint.Budget)
	oneOfTwoHint = hint.New("omit one of the two")
)

func omit(f hint.Field) hint.Hint { return hint.New("omit %s to use the default", f) }

func versionsHint(key facts.Key) hint.Hint {
	return hint.New("%s shows its versions", hint.Do(hint.ShowLog, key))
}

func invitationsHint() hint.Hint {
	return hint.New("%s lists the invitations", hint.Do(hint.ListInvitations))
}

// nearestHint names the word that was probably meant; it is zero if none is near.
func nearestHint[T ~string](given string, words []T) hint.Hint {
	const most = 2 // letters that differ
	for _, word := range words {
		if len(given) <= 40 && facts.EditDistance(strings.ToLower(given), string(word)) <= most {
			return hint.New("did you mean %s?", word)
		}
	}
	return hint.Hint{}
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
