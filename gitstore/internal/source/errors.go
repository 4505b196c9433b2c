package source

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/remote"
	"engram/gitstore/internal/repo"
)

// sourceError puts into words why a git that spoke with the repository at an
// address failed.
func sourceError(address, porcelain string, err error) error {
	var failed *gitcmd.Error
	if !errors.As(err, &failed) {
		return err // cancelled, or no git
	}
	for _, text := range []string{"fatal: bad object", "error in tree", "error in commit", "fsck error", "missing blob", "unpack", "index-pack", "inflate"} {
		if strings.Contains(failed.Stderr, text) {
			return fmt.Errorf("%w: %s", gitcmd.ErrDamaged, withoutCredentials(gitcmd.Reason(failed.Stderr), address))
		}
	}
	told := remote.TransportError(err, porcelain)
	if errors.Is(told, remote.ErrNotThere) {
		return fmt.Errorf("%w: %s", repo.ErrNoBranch, withoutCredentials(gitcmd.Reason(failed.Stderr), address))
	}
	return told
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
