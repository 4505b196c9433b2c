package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"engram/facts"
	"engram/gitstore"
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

// Classify is the one table from errors to codes and hints. hint says what to
// do next; it may be "".
func Classify(err error) (code Code, hint string) {
	var (
		validation *facts.ValidationError
		key        *facts.KeyError
		secret     *SecretError
		imports    *ImportError
		permission *PermissionError
		rate       *RateError
		usage      *usageError
		nothing    *absentError
	)
	switch {
	case errors.Is(err, context.Canceled):
		return CodeCancelled, ""
	case isOfSources(err):
		return classifySource(err)
	case errors.As(err, &secret):
		return CodeRefused, "remove it and say where it is kept instead, such as the name of the environment variable"
	case errors.As(err, &permission):
		return CodeRefused, permissionHint(permission)
	case errors.As(err, &rate):
		return CodeRefused, "it may commit again from " + rate.Until.Format(time.RFC3339) + " on; rate_limit in engram.yml is the limit, which `engram policy` shows"
	case errors.Is(err, ErrPolicyMoved):
		return CodeLost, "`engram policy` shows it as it is; make your change to that"
	case errors.As(err, &imports):
		return CodeUsage, "mend the records, or pass --skip-invalid to import the rest"
	case errors.As(err, &validation):
		return CodeUsage, "mend the fields that are named; nothing was written"
	case errors.As(err, &key):
		return CodeUsage, "`engram lint --fix-suggestions KEY` proposes a canonical key"
	case errors.As(err, &usage):
		return CodeUsage, usage.hint
	case errors.As(err, &nothing):
		return CodeNo, nothing.hint
	case errors.Is(err, ErrUsage), errors.Is(err, gitstore.ErrBranchName):
		return CodeUsage, ""
	case errors.Is(err, ErrNoCodeBranch):
		return CodeUsage, "switch to the branch, or name it: --branch=NAME"
	case errors.Is(err, ErrOnTrunk):
		return CodeUsage, "leave --branch away: what holds on the trunk holds for all; trunk in .engram.yml says which that is"
	case errors.Is(err, ErrNotFound):
		return CodeNo, "`engram list` shows the keys there are, `engram log KEY` what became of one"
	case errors.Is(err, ErrNoConflict), errors.Is(err, ErrSettled):
		return CodeNo, "`engram conflicts` lists those that are open, `engram conflicts --status all` the settled ones too"
	case errors.Is(err, ErrNoProposal), errors.Is(err, ErrUnseen):
		return CodeNo, "`engram review` lists what is proposed, as it is now"
	case errors.Is(err, ErrInviteKey):
		return CodeUsage, "copy the whole key as `engram invite` printed it, or ask for a new one"
	case errors.Is(err, ErrNotInvited):
		return CodeRefused, "ask whoever gave it to you for a new one"
	case errors.Is(err, ErrNoInvitation):
		return CodeNo, "`engram invite list` shows those there are"
	case errors.Is(err, ErrMayNotReview):
		return CodeRefused, "ask one of them, or have your address added to review.authors in engram.yml"
	case errors.Is(err, ErrUnreadable):
		return CodeUnusable, "`engram lint` says what is wrong with it; mend or remove it on the branch, or use another key"
	}
	return classifyStore(err)
}

func classifyStore(err error) (code Code, hint string) {
	var folder *fs.PathError
	switch {
	case errors.As(err, &folder) && (folder.Op == "chdir" || folder.Op == "mkdir" && errors.Is(err, fs.ErrNotExist)): // git is not to be started there
		return CodeUnusable, "the repository is not where it was; go to where it is now"
	case errors.Is(err, gitstore.ErrNotRepository):
		return CodeUnusable, "run engram inside a git repository, or make one with `git init`"
	case errors.Is(err, gitstore.ErrNoBranch):
		return CodeUnusable, "if colleagues have one, fetch it: git fetch origin engram:engram; otherwise begin one: engram init"
	case errors.Is(err, gitstore.ErrDamaged):
		return CodeUnusable, "`git fsck` says what is damaged; fetching from a remote that has the objects often mends it"
	case errors.Is(err, gitstore.ErrUnsupported):
		return CodeUnusable, "a newer git may help"
	case errors.Is(err, gitstore.ErrIncomplete):
		return CodeUnusable, "do it in a clone that has the whole history, or fetch the rest first with git fetch --unshallow"
	case errors.Is(err, ErrNotMemory):
		return CodeUnusable, "choose another branch with --memory or in .engram.yml, or upgrade engram if its format is newer"
	case errors.Is(err, ErrEmptyRemote), errors.Is(err, gitstore.ErrEmptyRemote):
		return CodeUnusable, "commit and push your own branch first, then run this again"
	case errors.Is(err, gitstore.ErrCheckedOut):
		return CodeUnusable, "switch that work tree to another branch, or edit the facts there and commit them with git"
	case errors.Is(err, gitstore.ErrNoIdentity):
		return CodeUnusable, `set one: git config user.name "Your Name" and git config user.email you@example.com (GIT_* variables are not read)`
	case errors.Is(err, gitstore.ErrShallow):
		return CodeUnusable, "this clone lacks the history in which the two meet: git fetch --unshallow brings it"
	case errors.Is(err, gitstore.ErrNoRemote):
		return CodeUnusable, "git remote add origin URL names one; engram sync NAME uses another than the memory's upstream"
	case errors.Is(err, gitstore.ErrUnreachable):
		return CodeUnusable, "what is on this machine is safe and still answers; try again later, or git ls-remote with the same address (engram watch sends by itself what sync could not)"
	case errors.Is(err, gitstore.ErrDenied):
		return CodeUnusable, "git could not sign in to the remote: check its address (git remote -v) and your credentials or keys, as for git fetch"
	case errors.Is(err, gitstore.ErrRefused):
		return CodeRefused, "the remote does not take this push; where its branch is protected, push to another branch and open a pull request"
	case errors.Is(err, gitstore.ErrRejected):
		return CodeLost, "others kept pushing; nothing was lost, try again"
	case errors.Is(err, ErrNotTakenIn):
		return CodeUnusable, "the notes say why; once that is mended, sync again"
	case errors.Is(err, gitstore.ErrSigning):
		return CodeUnusable, "the team wants commits signed: set gpg.format and user.signingkey in git's configuration, and let an agent hold the passphrase"
	case errors.Is(err, gitstore.ErrClash):
		return CodeUsage, "use the key that exists, or choose one that differs by more than case"
	case errors.Is(err, gitstore.ErrLocked):
		return CodeLost, "try again; if no git or engram is running, a crash left a .lock file that git's message names"
	case errors.Is(err, gitstore.ErrMoved):
		return CodeLost, "others kept writing; nothing was lost, try again"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return CodeUnusable, "free some disk space and try again; nothing was half written"
	case errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrPermission):
		return CodeUnusable, "the repository cannot be written to; check its permissions"
	}
	return CodeFailure, ""
}
