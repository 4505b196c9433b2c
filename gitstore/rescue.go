package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"engram/gitstore/internal/gitcmd"
)

// rescuePrefix starts the references that keep the tips of replaced histories. git
// neither fetches nor pushes them by default.
const rescuePrefix = "refs/engram/rescue/"

// rescue makes a reference that keeps a revision, named after the branch and
// the moment.
func (s *Store) rescue(ctx context.Context, revision string) (ref string, err error) {
	ref = rescuePrefix + s.repo.Branch + "/" + s.now().UTC().Format("20060102T150405Z")
	taken, err := s.refsBelow(ctx, rescuePrefix+s.repo.Branch+"/")
	if err != nil {
		return "", err
	}
	free := ref
	for n := 2; slices.Contains(taken, free); n++ {
		free = fmt.Sprintf("%s-%d", ref, n)
	}
	return free, s.repo.Refs.Update(ctx, free, revision, "")
}

func (s *Store) refsBelow(ctx context.Context, prefix string) ([]string, error) {
	out, err := gitcmd.Run(ctx, s.repo.CommonDir, "for-each-ref", "--format=%(refname)", prefix)
	if err != nil {
		return nil, fmt.Errorf("list references: %w", err)
	}
	return strings.Fields(out), nil
}

// RefsContaining names the references, except the memory branch, in whose
// history any of the commits is: branches, tags, what was fetched of remotes,
// rescue references.
func (s *Store) RefsContaining(ctx context.Context, commits []string) ([]string, error) {
	var refs []string
	for part := range slices.Chunk(commits, gitcmd.MaxSpecs) {
		args := []string{"for-each-ref", "--format=%(refname)"}
		for _, c := range part {
			args = append(args, "--contains="+c)
		}
		out, err := gitcmd.Run(ctx, s.repo.CommonDir, args...)
		if err != nil {
			return nil, fmt.Errorf("list references: %w", err)
		}
		refs = append(refs, strings.Fields(out)...)
	}
	slices.Sort(refs)
	return slices.DeleteFunc(slices.Compact(refs), func(ref string) bool { return ref == s.repo.Ref }), nil
}

// ReflogExpiry is how long git keeps the earlier revisions of the branch in its
// reflog, in the format of git; "" if git keeps no reflog of it.
func (s *Store) ReflogExpiry(ctx context.Context) (string, error) {
	var failed *gitcmd.Error
	if _, err := gitcmd.Run(ctx, s.repo.CommonDir, "reflog", "exists", s.repo.Ref); errors.As(err, &failed) {
		return "", ctx.Err()
	} else if err != nil {
		return "", err
	}
	out, err := gitcmd.Run(ctx, s.repo.CommonDir, "config", "--default=30 days", "--get", "gc.reflogExpireUnreachable")
	if err != nil {
		return "", fmt.Errorf("read git's configuration: %w", err)
	}
	return strings.TrimSpace(out), nil
}
