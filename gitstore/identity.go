package gitstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// person is a name and an email, as commits have them.
type person struct{ name, email string }

func (p person) String() string { return p.name + " <" + p.email + ">" }

type identity struct{ author, committer person }

// Identity is who git's configuration says the user is: "name <email>". The
// error wraps ErrNoIdentity.
func (s *Store) Identity(ctx context.Context) (string, error) {
	id, err := s.who(ctx)
	if err != nil {
		return "", err
	}
	return id.author.String(), nil
}

// who asks git once; a store does not outlive a change of configuration long.
func (s *Store) who(ctx context.Context) (identity, error) {
	s.identityOnce.Do(func() {
		author := make(chan error, 1)
		go func() {
			var err error
			s.identity.author, err = s.ident(ctx, "GIT_AUTHOR_IDENT")
			author <- err
		}()
		s.identity.committer, s.identityErr = s.ident(ctx, "GIT_COMMITTER_IDENT")
		if err := <-author; err != nil {
			s.identityErr = err
		}
	})
	return s.identity, s.identityErr
}

func (s *Store) ident(ctx context.Context, variable string) (person, error) {
	out, err := run(ctx, s.gitDir, "var", variable)
	if err != nil {
		return person{}, fmt.Errorf("%w: %w", ErrNoIdentity, err)
	}
	p, _, err := parseIdentity(strings.TrimSpace(out))
	return p, err
}

// parseIdentity reads "name <email> seconds zone".
func parseIdentity(s string) (person, time.Time, error) {
	open, end := strings.IndexByte(s, '<'), strings.LastIndexByte(s, '>')
	if open < 0 || end < open {
		return person{}, time.Time{}, fmt.Errorf("%q is no identity", s)
	}
	p := person{strings.TrimSpace(s[:open]), s[open+1 : end]}
	fields := strings.Fields(s[end+1:])
	if len(fields) != 2 {
		return p, time.Time{}, fmt.Errorf("%q has no date", s)
	}
	seconds, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return p, time.Time{}, fmt.Errorf("%q has no date", s)
	}
	return p, time.Unix(seconds, 0).UTC(), nil
}
