// Package class maps every error of engram to its code and to a hint. docs/errors.md
// describes the table. It is the only place that knows the errors of all packages.
package class

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"engram/bus"
	"engram/bus/ledger"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/memory/internal/exchange"
	"engram/memory/internal/resolve"
	"engram/memory/internal/review"
	"engram/memory/internal/share"
	"engram/memory/internal/transfer"
	"engram/memory/internal/undo"
	"engram/memory/internal/write"
)

// Classify returns the code of an error and a hint, which may be the zero hint. The first
// row of classes that matches decides.
func Classify(err error) (core.Code, hint.Hint) {
	for _, c := range classes() {
		if advice, ok := c.match(err); ok {
			return c.code, advice
		}
	}
	return core.CodeFailure, hint.Hint{}
}

// sourceClasses are the errors of other repositories and of their names.
func sourceClasses() []class {
	sources := hint.Do(hint.ListSources)
	return []class{
		{core.CodeUsage, is(hint.New("%s lists the sources", sources), gitstore.ErrNoSource)},
		{core.CodeUsage, is(hint.New("%s shows it; %s frees the name", sources, hint.Do(hint.RemoveSource, "NAME")), gitstore.ErrSourceExists)},
		{core.CodeUsage, is(hint.New("choose a name such as org, or platform-team"), gitstore.ErrSourceName)},
		{core.CodeUsage, is(hint.Hint{}, gitstore.ErrScope)},
		{core.CodeUsage, is(hint.New("a source has an https, ssh or git address, or a path"), gitstore.ErrAddress)},
		{core.CodeUsage, is(hint.New("a source is another repository's memory; colleagues' facts of this one come by %s", hint.Do(hint.Git, "fetch")), gitstore.ErrOurs)},
		{core.CodeRefused, is(hint.New("omit these facts, change what is said of each, or set %s to publish the rest", hint.SkipRefused), core.ErrNotPublished)},
		{core.CodeRefused, is(hint.New("%s brings facts to a source", hint.Do(hint.Publish)), gitstore.ErrReadOnly)},
	}
}

// class is a row of the table of errors: those that match have its code.
type class struct {
	code  core.Code
	match func(error) (advice hint.Hint, ok bool)
}

// is matches errors that wrap one of the targets.
func is(advice hint.Hint, targets ...error) func(error) (hint.Hint, bool) {
	return when(advice, func(err error) bool {
		return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
	})
}

// as matches errors that wrap an error of type E.
func as[E error](advise func(E) hint.Hint) func(error) (hint.Hint, bool) {
	return func(err error) (hint.Hint, bool) {
		found, ok := errors.AsType[E](err)
		if !ok {
			return hint.Hint{}, false
		}
		return advise(found), true
	}
}

func when(advice hint.Hint, matches func(error) bool) func(error) (hint.Hint, bool) {
	return func(err error) (hint.Hint, bool) { return advice, matches(err) }
}

// always gives the same hint for all errors of a type.
func always[E error](format string, args ...any) func(E) hint.Hint {
	return func(E) hint.Hint { return hint.New(format, args...) }
}

// classes returns the table of errors; the first row that matches decides.
func classes() []class {
	return slices.Concat(
		[]class{{core.CodeCancelled, is(hint.Hint{}, context.Canceled)}},
		sourceClasses(),
		[]class{
			{core.CodeRefused, as(always[*core.SecretError]("remove it and say where it is kept instead, such as the name of the environment variable"))},
			{core.CodeRefused, as(core.PermissionHint)},
		},
		busClasses(), requestClasses(), repositoryClasses(), remoteClasses(), writeClasses(),
	)
}

