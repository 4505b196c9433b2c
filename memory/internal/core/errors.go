package core

import (
	"errors"
	"fmt"
	"strings"

	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
)

// What can be wrong with a request, beyond what packages below report.
var (
	// ErrUsage: the request makes no sense as it is.
	ErrUsage = errors.New("wrong usage")
	// ErrNotMemory: the branch exists but is no engram branch of a known format.
	ErrNotMemory = errors.New("not an engram branch")
	// ErrNotFound: no fact has that key or lineage.
	ErrNotFound = errors.New("no such fact")
	// ErrUnreadable: the file at that key is not a fact, and must not be overwritten.
	ErrUnreadable = errors.New("the file at that key is not a fact")
	// ErrNotRepository: the folder is in no git repository.
	ErrNotRepository = gitstore.ErrNotRepository
	// ErrNoBranch: the repository has no memory yet.
	ErrNoBranch = gitstore.ErrNoBranch
	// ErrEmptyRemote: the memory branch would become a remote's first branch.
	ErrEmptyRemote = errors.New("the memory would become the first branch")
)

// UsageError rejects a request that makes no sense. Its message is for people on every
// surface; Hint says what to ask instead, and may be zero.
type UsageError struct {
	message string
	Hint    hint.Hint
	cause   error // nil, or what found it
}

// UsageErrorf returns a *UsageError. The message is a format as of fmt.Errorf; an error
// that it wraps with %w can be unwrapped.
func UsageErrorf(h hint.Hint, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &UsageError{message: err.Error(), Hint: h, cause: errors.Unwrap(err)}
}

// SessionRemoteError says that the repository has no remote to exchange sessions with.
type SessionRemoteError struct{ Err error }

func (e *SessionRemoteError) Error() string { return e.Err.Error() }
func (e *SessionRemoteError) Unwrap() error { return e.Err }

// NotFoundError says that a pointer points at nothing. Its message is for people on
// every surface; Hint says where to look instead, and may be zero.
type NotFoundError struct {
	Message string
	Hint    hint.Hint
	Unknown bool // the commit is not here, so that nobody knows
}

// NotFoundErrorf returns a *NotFoundError.
func NotFoundErrorf(h hint.Hint, format string, args ...any) error {
	return &NotFoundError{Message: fmt.Sprintf(format, args...), Hint: h}
}

func (e *NotFoundError) Error() string { return e.Message }

// Is makes it an ErrNotFound.
func (e *NotFoundError) Is(target error) bool { return target == ErrNotFound }

// Code classifies an error. Surfaces map it to exit statuses, HTTP statuses
// and tool errors; docs/errors.md has the table.
type Code string

// The codes, with the exit status the command line gives them.
const (
	CodeNo        Code = "no"        // 1: the answer is no
	CodeUsage     Code = "usage"     // 2: wrong usage or configuration
	CodeUnusable  Code = "unusable"  // 3: the repository or branch cannot be used
	CodeRefused   Code = "refused"   // 4: refused by policy
	CodeLost      Code = "lost"      // 5: lost to others after all retries
	CodeCancelled Code = "cancelled" // 130
	CodeFailure   Code = "failure"   // anything else
)

// ErrNotPublished: facts were to be published that must not be; nothing was.
var ErrNotPublished = errors.New("not published")

func (e *UsageError) Error() string { return e.message }

// Is makes it an ErrUsage.
func (e *UsageError) Is(target error) bool { return target == ErrUsage }

func (e *UsageError) Unwrap() error { return e.cause }

// Hints of several requests.
var (
	BudgetHint   = hint.New("omit %s to use the default, or state one above 0", hint.Budget)
	OneOfTwoHint = hint.New("omit one of the two")
)

// OmitHint says that a field has a default.
func OmitHint(f hint.Field) hint.Hint { return hint.New("omit %s to use the default", f) }

// VersionsHint names the command that shows the versions of a key.
func VersionsHint(key facts.Key) hint.Hint {
	return hint.New("%s shows its versions", hint.Do(hint.ShowLog, key))
}

// InvitationsHint names the command that lists the invitations.
func InvitationsHint() hint.Hint {
	return hint.New("%s lists the invitations", hint.Do(hint.ListInvitations))
}

// PermissionHint says who can lift a refusal.
func PermissionHint(e *PermissionError) hint.Hint {
	if e.Policy {
		return hint.New("let a person change it")
	}
	return hint.New("permissions in engram.yml on the memory branch say who may; %s shows them", hint.Do(hint.ShowPolicy))
}

// DidYouMean suggests the word that was probably meant; it is zero if none is near.
func DidYouMean[T ~string](given string, words []T) hint.Hint {
	const most = 2 // letters that differ
	for _, word := range words {
		if len(given) <= 40 && facts.EditDistance(strings.ToLower(given), string(word)) <= most {
			return hint.New("did you mean %s?", word)
		}
	}
	return hint.Hint{}
}
