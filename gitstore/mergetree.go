package gitstore

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// emptyTree is the name of the tree without entries, which git knows by heart.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// item is what stands at a path: a file, a symbolic link, a submodule, or, as
// the zero value, nothing.
type item struct {
	mode string
	hash hash
}

func (i item) absent() bool { return i.mode == "" }

// plain reports whether it is a file as facts are.
func (i item) plain() bool { return i.mode == modeFile || i.mode == modeExecutable }

func compareItems(a, b item) int {
	return cmp.Or(strings.Compare(a.mode, b.mode), slices.Compare(a.hash[:], b.hash[:]))
}

// sides is what stands at one path in the three trees of a merge.
type sides struct{ base, ours, theirs item }

// treeMerge is a three-way merge of trees under way.
type treeMerge struct {
	store        *Store
	joiner       Joiner
	ours, theirs string // names of trees

	sides   map[string]sides // for each path at which the three differ, and others once looked at
	result  map[string]item  // for the same paths
	objects newObjects
	made    map[hash][]byte // the blobs among objects
	waiting []placed        // for the contest at their path to end
	tree    string          // the outcome

	contested, moved, kept, refused []string
}

// mergeTrees merges what two revisions, or trees, made of a third. The objects
// of the outcome's tree are not written yet.
func (s *Store) mergeTrees(ctx context.Context, base, ours, theirs string, j Joiner) (*treeMerge, error) {
	m := &treeMerge{store: s, joiner: j, sides: map[string]sides{}, result: map[string]item{}, made: map[hash][]byte{}}
	var err error
	if m.ours, err = s.treeNamed(ctx, ours); err != nil {
		return nil, err
	}
	if m.theirs, err = s.treeNamed(ctx, theirs); err != nil {
		return nil, err
	}
	if err := m.compare(ctx, base); err != nil {
		return nil, err
	}
	if err := m.settle(ctx, m.decideAll()); err != nil {
		return nil, err
	}
	for _, list := range []*[]string{&m.contested, &m.moved, &m.kept, &m.refused} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return m, m.build(ctx)
}

func (s *Store) treeNamed(ctx context.Context, revision string) (string, error) {
	obj, err := s.cat.get(ctx, revision+"^{tree}", maxTree)
	if err != nil {
		return "", fmt.Errorf("read the tree of %s: %w", revision, err)
	}
	return obj.name, nil
}

// compare finds the paths at which a side differs from base.
func (m *treeMerge) compare(ctx context.Context, base string) error {
	theirs := make(chan error, 1)
	var changes []rawLine
	go func() {
		var err error
		changes, err = m.store.changedItems(ctx, base, m.theirs)
		theirs <- err
	}()
	own, err := m.store.changedItems(ctx, base, m.ours)
	if theirErr := <-theirs; err == nil {
		err = theirErr
	}
	if err != nil {
		return err
	}
	for _, l := range own {
		before, after, err := l.items()
		if err != nil {
			return err
		}
		m.sides[l.path] = sides{before, after, before}
	}
	for _, l := range changes {
		before, after, err := l.items()
		if err != nil {
			return err
		}
		at, known := m.sides[l.path]
		if !known {
			at = sides{base: before, ours: before}
		}
		at.theirs = after
		m.sides[l.path] = at
	}
	return nil
}

func (s *Store) changedItems(ctx context.Context, from, to string) ([]rawLine, error) {
	args := []string{"diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none", from, to}
	var lines []rawLine
	err := pipe(ctx, command(ctx, s.commonDir, args...), args, func(r *bufio.Reader) error {
		return eachRawLine(r, func(string) {}, func(l rawLine) { lines = append(lines, l) })
	})
	if err != nil {
		return nil, fmt.Errorf("compare %s with %s: %w", from, to, err)
	}
	return lines, nil
}

// items is what the line says was there, and is.
func (l rawLine) items() (before, after item, err error) {
	for i, it := range []*item{&before, &after} {
		if l.names[i] == zeroName {
			continue
		}
		if it.hash, err = parseHash(l.names[i]); err != nil {
			return before, after, err
		}
		it.mode = l.modes[i]
	}
	return before, after, nil
}

// decideAll decides every path that needs no reading, and returns the others.
func (m *treeMerge) decideAll() []contest {
	var open []contest
	for _, path := range slices.Sorted(maps.Keys(m.sides)) {
		at := m.sides[path]
		if hostile(path) {
			m.result[path] = item{}
			if !at.ours.absent() || !at.theirs.absent() {
				m.refused = append(m.refused, path)
			}
			continue
		}
		decided, verdict := decide(at)
		m.result[path] = decided
		switch verdict {
		case stays:
			m.kept = append(m.kept, path)
		case chosen:
			m.contested = append(m.contested, path)
		case undecided:
			m.contested = append(m.contested, path)
			open = append(open, contest{path, at.base, at.ours, at.theirs, decided.mode})
		}
	}
	return open
}

// build makes the tree of the outcome out of ours.
func (m *treeMerge) build(ctx context.Context) error {
	var edits []edit
	for path, it := range m.result {
		if it != m.sides[path].ours {
			edits = append(edits, edit{path: path, mode: it.mode, blob: it.hash, remove: it.absent()})
		}
	}
	var err error
	m.tree, err = treeEditor{store: m.store, put: m.objects.put, twins: true}.applyTop(ctx, m.ours, edits)
	return err
}
