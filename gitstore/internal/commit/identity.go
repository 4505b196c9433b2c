package commit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

type identity struct{ author, committer object.Person }

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

func ident(ctx context.Context, gitDir, variable string) (object.Person, error) {
	out, err := gitcmd.Run(ctx, gitDir, "var", variable)
	var said *gitcmd.Error
	if errors.As(err, &said) {
		return object.Person{}, fmt.Errorf("%w: %w", ErrNoIdentity, err)
	}
	if err != nil {
		return object.Person{}, err
	}
	p, _, err := object.ParseIdentity(strings.TrimSpace(out))
	return p, err
}
