package memory

import (
	"errors"
	"fmt"

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
	// ErrUnreadable: a file at that key is no fact, and must not be overwritten.
	ErrUnreadable = errors.New("the file at that key is no fact")
	// ErrNotRepository: the folder is in no git repository.
	ErrNotRepository = gitstore.ErrNotRepository
	// ErrNoBranch: the repository has no memory yet.
	ErrNoBranch = gitstore.ErrNoBranch
	// ErrEmptyRemote: the memory branch would become a remote's first branch.
	ErrEmptyRemote = errors.New("the memory would become the first branch")
)

// SecretError refuses a text that holds a secret, without repeating it.
type SecretError struct {
	Field string
	Rule  string // the pattern that matched
	Line  int    // of an import; 0 elsewhere
}

func (e *SecretError) Error() string {
	return fmt.Sprintf("%s looks like a secret (pattern: %s); nothing was written", e.Field, e.Rule)
}

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

// Classify finds the code of an error and what to do next, which may be the zero hint.
// It asks the rows of classes in order.
func Classify(err error) (Code, hint.Hint) {
	for _, c := range classes() {
		if advice, ok := c.match(err); ok {
			return c.code, advice
		}
	}
	return CodeFailure, hint.Hint{}
}
