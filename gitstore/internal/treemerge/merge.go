// Package treemerge merges trees three ways. Only conflicts are read; a Joiner of the
// caller resolves them. It makes no commit and moves no branch.
package treemerge

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"engram/gitstore/internal/commit"
	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/history"
	"engram/gitstore/internal/object"
	"engram/gitstore/internal/repo"
)

// itemAt is the item at a path below a tree; folders are ignored.
func (m *Merge) itemAt(ctx context.Context, tree, path string) (item, error) {
	e, found, err := m.repo.EntryIn(ctx, tree, path, false)
	if err != nil || !found {
		return item{}, err
	}
	if strings.HasPrefix(e.Mode, "100") && e.Mode != object.ModeExecutable {
		e.Mode = object.ModeFile // as git reads the other modes that old tools wrote
	}
	return item{e.Mode, e.Hash}, nil
}

// item is the entry at a path: a file, a symbolic link or a submodule. The zero item
// means that there is none.
type item struct {
	mode string
	hash object.Hash
}

func (i item) absent() bool { return i.mode == "" }

// plain reports whether it is a file as facts are.
func (i item) plain() bool { return i.mode == object.ModeFile || i.mode == object.ModeExecutable }

func compareItems(a, b item) int {
	return cmp.Or(strings.Compare(a.mode, b.mode), cmp.Compare(a.hash, b.hash))
}

// sides are the items at one path in the three trees of a merge.
type sides struct{ base, ours, theirs item }

// Merge is a three-way merge of trees, and what came of it: Tree, which Objects
// make, and which paths were decided how.
type Merge struct {
	repo         *repo.Repo
	joiner       Joiner
	ours, theirs string // names of trees

	sides   map[string]sides // for each path at which the three differ, and others once looked at
	result  map[string]item  // for the same paths
	Objects object.Batch
	made    map[object.Hash][]byte // the blobs among objects
	waiting []placement            // for the contest at their path to end
	Tree    string                 // the outcome

	Contested, Moved, Kept, Refused []string
}

// Of merges two revisions whose best common ancestors are bases, sorted by name.
func Of(ctx context.Context, r *repo.Repo, bases []string, ours, theirs string, j Joiner) (*Merge, error) {
	merger := &baseMerger{repo: r, joiner: j, known: map[string]string{}}
	base, err := merger.tree(ctx, bases)
	if err != nil {
		return nil, err
	}
	return mergeTrees(ctx, r, base, ours, theirs, j)
}

// mergeTrees merges what two revisions, or trees, made of a third. The objects
// of the outcome's tree are not written yet.
func mergeTrees(ctx context.Context, r *repo.Repo, base, ours, theirs string, j Joiner) (*Merge, error) {
	m := &Merge{repo: r, Objects: r.Objects.Batch(), joiner: j, sides: map[string]sides{}, result: map[string]item{}, made: map[object.Hash][]byte{}}
	var err error
	if m.ours, err = m.treeNamed(ctx, ours); err != nil {
		return nil, err
	}
	if m.theirs, err = m.treeNamed(ctx, theirs); err != nil {
		return nil, err
	}
	if err := m.compare(ctx, base); err != nil {
		return nil, err
	}
	if err := m.resolve(ctx, m.decideAll()); err != nil {
		return nil, err
	}
	for _, list := range []*[]string{&m.Contested, &m.Moved, &m.Kept, &m.Refused} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return m, m.build(ctx)
}

func (m *Merge) treeNamed(ctx context.Context, revision string) (string, error) {
	obj, err := m.repo.Cat.Get(ctx, revision+"^{tree}", object.MaxTree)
	if err != nil {
		return "", fmt.Errorf("read the tree of %s: %w", revision, err)
	}
	return obj.Name, nil
}

