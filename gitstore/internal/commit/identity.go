package commit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// identity is who commits. A date is "" unless the environment sets it.
type identity struct {
	author, committer         object.Person
	authorDate, committerDate string // seconds and zone, as in a commit
	sign                      bool   // commit.gpgSign
}

// Identity is who git's environment or configuration says the user is: "name <email>".
// The error wraps ErrNoIdentity or ErrDate.
func (w *Writer) Identity(ctx context.Context) (string, error) {
	id, err := w.who.get(ctx, w.repo.GitDir)
	if err != nil {
		return "", err
	}
	return id.author.String(), nil
}

// identityCache asks git once, or until there is an identity: a store does not
// outlive a change of configuration long, but a server outlives its absence.
type identityCache struct {
	mu    sync.Mutex
	known *identity
}

func (c *identityCache) get(ctx context.Context, gitDir string) (identity, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known != nil {
		return *c.known, nil
	}
	var id identity
	errs := make([]error, 3)
	var asked sync.WaitGroup
	asked.Go(func() { id.author, id.authorDate, errs[0] = ident(ctx, gitDir, "GIT_AUTHOR") })
	asked.Go(func() { id.committer, id.committerDate, errs[1] = ident(ctx, gitDir, "GIT_COMMITTER") })
	asked.Go(func() { id.sign, errs[2] = signs(ctx, gitDir) })
	asked.Wait()
	if err := cmp.Or(errs...); err != nil {
		return identity{}, err
	}
	c.known = &id
	return id, nil
}

// ident asks git for the person of GIT_AUTHOR or GIT_COMMITTER. git also reads the date,
// because it knows all the forms that one may have.
func ident(ctx context.Context, gitDir, role string) (p object.Person, date string, err error) {
	out, err := gitcmd.Identity(ctx, gitDir, role+"_IDENT")
	var said *gitcmd.Error
	switch {
	case errors.As(err, &said) && strings.Contains(said.Stderr, "invalid date format"):
		return p, "", fmt.Errorf("%w: %s_DATE", ErrDate, role)
	case errors.As(err, &said):
		return p, "", fmt.Errorf("%w: %w", ErrNoIdentity, err)
	case err != nil:
		return p, "", err
	}
	if p, _, err = object.ParseIdentity(strings.TrimSpace(out)); err == nil && os.Getenv(role+"_DATE") != "" {
		date = strings.TrimSpace(out[strings.LastIndexByte(out, '>')+1:])
	}
	return p, date, err
}

// signs reports whether git is configured to sign all commits.
func signs(ctx context.Context, gitDir string) (bool, error) {
	out, err := gitcmd.Run(ctx, gitDir, "config", "--type=bool", "--get", "commit.gpgSign")
	if err != nil && !gitcmd.SaidNo(err) {
		return false, fmt.Errorf("read git's configuration: %w", err)
	}
	return strings.TrimSpace(out) == "true", nil
}
