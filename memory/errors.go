package memory

import (
	"engram/internal/hint"
	"engram/memory/internal/class"
	"engram/memory/internal/core"
	"engram/memory/internal/resolve"
	"engram/memory/internal/review"
	"engram/memory/internal/share"
	"engram/memory/internal/transfer"
	"engram/memory/internal/write"
)

type (
	// Code classifies an error.
	Code = core.Code
	// PermissionError reports something that the team's policy does not permit
	// (docs/policy.md).
	PermissionError = core.PermissionError
	// SecretError reports a text that contains a secret, without repeating it.
	SecretError = core.SecretError
	// LeadError reports that an agent did what only a parent or a person may do.
	LeadError = write.LeadError
	// RateError reports that an agent has reached the team's limit of commits per hour.
	RateError = write.RateError
	// ImportError lists every record at fault; nothing was written.
	ImportError = transfer.ImportError
)

const (
	CodeNo        = core.CodeNo        // 1: the answer is no
	CodeUsage     = core.CodeUsage     // 2: wrong usage or configuration
	CodeUnusable  = core.CodeUnusable  // 3: the repository or branch cannot be used
	CodeRefused   = core.CodeRefused   // 4: rejected by policy
	CodeLost      = core.CodeLost      // 5: lost the race against other writers after all retries
	CodeCancelled = core.CodeCancelled // 130: cancelled
	CodeFailure   = core.CodeFailure   // anything else
)

var (
	// ErrUsage: the request makes no sense.
	ErrUsage = core.ErrUsage
	// ErrNotRepository: the folder is not in a git repository.
	ErrNotRepository = core.ErrNotRepository
	// ErrNoBranch: the repository has no memory yet.
	ErrNoBranch = core.ErrNoBranch
	// ErrNotMemory: the branch exists but is not an engram branch of a known format.
	ErrNotMemory = core.ErrNotMemory
	// ErrNotFound: no fact has that key or lineage.
	ErrNotFound = core.ErrNotFound
	// ErrUnreadable: the file at that key is not a fact and must not be overwritten.
	ErrUnreadable = core.ErrUnreadable
	// ErrNoCodeBranch: this work tree is not on a code branch.
	ErrNoCodeBranch = core.ErrNoCodeBranch
	// ErrOnTrunk: facts cannot be bound to the trunk, because what holds there holds
	// everywhere.
	ErrOnTrunk = core.ErrOnTrunk
	// ErrNoConflict: no conflict has that id, or several begin with it.
	ErrNoConflict = resolve.ErrNoConflict
	// ErrSettled: the conflict is no longer open.
	ErrSettled = resolve.ErrSettled
	// ErrPolicyMoved: somebody else has changed engram.yml in the meantime.
	ErrPolicyMoved = review.ErrPolicyMoved
	// ErrNoProposal: nothing is proposed at that key.
	ErrNoProposal = review.ErrNoProposal
	// ErrMayNotReview: the team named its reviewers, and this author is not among them.
	ErrMayNotReview = write.ErrMayNotReview
	// ErrUnseen: the proposal is not the one that was seen, or what it would replace has
	// changed.
	ErrUnseen = write.ErrUnseen
	// ErrInviteKey: the text is not an invitation key that this engram can read.
	ErrInviteKey = share.ErrInviteKey
	// ErrNoInvitation: no invitation has that id, or several do.
	ErrNoInvitation = share.ErrNoInvitation
	// ErrNotInvited: the invitation is not valid, or no longer.
	ErrNotInvited = share.ErrNotInvited
	// ErrEmptyRemote: the memory branch would become the first branch of a remote.
	ErrEmptyRemote = core.ErrEmptyRemote
	// ErrNotTakenIn: what a remote has could not be merged, so that nothing can be sent
	// either.
	ErrNotTakenIn = share.ErrNotTakenIn
	// ErrNotPublished: some facts must not be published, so none were.
	ErrNotPublished = core.ErrNotPublished
)

// Classify returns the code of an error and a hint, which may be the zero hint.
func Classify(err error) (Code, hint.Hint) { return class.Classify(err) }

// HideSecrets returns a message without the secrets that it repeats of what was said: the
// arguments, the line or the request that it is about. Surfaces show errors behind it.
func HideSecrets(scanner Scanner, message string, said ...string) string {
	return core.HideSecrets(scanner, message, said...)
}
