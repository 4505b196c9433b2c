// Package remote fetches from remotes and pushes to them with the git binary, whose
// credentials and proxies are the user's own. It merges nothing.
package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/repo"
	"engram/internal/lazyregexp"
)

// Client speaks with the remotes of a repository through git, with the user's own
// credentials and proxies.
type Client struct {
	repo   *repo.Repo
	prompt bool // git and ssh may ask for a password on the terminal
	// checked are the names of remotes that were found in the configuration.
	checked sync.Map
	// durable are revisions that Fetch brought, each with the one before it: what
	// the former has and the latter has not is synced.
	durable sync.Map
}

// New returns a client of a repository. With prompt, git and ssh may ask for a
// password on the terminal; without it they fail instead, with ErrDenied.
func New(r *repo.Repo, prompt bool) *Client { return &Client{repo: r, prompt: prompt} }

// On is a client like c for a repository opened with another memory branch.
func (c *Client) On(r *repo.Repo) *Client { return New(r, c.prompt) }

// Synced reports whether Fetch brought a revision, and the one that it found
// before it: all that the former has and the latter has not is durable.
func (c *Client) Synced(revision string) (before string, fetched bool) {
	found, fetched := c.durable.Load(revision)
	before, _ = found.(string)
	return before, fetched
}

// Remote is a remote of the repository, as its configuration has it: before
// url.*.insteadOf, and without the password that a URL may hold.
type Remote struct {
	Name    string
	URL     string
	PushURL string // "" is URL
}

// Remotes lists the remotes, by name.
func (c *Client) Remotes(ctx context.Context) ([]Remote, error) {
	settings, err := c.settings(ctx)
	return remotesOf(settings), err
}

// Upstream is the remote that the memory branch is shared with: what
// branch.NAME.remote says, else origin, else the only remote there is, else "".
// The error wraps ErrNoRemote if the setting names none.
func (c *Client) Upstream(ctx context.Context) (string, error) {
	settings, err := c.settings(ctx)
	if err != nil {
		return "", err
	}
	remotes := remotesOf(settings)
	key := "branch." + c.repo.Branch + ".remote"
	if named := settings.Last(key); named != "" && named != "." { // "." is this repository
		if !known(remotes, named) {
			return "", fmt.Errorf("%w: %s is %q", ErrNoRemote, key, withoutPassword(named))
		}
		c.checked.Store(named, true)
		return named, nil
	}
	if known(remotes, "origin") {
		c.checked.Store("origin", true)
		return "origin", nil
	}
	if len(remotes) == 1 {
		return remotes[0].Name, nil
	}
	return "", nil
}

// AddRemote adds a remote of which only the memory branch is fetched. Nothing
// is asked of it yet.
func (c *Client) AddRemote(ctx context.Context, name, url string) error {
	var err error
	if strings.HasPrefix(name, "-") || strings.HasPrefix(url, "-") {
		err = errors.New("the name or address starts with -, like an option")
	} else {
		_, err = gitcmd.Run(ctx, c.repo.CommonDir, "remote", "add", "-t", c.repo.Branch, "--", name, url)
	}
	if err != nil {
		return fmt.Errorf("add remote %s: %w", name, lockedConfig(err))
	}
	return nil
}

// trackingRef is where the memory branch of a remote is kept.
func (c *Client) trackingRef(remote string) string {
	return "refs/remotes/" + remote + "/" + c.repo.Branch
}

// settings reads the configuration of remotes and branches.
func (c *Client) settings(ctx context.Context) (repo.Settings, error) {
	return c.repo.Settings(ctx, `^(remote|branch)\.`)
}

func remotesOf(settings repo.Settings) []Remote {
	var list []Remote
	for key, urls := range settings {
		name, ok := strings.CutSuffix(strings.TrimPrefix(key, "remote."), ".url")
		if !ok || !strings.HasPrefix(key, "remote.") {
			continue
		}
		r := Remote{Name: name, URL: withoutPassword(urls[0])}
		if push := settings["remote."+name+".pushurl"]; len(push) > 0 {
			r.PushURL = withoutPassword(push[0])
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b Remote) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func known(remotes []Remote, name string) bool {
	return slices.ContainsFunc(remotes, func(r Remote) bool { return r.Name == name })
}

// userinfo is what may stand before the host of a URL.
var userinfo = lazyregexp.New(`([A-Za-z][A-Za-z0-9+.-]*)://([^/\s']*)@`)

// queries is what follows the path of a web address: a token, if anything.
var queries = lazyregexp.New(`((?:http|ftp)s?://[^\s'?#]*)[?#][^\s']*`)

// withoutPassword takes passwords, and tokens in the place of a user or after a
// path, out of the URLs in a text. The user of an ssh address stays, because it is part of
// the address.
func withoutPassword(text string) string {
	text = queries.ReplaceAllString(text, "$1")
	return userinfo.ReplaceAllStringFunc(text, func(found string) string {
		parts := userinfo.FindStringSubmatch(found)
		user, _, _ := strings.Cut(parts[2], ":")
		if user == "" || !strings.Contains(parts[1], "ssh") {
			return parts[1] + "://"
		}
		return parts[1] + "://" + user + "@"
	})
}