// compare finds the paths at which a side differs from base.
func (m *Merge) compare(ctx context.Context, base string) error {
	theirs := make(chan error, 1)
	var changes []history.RawLine
	go func() {
		var err error
		changes, err = m.changedItems(ctx, base, m.theirs)
		theirs <- err
	}()
	own, err := m.changedItems(ctx, base, m.ours)
	if theirErr := <-theirs; err == nil {
		err = theirErr
	}
	if err != nil {
		return err
	}
	for i, l := range slices.Concat(own, changes) {
		before, after, err := itemsOf(l)
		if err != nil {
			return err
		}
		at, known := m.sides[l.Path]
		if !known {
			at = sides{before, before, before}
		}
		if i < len(own) {
			at.ours = after
		} else {
			at.theirs = after
		}
		m.sides[l.Path] = at
	}
	return nil
}

func (m *Merge) changedItems(ctx context.Context, from, to string) ([]history.RawLine, error) {
	args := []string{"diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none", from, to}
	var lines []history.RawLine
	err := gitcmd.Pipe(ctx, gitcmd.Command(ctx, m.repo.CommonDir, args...), args, func(r *bufio.Reader) error {
		return history.EachRawLine(r, func(string) {}, func(l history.RawLine) { lines = append(lines, l) })
	})
	if err != nil {
		return nil, fmt.Errorf("compare %s with %s: %w", from, to, err)
	}
	return lines, nil
}

// itemsOf is what the line says was there, and is.
func itemsOf(l history.RawLine) (before, after item, err error) {
	for i, it := range []*item{&before, &after} {
		if object.OrAbsent(l.Names[i]) == "" {
			continue
		}
		if it.hash, err = object.ParseHash(l.Names[i]); err != nil {
			return before, after, err
		}
		it.mode = l.Modes[i]
	}
	return before, after, nil
}

// decideAll decides every path that needs no reading, and returns the others.
func (m *Merge) decideAll() []contest {
	var open []contest
	for _, path := range slices.Sorted(maps.Keys(m.sides)) {
		at := m.sides[path]
		if object.Hostile(path) {
			m.result[path] = item{}
			if !at.ours.absent() || !at.theirs.absent() {
				m.Refused = append(m.Refused, path)
			}
			continue
		}
		decided, verdict := decide(at)
		m.result[path] = decided
		switch verdict {
		case stays:
			m.Kept = append(m.Kept, path)
		case chosen:
			m.Contested = append(m.Contested, path)
		case undecided:
			m.Contested = append(m.Contested, path)
			open = append(open, contest{path, at.base, at.ours, at.theirs, decided.mode})
		}
	}
	return open
}

// build makes the tree of the outcome out of ours.
func (m *Merge) build(ctx context.Context) error {
	var edits []commit.Edit
	for path, it := range m.result {
		if it != m.sides[path].ours {
			edits = append(edits, commit.Edit{Path: path, Mode: it.mode, Blob: it.hash, Remove: it.absent()})
		}
	}
	var err error
	m.Tree, err = commit.TreeEditor{Repo: m.repo, Put: m.Objects.Put, Twins: true}.ApplyTop(ctx, m.ours, edits)
	return err
}

// Contest is one path that both sides of a merge changed in different ways. nil
// means that the file does not exist on that side.
type Contest struct {
	Path               string
	Base, Ours, Theirs []byte
}

// Joiner resolves the conflicts of a merge. Both methods must be pure functions of
// their arguments, and Join symmetric in ours and theirs, for merges to
// converge: the same conflict comes up again after a lost race, in other
// clones, and when several merge bases are merged into one.
type Joiner interface {
	// Join returns the files that take the place of a contested path: normally
	// the winner at Path, and what gave way under other paths. Without a file
	// at Path the path is deleted. A file under another path that exists already is
	// contested in its turn, without a base.
	Join(context.Context, Contest) ([]commit.Write, error)
	// Move returns the new place of a file that cannot stay at path because another
	// path differs from it only in case, or because a folder has the same path.
	Move(ctx context.Context, path string, data []byte) (commit.Write, error)
}
