package history

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// Relation is the relation of two revisions in the history.
type Relation int

// The relations of a revision "from" to a revision "to".
const (
	Ahead    Relation = iota // to contains from
	Behind                   // from contains to
	Diverged                 // neither, or from is not in this repository
)

// Introduced lists the files that the commits in from..to wrote: each path and blob
// once, by path. An empty from means the whole
// history. A removal has an empty New. It holds at least every file that
// differs between the two, also if a merge chose what from had
// already replaced. The list is empty unless the relation is Ahead.
func (h *Reader) Introduced(ctx context.Context, from, to string) ([]Change, Relation, error) {
	seen := make(map[Change]bool)
	note := func(c Change) { seen[Change{Path: c.Path, New: c.New}] = true }
	if from != "" && object.IsFull(from) && object.IsFull(to) {
		if ok, err := h.recent(ctx, from, to, note); err != nil || ok {
			return sortedChanges(seen), Ahead, err
		}
	}
	span, err := h.between(ctx, from, to)
	if err != nil || span.relation != Ahead || len(span.commits) == 0 {
		return nil, span.relation, err
	}
	// -c shows of a merge what it has from neither parent.
	args := []string{"diff-tree", "--stdin", "-r", "-c", "--root", "--raw", "-z", "--no-renames", "--no-abbrev"}
	cmd := gitcmd.Command(ctx, h.repo.CommonDir, args...)
	cmd.Stdin = strings.NewReader(strings.Join(span.commits, "\n") + "\n")
	err = gitcmd.Pipe(ctx, cmd, args, func(r *bufio.Reader) error {
		return EachRaw(r, func(string) {}, note)
	})
	if err != nil {
		return nil, Diverged, fmt.Errorf("read the history of %s: %w", to, err)
	}
	if from != "" && span.merges {
		differing, err := h.Diff(ctx, from, to)
		if err != nil {
			return nil, Diverged, err
		}
		for _, c := range differing {
			note(c)
		}
	}
	return sortedChanges(seen), Ahead, nil
}

func sortedChanges(seen map[Change]bool) []Change {
	return slices.SortedFunc(maps.Keys(seen), func(a, b Change) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.New, b.New))
	})
}

// Relation is the relation of two revisions.
func (h *Reader) Relation(ctx context.Context, from, to string) (Relation, error) {
	span, err := h.between(ctx, from, to)
	return span.relation, err
}

// span is what lies between two revisions.
type span struct {
	relation Relation
	commits  []string // that the later one has and the earlier one has not
	merges   bool     // whether there is a merge among them
}

func (h *Reader) between(ctx context.Context, from, to string) (span, error) {
	if err := gitcmd.CheckRevision(to); err != nil {
		return span{relation: Diverged}, err
	}
	if from == to {
		return span{relation: Ahead}, nil
	}
	expression := to
	if from != "" {
		if known, err := h.repo.Knows(ctx, from); err != nil || !known {
			return span{relation: Diverged}, err
		}
		expression = from + "..." + to
	}
	out, err := gitcmd.Run(ctx, h.repo.CommonDir, "rev-list", "--left-right", "--parents", expression, "--")
	if err != nil {
		return span{relation: Diverged}, fmt.Errorf("read the history of %s: %w", to, err)
	}
	return parseSpan(out), nil
}

// parseSpan reads what `git rev-list --left-right --parents` prints: "<" or
// ">", the commit, and its parents.
func parseSpan(out string) span {
	between := span{relation: Ahead}
	lost := false
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if strings.HasPrefix(line, "<") {
			lost = true
			continue
		}
		between.commits = append(between.commits, strings.TrimPrefix(fields[0], ">"))
		between.merges = between.merges || len(fields) > 2
	}
	switch {
	case lost && len(between.commits) > 0:
		return span{relation: Diverged}
	case lost:
		return span{relation: Behind}
	}
	return between
}

// recentCommits is how far back recent looks: what others usually commit
// between two questions of an agent.
const recentCommits = 16

// recent is Introduced for the everyday case, that to is a few commits without
// merges after from. It compares trees itself, most of them in the cache
// already, which spares starting two gits: 3 ms of every first question after
// a commit. ok is false if it is not that case.
func (h *Reader) recent(ctx context.Context, from, to string, note func(Change)) (ok bool, err error) {
	var trees []string // of to and its ancestors, newest first, down to from
	for name := to; ; {
		obj, err := h.repo.Cat.Get(ctx, name, object.MaxCommit)
		if err != nil {
			return false, nil // the slow way finds the words for it
		}
		tree, err := object.TreeOf(obj)
		if err != nil {
			return false, nil
		}
		if trees = append(trees, tree); name == from {
			break
		}
		header, _, _ := strings.Cut(string(obj.Data), "\n\n")
		parents := strings.Split(header, "\nparent ")[1:]
		if len(parents) != 1 || len(trees) > recentCommits {
			return false, nil
		}
		name, _, _ = strings.Cut(parents[0], "\n")
	}
	d := treeDiff{h, note, -1}
	for i := range len(trees) - 1 {
		if err := d.compare(ctx, trees[i+1], trees[i], ""); err != nil {
			return false, err
		}
	}
	return true, nil
}
