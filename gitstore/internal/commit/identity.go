package commit

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"engram/gitstore/internal/gitcmd"
)

// person is a name and an email, as commits have them.
type person struct{ name, email string }

func (p person) String() string { return p.name + " <" + p.email + ">" }

type identity struct{ author, committer person }

// Identity is who git's configuration says the user is: "name <email>". The
// error wraps ErrNoIdentity.
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
	author := make(chan error, 1)
	go func() {
		var err error
		id.author, err = ident(ctx, gitDir, "GIT_AUTHOR_IDENT")
		author <- err
	}()
	var committerErr error
	id.committer, committerErr = ident(ctx, gitDir, "GIT_COMMITTER_IDENT")
	if err := <-author; err != nil {
		return identity{}, err
	}
	if committerErr != nil {
		return identity{}, committerErr
	}
	c.known = &id
	return id, nil
}

func ident(ctx context.Context, gitDir, variable string) (person, error) {
	out, err := gitcmd.Run(ctx, gitDir, "var", variable)
	var said *gitcmd.Error
	if errors.As(err, &said) {
		return person{}, fmt.Errorf("%w: %w", ErrNoIdentity, err)
	}
	if err != nil {
		return person{}, err
	}
	p, _, err := ParseIdentity(strings.TrimSpace(out))
	return p, err
}

// ParseIdentity reads "name <email> seconds zone". The person is right even
// where the date is not.
func ParseIdentity(s string) (person, time.Time, error) {
	open, end := strings.IndexByte(s, '<'), strings.LastIndexByte(s, '>')
	if open < 0 || end < open {
		return person{name: s}, time.Time{}, fmt.Errorf("%q is not an identity", s)
	}
	p := person{strings.TrimSpace(s[:open]), s[open+1 : end]}
	date, _, _ := strings.Cut(strings.TrimSpace(s[end+1:]), " ")
	seconds, err := strconv.ParseInt(date, 10, 64)
	if err != nil {
		return p, time.Time{}, fmt.Errorf("%q has no date", s)
	}
	return p, time.Unix(seconds, 0).UTC(), nil
}
