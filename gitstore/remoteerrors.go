package gitstore

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// What can be wrong with another repository, beyond what can be wrong with ours.
var (
	// ErrUnreachable: nothing answers there, or no repository is there.
	ErrUnreachable = errors.New("cannot be reached")
	// ErrDenied: it answers, and does not let us in.
	ErrDenied = errors.New("access denied")
	// ErrRejected: its branch has moved on since we last looked.
	ErrRejected = errors.New("the other side moved on")
	// ErrRefused: a rule or hook of it does not take what we bring.
	ErrRefused = errors.New("refused by the other side")
)

// remoteError puts into words why a git that spoke with url failed. What git said
// is kept but for credentials.
func remoteError(address, said string, err error) error {
	var failed *gitError
	if !errors.As(err, &failed) {
		return err // cancelled, or no git
	}
	said += failed.stderr
	has := func(texts ...string) bool {
		for _, text := range texts {
			if strings.Contains(said, text) {
				return true
			}
		}
		return false
	}
	kind, why := ErrUnreachable, reason(failed.stderr)
	switch {
	case has("[rejected]", "non-fast-forward", "fetch first", "cannot lock ref", "incorrect old value", "failed to update ref"):
		kind = ErrRejected
	case has("[remote rejected]", "hook declined", "protected branch"):
		kind, why = ErrRefused, theirReason(said, why)
	case has("couldn't find remote ref"):
		kind = ErrNoBranch
	case has("Permission denied", "Authentication failed", "could not read Username", "could not read Password",
		"terminal prompts disabled", "error: 401", "error: 403", "Host key verification failed"):
		kind = ErrDenied
	case has("does not appear to be a git repository", "Could not read from remote repository", "Could not resolve host",
		"unable to access", "Connection refused", "Connection timed out", "not found", "No such file", "not allowed"):
	case has("fatal: bad object", "error in tree", "error in commit", "fsck error", "missing blob", "unpack", "index-pack", "inflate"):
		kind = ErrDamaged
	}
	return fmt.Errorf("%w: %s", kind, withoutCredentials(why, address))
}

// theirReason is the last thing that the other side said of why it takes nothing.
func theirReason(said, otherwise string) string {
	for line := range strings.Lines(said) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "remote: "); ok && strings.TrimSpace(text) != "" {
			otherwise = strings.TrimSpace(text)
		}
	}
	return otherwise
}

// RedactURL is an address without the user and password in it.
func RedactURL(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		return address // user@host:path has a user and no password
	}
	host, path, slash := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		user, _, secret := strings.Cut(host[:at], ":")
		if host = host[at+1:]; !secret && scheme != "http" && scheme != "https" {
			host = user + "@" + host // ssh://git@host
		}
	}
	if u, err := url.Parse(scheme + "://" + host + "/" + path); err == nil && u.RawQuery != "" {
		path, _, _ = strings.Cut(path, "?") // tokens travel there, too
	}
	if slash {
		host += "/" + path
	}
	return scheme + "://" + host
}

func withoutCredentials(text, address string) string {
	return strings.ReplaceAll(text, address, RedactURL(address))
}
