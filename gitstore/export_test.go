package gitstore

import "context"

// Apply makes one commit of all the writes on top of parent ("" starts the
// branch), and moves the branch to it if the branch is still at parent: one round
// of Update, whose races tests decide. It returns parent if the writes change nothing.
func (s *Store) Apply(ctx context.Context, parent string, writes []Write, meta Meta) (string, error) {
	if err := s.mayMove(); err != nil {
		return "", err
	}
	commit, parent, err := s.commits.Commit(ctx, parent, writes, meta)
	if err != nil || commit == parent {
		return parent, err
	}
	if err := s.move(ctx, parent, commit); err != nil {
		return "", err
	}
	return commit, nil
}

// Bare reports whether the repository has no work tree of its own.
func (s *Store) Bare() bool { return s.repo.Bare }
