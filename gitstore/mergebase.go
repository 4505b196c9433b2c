package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// mergeBases are the best common ancestors of one commit and of what a merge
// of the others would contain, in order of their names: git's order depends on
// which side is asked first. It is empty where the histories are unrelated, as
// after two people each began a memory; the error wraps ErrShallow where they
// only seem so, because the clone's history was cut off.
func (s *Store) mergeBases(ctx context.Context, one string, others ...string) ([]string, error) {
	out, err := run(ctx, s.commonDir, append([]string{"merge-base", "--all", one}, others...)...)
	var failed *gitError
	var exit *exec.ExitError
	if errors.As(err, &failed) && errors.As(failed.err, &exit) && exit.ExitCode() == 1 && failed.stderr == "" {
		return nil, s.checkUnrelated(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("find the common ancestors: %w", err)
	}
	bases := strings.Fields(out)
	slices.Sort(bases)
	return bases, nil
}

func (s *Store) checkUnrelated(ctx context.Context) error {
	out, err := run(ctx, s.commonDir, "rev-parse", "--is-shallow-repository")
	if err == nil && strings.TrimSpace(out) == "true" {
		return fmt.Errorf("%w, and no common ancestor is in it: run `git fetch --unshallow`, or --deepen by enough", ErrShallow)
	}
	return err
}

// maxPasts bounds how many merges of common ancestors one merge takes. Each
// round of two clones that merge one another crosswise needs one. Beyond, the
// ancestor with the least name stands for all: every clone takes the same one.
const maxPasts = 64

// pastMerger makes one tree of several common ancestors, by merging them with
// the rules of any merge, and their ancestors before. Each set of commits is
// merged once, so that the work grows with the number of crossings and not
// with the number of ways through them.
type pastMerger struct {
	store  *Store
	joiner Joiner
	known  map[string]string // the commits' names → tree
	merges int
}

// tree is what the commits, sorted by name, have in common as a past: the empty
// tree, the tree of the only one, or that of a merge. The trees of merges are
// written, because git has to compare with them; nothing refers to them, and
// git's gc removes them in time.
func (p *pastMerger) tree(ctx context.Context, commits []string) (string, error) {
	if len(commits) == 0 {
		return emptyTree, nil
	}
	if len(commits) == 1 || p.merges >= maxPasts {
		return commits[0], nil
	}
	key := strings.Join(commits, " ")
	if tree, ok := p.known[key]; ok {
		return tree, nil
	}
	tree := commits[0]
	for i, next := range commits[1:] {
		p.merges++
		bases, err := p.store.mergeBases(ctx, next, commits[:i+1]...)
		if err != nil {
			return "", err
		}
		base, err := p.tree(ctx, bases)
		if err != nil {
			return "", err
		}
		m, err := p.store.mergeTrees(ctx, base, tree, next, p.joiner)
		if err != nil {
			return "", err
		}
		if err := p.store.write(ctx, m.objects.list); err != nil {
			return "", err
		}
		tree = m.tree
	}
	p.known[key] = tree
	return tree, nil
}
