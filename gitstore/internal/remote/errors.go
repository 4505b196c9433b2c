package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"engram/gitstore/internal/gitcmd"
)

var (
	// ErrNoRemote: the repository has no remote of that name.
	ErrNoRemote = errors.New("no such remote")
	// ErrEmptyRemote: the remote has no branch yet, and the first one that is
	// pushed would become what its clones begin with.
	ErrEmptyRemote = errors.New("the remote has no branch yet")
	// ErrRejected: the remote has commits that are not in our branch. Fetch,
	// merge, push again.
	ErrRejected = errors.New("the remote has commits that are missing here")
	// ErrRefused: the remote rejected the commits by a rule of its own.
	ErrRefused = errors.New("the remote rejected the push")
	// ErrUnreachable: the remote cannot be reached, or nothing is at its address.
	ErrUnreachable = errors.New("the remote cannot be reached")
	// ErrDenied: the remote requires authentication, or denies access.
	ErrDenied = errors.New("the remote denies access")
)

// ErrNotThere: the remote has no branch of that name.
var ErrNotThere = errors.New("the remote has no such branch")

// TransportError classifies why git could not fetch or push. What git says of
// the reference (--porcelain, on standard output) counts first, then what git
// and ssh say on standard error. What the server says (remote: …) decides
// nothing, because anybody can have a hook say anything, but is passed on.
func TransportError(err error, porcelain string) error {
	var failed *gitcmd.Error
	if !errors.As(err, &failed) || errors.Is(err, context.Canceled) {
		return err
	}
	var said, heard []string
	for line := range strings.Lines(failed.Stderr) {
		if rest, ok := strings.CutPrefix(line, "remote: "); ok {
			heard = append(heard, rest)
		} else {
			said = append(said, line)
		}
	}
	text := strings.Join(said, "")
	why, kind := pushVerdict(porcelain)
	if kind == nil {
		why, kind = transportKind(text)
	}
	switch {
	case kind == ErrNotThere:
		return kind
	case kind == ErrDenied && strings.Contains(why, dubious):
		return fmt.Errorf("%w: %w", kind, &gitcmd.OwnershipError{})
	}
	if server := printable(strings.Join(heard, "")); server != "" {
		why += " (the remote says: " + server + ")"
	}
	if kind == nil {
		return fmt.Errorf("git %s: %s", failed.Args[0], withoutPassword(printable(why)))
	}
	return fmt.Errorf("%w: %s", kind, withoutPassword(printable(why)))
}

// pushVerdict reads the line of `git push --porcelain` that tells what became of
// the reference: "! FROM:TO [rejected] (fetch first)".
func pushVerdict(out string) (why string, kind error) {
	for line := range strings.Lines(out) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) < 3 || fields[0] != "!" {
			continue
		}
		why = fields[len(fields)-1]
		remote := strings.HasPrefix(why, "[remote rejected]")
		switch {
		case strings.HasPrefix(why, "[rejected]"):
			return why, ErrRejected
		case remote && containsAny(why, "non-fast-forward", "cannot lock ref", "failed to update ref", "fetch first", "incorrect old value", "failed to lock"):
			return why, ErrRejected // another writer was faster
		case remote:
			return why, ErrRefused
		}
	}
	return "", nil
}

// dubious is what git says of a repository that belongs to another user.
const dubious = "dubious ownership"

// transportKinds are the messages of git, curl and ssh by what they mean. The
// first that is found counts: ssh's reason stands before git's "Could not read
// from remote repository", and what a server answered before that it could not
// be accessed.
var transportKinds = []struct {
	kind     error
	messages []string
}{
	{ErrNotThere, []string{"couldn't find remote ref", "could not find remote ref"}},
	{gitcmd.ErrLocked, []string{"cannot lock ref", ".lock': File exists"}},
	{ErrDenied, []string{
		"Authentication failed", "could not read Username", "could not read Password", "terminal prompts disabled",
		"Permission denied", "Host key verification failed", "No supported authentication methods", "Too many authentication failures",
		"returned error: 401", "returned error: 403", "returned error: 407", "Access denied", "access denied", "insufficient permission", dubious,
	}},
	{ErrUnreachable, []string{
		"Could not resolve", "Name or service not known", "Temporary failure in name resolution", "nodename nor servname", "unable to look up",
		"Failed to connect", "Couldn't connect", "Connection refused", "onnection timed out", "Operation timed out", "Connection closed",
		"Connection reset", "No route to host", "Network is unreachable", "Operation too slow", "unable to connect", "unable to access",
		"does not appear to be a git repository", "epository not found", "not found", "does not exist", "Could not read from remote repository",
		"hung up unexpectedly", "unexpected disconnect", "early EOF", "RPC failed", "not valid: is this a git repository", "unable to find remote helper", "is not a git command", "unable to fork", "cannot run ssh",
	}},
	{ErrRefused, []string{"push declined", "hook declined", "shallow update not allowed"}},
}

// transportKind finds the line that says why, and what it means.
func transportKind(said string) (why string, kind error) {
	for _, k := range transportKinds {
		for line := range strings.Lines(said) {
			if containsAny(line, k.messages...) {
				return strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "fatal: "), "error: "), k.kind
			}
		}
	}
	return gitcmd.Reason(said), nil
}

func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// maxHeard bounds what is passed on of what a server says.
const maxHeard = 500

// printable is a text in one line, without what could steer a terminal.
func printable(text string) string {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)), " ")
	if len(text) > maxHeard {
		text = strings.ToValidUTF8(text[:maxHeard], "") + "…"
	}
	return text
}