// requestClasses are the errors of requests.
func requestClasses() []class {
	policy, proposals := hint.Do(hint.ShowPolicy), hint.New("%s shows what is proposed now", hint.Do(hint.ListProposals))
	return []class{
		{core.CodeRefused, as(always[*write.LeadError]("ask a person, or the agent's parent; bus.parents in .engram.yml lists the agents that are parents"))},
		{core.CodeRefused, as(func(e *write.RateError) hint.Hint {
			return hint.New("it may commit again from %s on; rate_limit in engram.yml is the limit, which %s shows", e.Until.Format(time.RFC3339), policy)
		})},
		{core.CodeLost, is(hint.New("%s shows the current policy; make your change to that", policy), review.ErrPolicyMoved)},
		{core.CodeUsage, as(always[*transfer.ImportError]("fix the records, or set %s to import the rest", hint.SkipInvalid))},
		{core.CodeUsage, as(always[*facts.ValidationError]("fix the listed fields; nothing was written"))},
		{core.CodeUsage, as(always[*facts.KeyError]("%s proposes a canonical key", hint.Do(hint.LintKey, "KEY")))},
		{core.CodeUsage, as(func(e *core.UsageError) hint.Hint { return e.Hint })},
		{core.CodeNo, as(func(e *core.NotFoundError) hint.Hint { return e.Hint })},
		{core.CodeUsage, is(hint.Hint{}, core.ErrUsage, gitstore.ErrBranchName)},
		{core.CodeUsage, is(hint.New("switch to the branch, or name it: %s=NAME", hint.Branch), core.ErrNoCodeBranch)},
		{core.CodeUsage, is(hint.New("omit %s: a fact of the trunk holds on all branches; trunk in .engram.yml names the trunk", hint.Branch), core.ErrOnTrunk)},
		{core.CodeNo, is(hint.New("%s lists the keys, %s shows what became of one", hint.Do(hint.ListFacts), hint.Do(hint.ShowLog, "KEY")), core.ErrNotFound)},
		{core.CodeNo, is(hint.New("%s lists the open conflicts, %s the settled ones too", hint.Do(hint.ListConflicts), hint.Do(hint.ListAllConflicts)), resolve.ErrNoConflict, resolve.ErrSettled)},
		{core.CodeNo, is(proposals, review.ErrNoProposal, write.ErrUnseen)},
		{core.CodeNo, is(hint.Hint{}, undo.ErrCannotUndo)},
		{core.CodeUsage, is(hint.New("copy the whole key as %s printed it, or ask for a new one", hint.Do(hint.Invite)), share.ErrInviteKey)},
		{core.CodeRefused, is(hint.New("ask whoever gave it to you for a new one"), share.ErrNotInvited)},
		{core.CodeNo, is(core.InvitationsHint(), share.ErrNoInvitation)},
		{core.CodeRefused, is(hint.New("ask one of them, or have your address added to review.authors in engram.yml"), write.ErrMayNotReview)},
		{core.CodeUnusable, is(hint.New("%s says what is wrong with it; fix or remove it on the branch, or use another key", hint.Do(hint.Lint)), core.ErrUnreadable)},
	}
}

// repositoryClasses are the errors of the repository and of the memory branch.
func repositoryClasses() []class {
	unshallow := hint.Do(hint.Git, "fetch --unshallow")
	return []class{
		{core.CodeUnusable, as(ownershipHint)},
		{core.CodeUnusable, when(hint.New("the repository was moved or deleted; run engram where it is now"), noFolder)},
		{core.CodeUnusable, is(hint.New("run engram inside a git repository, or make one with %s", hint.Do(hint.Git, "init")), gitstore.ErrNotRepository)},
		{core.CodeUnusable, is(hint.New("if colleagues have a memory, fetch it with %s; otherwise begin one with %s", hint.Do(hint.FetchMemory), hint.Do(hint.Init)), gitstore.ErrNoBranch)},
		{core.CodeUnusable, is(hint.New("%s says what is damaged; fetching from a remote that has the objects often repairs it", hint.Do(hint.Git, "fsck")), gitstore.ErrDamaged)},
		{core.CodeUnusable, is(hint.Hint{}, gitstore.ErrFormat)}, // its message says what to do
		{core.CodeUnusable, is(hint.New("a newer git may help"), gitstore.ErrUnsupported)},
		{core.CodeUnusable, is(hint.New("do it in a clone that has the whole history, or fetch the rest first with %s", unshallow), gitstore.ErrIncomplete)},
		{core.CodeUnusable, is(hint.New("choose another branch with %s, or upgrade engram if its format is newer", hint.MemoryBranch), core.ErrNotMemory)},
		{core.CodeUnusable, is(hint.New("commit and push your own branch first, then run this again"), core.ErrEmptyRemote, gitstore.ErrEmptyRemote)},
		{core.CodeUnusable, is(hint.New("switch that work tree to another branch, or edit the facts there and commit them with git"), gitstore.ErrCheckedOut)},
		{core.CodeUnusable, is(hint.New("set one with %s and %s, or in the environment with GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL, GIT_COMMITTER_NAME and GIT_COMMITTER_EMAIL", hint.Do(hint.Git, `config user.name "Your Name"`), hint.Do(hint.Git, "config user.email you@example.com")), gitstore.ErrNoIdentity)},
		{core.CodeUsage, is(hint.New("unset the variable, or give it a date such as 2026-05-01T12:00:00Z"), gitstore.ErrDate)},
		{core.CodeUnusable, is(hint.New("this clone lacks the history that the two have in common: %s brings it", unshallow), gitstore.ErrShallow)},
	}
}

// ownershipHint says how to make git open what another user owns.
func ownershipHint(e *gitstore.OwnershipError) hint.Hint {
	path := "PATH"
	if e.Path != "" && !strings.ContainsFunc(e.Path, unicode.IsControl) {
		path = "'" + strings.ReplaceAll(e.Path, "'", `'\''`) + "'"
	}
	return hint.New("if you trust its owner, run %s as the user that runs engram, where the repository is", hint.Do(hint.Git, "config --global --add safe.directory "+path))
}

// noFolder reports whether git could not be started because its folder is missing.
func noFolder(err error) bool {
	folder, ok := errors.AsType[*fs.PathError](err)
	return ok && (folder.Op == "chdir" || folder.Op == "mkdir" && errors.Is(err, fs.ErrNotExist))
}

