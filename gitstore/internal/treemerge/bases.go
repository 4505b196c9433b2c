package treemerge

import (
	"context"
	"strings"

	"engram/gitstore/internal/repo"
)

// maxBaseMerges bounds how many merges of common ancestors one merge takes. Each
// round of two clones that merge one another crosswise needs one. Beyond, the
// ancestor with the least name is used: every clone chooses the same one.
const maxBaseMerges = 64

// baseMerger makes one tree of several common ancestors, by merging them with
// the rules of any merge, and their ancestors before. Each set of commits is
// merged once, so that the work grows with the number of crossings and not
// with the number of ways through them.
type baseMerger struct {
	repo   *repo.Repo
	joiner Joiner
	known  map[string]string // the commits' names → tree
	merges int
}

// tree is the common base of commits, sorted by name: the empty
// tree, the only commit, or the tree of their merge. The trees of merges are
// written, because git has to compare with them; nothing refers to them, and
// git's gc removes them in time.
func (p *baseMerger) tree(ctx context.Context, commits []string) (string, error) {
	if len(commits) == 0 {
		return p.repo.Objects.Format.EmptyTree(), nil
	}
	if len(commits) == 1 || p.merges >= maxBaseMerges {
		return commits[0], nil
	}
	key := strings.Join(commits, " ")
	if tree, ok := p.known[key]; ok {
		return tree, nil
	}
	tree := commits[0]
	for i, next := range commits[1:] {
		p.merges++
		bases, err := p.repo.MergeBases(ctx, next, commits[:i+1]...)
		if err != nil {
			return "", err
		}
		base, err := p.tree(ctx, bases)
		if err != nil {
			return "", err
		}
		m, err := mergeTrees(ctx, p.repo, base, tree, next, p.joiner)
		if err != nil {
			return "", err
		}
		if err := p.repo.Objects.Write(ctx, m.Objects.List); err != nil {
			return "", err
		}
		tree = m.Tree
	}
	p.known[key] = tree
	return tree, nil
}
