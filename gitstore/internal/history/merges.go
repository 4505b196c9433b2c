package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"engram/gitstore/internal/gitcmd"
)

// Base returns the newest common ancestor of two revisions, or "" if there is
// none. Of several, git chooses one.
func (h *Reader) Base(ctx context.Context, a, b string) (string, error) {
	bases, err := h.repo.MergeBases(ctx, a, b)
	if err != nil || len(bases) == 0 {
		return "", err
	}
	return bases[0], nil
}

// MergeCommit is a commit of several parents.
type MergeCommit struct {
	Revision string
	Parents  []string
}

// Merges lists the merges that to contains and from ("" is the whole history)
// does not, newest first, at most the given number of them.
func (h *Reader) Merges(ctx context.Context, from, to string, most int) ([]MergeCommit, error) {
	if err := gitcmd.CheckRevision(to); err != nil {
		return nil, err
	}
	args := []string{"rev-list", "--merges", "--parents", "--max-count=" + strconv.Itoa(most), to}
	if from != "" {
		if known, err := h.repo.Knows(ctx, from); err != nil || !known {
			return nil, err
		}
		args = append(args, "^"+from)
	}
	out, err := gitcmd.Run(ctx, h.repo.CommonDir, append(args, "--")...)
	if err != nil {
		return nil, fmt.Errorf("list merges: %w", err)
	}
	var merges []MergeCommit
	for line := range strings.Lines(out) {
		if names := strings.Fields(line); len(names) > 2 {
			merges = append(merges, MergeCommit{names[0], names[1:]})
		}
	}
	return merges, nil
}

// OfMerge lists the files of a merge that differ from all its parents.
func (h *Reader) OfMerge(ctx context.Context, revision string) ([]Change, error) {
	if err := gitcmd.CheckRevision(revision); err != nil {
		return nil, err
	}
	args := []string{"diff-tree", "-r", "-c", "--raw", "-z", "--no-renames", "--no-abbrev", "--no-commit-id", revision}
	out, err := gitcmd.Run(ctx, h.repo.CommonDir, args...)
	if err != nil {
		return nil, fmt.Errorf("read the merge %s: %w", revision, err)
	}
	return rawChanges(out)
}

// BothChanged lists the files that two revisions changed in different ways since
// the newest commit that both contain. Old is of that commit; the other two are
// by the order of the arguments.
func (h *Reader) BothChanged(ctx context.Context, a, b string) ([][2]Change, error) {
	if err := errors.Join(gitcmd.CheckRevision(a), gitcmd.CheckRevision(b)); err != nil {
		return nil, err
	}
	base, err := h.repo.MergeBase(ctx, a, b)
	if err != nil {
		return nil, err
	}
	base = cmp.Or(base, h.repo.Objects.Format.EmptyTree()) // two beginnings
	first, err := h.Diff(ctx, base, a)
	if err != nil {
		return nil, err
	}
	second, err := h.Diff(ctx, base, b)
	if err != nil {
		return nil, err
	}
	byPath := make(map[string]Change, len(first))
	for _, c := range first {
		byPath[c.Path] = c
	}
	var both [][2]Change
	for _, c := range second {
		if other, found := byPath[c.Path]; found && other.New != c.New {
			both = append(both, [2]Change{other, c})
		}
	}
	return both, nil
}