// remoteClasses are the errors of remotes.
func remoteClasses() []class {
	return []class{
		{core.CodeUnusable, as(always[*core.SessionRemoteError]("%s adds one; %s names another than origin", hint.Do(hint.Git, "remote add origin URL"), hint.Remote))},
		{core.CodeUnusable, is(hint.New("%s names one; %s uses another than the memory's upstream", hint.Do(hint.Git, "remote add origin URL"), hint.Do(hint.Sync, "NAME")), gitstore.ErrNoRemote)},
		{core.CodeUnusable, is(hint.New("facts on this machine are safe and still answer; try again later, or test the address with %s (%s sends what could not be sent)", hint.Do(hint.Git, "ls-remote"), hint.Do(hint.Watch)), gitstore.ErrUnreachable)},
		{core.CodeUnusable, is(hint.New("git could not sign in to the remote: check its address (%s) and your credentials or keys, as for %s", hint.Do(hint.Git, "remote -v"), hint.Do(hint.Git, "fetch")), gitstore.ErrDenied)},
		{core.CodeRefused, is(hint.New("the remote rejects this push; if its branch is protected, push to another branch and open a pull request"), gitstore.ErrRefused)},
		{core.CodeLost, is(hint.New("others kept pushing; nothing was lost, try again"), gitstore.ErrRejected)},
		{core.CodeRefused, is(hint.New("share it with %s: that replaces what the remote has. If somebody has continued the old version there, delete it first with %s; they import their transcript again",
			hint.Do(hint.ShareSession, "ID"), hint.Do(hint.Git, "push REMOTE --delete REFERENCE")), gitstore.ErrRedactedHere)},
		{core.CodeRefused, is(hint.New("remove the old version here with %s, then %s brings the redacted one; what only this clone has of the session is lost",
			hint.Do(hint.ForgetSession, "ID"), hint.Do(hint.FetchSession, "ID")), gitstore.ErrRedactedThere)},
		{core.CodeRefused, is(hint.New("make both redactions in one clone: %s, %s, redact here again what you redacted, and %s",
			hint.Do(hint.ForgetSession, "ID"), hint.Do(hint.FetchSession, "ID"), hint.Do(hint.ShareSession, "ID")), gitstore.ErrRedactedTwice)},
		{core.CodeUnusable, is(hint.New("the notes say why; fix that, then sync again"), share.ErrNotTakenIn)},
	}
}

// writeClasses are the errors of writing to the branch and to the disk.
func writeClasses() []class {
	return []class{
		{core.CodeUnusable, is(hint.New("your configuration of git signs all commits: let an agent hold the passphrase, or turn that off for this repository with %s", hint.Do(hint.Git, "config commit.gpgSign false")), gitstore.ErrOwnSigning)},
		{core.CodeUnusable, is(hint.New("the team wants commits signed: set gpg.format and user.signingkey in git's configuration, and let an agent hold the passphrase"), gitstore.ErrSigning)},
		{core.CodeUsage, is(hint.New("use the key that exists, or choose one that differs by more than case"), gitstore.ErrClash)},
		{core.CodeLost, is(hint.New("try again; if no git or engram is running, a crash left a .lock file that git's message names"), gitstore.ErrLocked)},
		{core.CodeLost, is(hint.New("others kept writing; nothing was lost, try again"), gitstore.ErrMoved)},
		{core.CodeUnusable, is(hint.New("free some disk space and try again; nothing was half written"), syscall.ENOSPC, syscall.EDQUOT)},
		{core.CodeUnusable, is(hint.New("the repository cannot be written to; check its permissions"), syscall.EROFS, syscall.ENOTDIR, fs.ErrPermission)},
	}
}

// busClasses are the errors of what agents exchange.
func busClasses() []class {
	grants := hint.Do(hint.ListGrants)
	return []class{
		{core.CodeRefused, as(exchange.RefusedEngramHint)},
		{core.CodeRefused, as(exchange.RefusalHint)},
		{core.CodeRefused, is(hint.Hint{}, bus.ErrRefused)},
		{core.CodeRefused, is(hint.New("copy the whole token as it was issued, or ask its parent for another"), bus.ErrForged)},
		{core.CodeRefused, is(hint.New("a token is good in the repository where it was issued; ask its parent for another"), bus.ErrUnknownGrant)},
		{core.CodeNo, is(hint.New("%s lists the grants", grants), ledger.ErrNoGrant)},
		{core.CodeRefused, is(hint.New("%s shows who issued it", grants), ledger.ErrNotTheirs)},
		{core.CodeRefused, is(hint.New("%s lists them; %s ends one", grants, hint.Do(hint.RevokeGrant, "ID")), ledger.ErrManyGrants)},
		{core.CodeRefused, is(hint.New("ask the parent for a grant of its own"), ledger.ErrManyDerived)},
		{core.CodeUnusable, as(func(e *ledger.KeyError) hint.Hint {
			return hint.New("let its owner alone read it: chmod 600 %s; or remove it, which ends all grants", e.Path)
		})},
		{core.CodeUsage, as(always[*bus.ReadError]("%s prints the form, %s says what is wrong with a message", hint.Do(hint.ShowMessageForm), hint.Do(hint.ValidateMessage)))},
		{core.CodeUsage, as(func(*bus.GrantError) hint.Hint { return exchange.GrantHint() })},
	}
}
