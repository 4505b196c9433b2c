package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// rewriter makes a history anew, parents before children.
type rewriter struct {
	store   *Store
	rewrite Rewrite
	keep    bool // what it makes is written
	filter  treeFilter
	commits map[hash]hash // what each commit of the old history became
	objects newObjects
	bytes   int // in objects
	out     Rewritten
}

// flushAbove is how many bytes of objects are collected for one pack file. It
// bounds the memory that a long history takes.
const flushAbove = 32 << 20

func newRewriter(s *Store, r Rewrite, keep bool) *rewriter {
	w := &rewriter{store: s, rewrite: r, keep: keep, commits: make(map[hash]hash)}
	w.filter = treeFilter{read: w.readTree, put: w.put, drop: newDropped(r.Drop), known: make(map[treeAt]filtered)}
	return w
}

func (w *rewriter) run(ctx context.Context, tip string) (Rewritten, error) {
	out, err := run(ctx, w.store.commonDir, "rev-list", "--reverse", "--topo-order", tip, "--")
	if err != nil {
		return Rewritten{}, fmt.Errorf("read the history of %s: %w", w.store.branch, err)
	}
	names := strings.Fields(out)
	if len(names) == 0 {
		return Rewritten{}, fmt.Errorf("%w: %s has no history", ErrNotFound, tip)
	}
	w.out.Old, w.out.Commits = names[len(names)-1], len(names)
	for part := range slices.Chunk(names, maxSpecs) {
		answers, err := w.store.cat.getAll(ctx, part, maxCommit)
		if err != nil {
			return Rewritten{}, fmt.Errorf("read commits: %w", err)
		}
		for i, a := range answers {
			if errors.Is(a.err, ErrNotFound) {
				a.err = fmt.Errorf("%w: %w", ErrDamaged, a.err)
			}
			if a.err == nil {
				a.err = w.commit(ctx, a.object)
			}
			if a.err != nil {
				return Rewritten{}, fmt.Errorf("rewrite commit %s: %w", part[i], a.err)
			}
		}
		if w.rewrite.Progress != nil {
			w.rewrite.Progress(len(w.commits), len(names))
		}
	}
	return w.finish(ctx)
}

// commit makes one commit anew, where anything of it changes.
func (w *rewriter) commit(ctx context.Context, obj object) error {
	old, err := parseHash(obj.name)
	if err != nil {
		return err
	}
	c, err := parseCommit(obj)
	if err != nil {
		return err
	}
	next, inherited := c, false
	if next.tree, err = w.filter.root(ctx, c.tree); err != nil {
		return err
	}
	if next.parents, inherited, err = w.parents(c.parents); err != nil {
		return err
	}
	if w.rewrite.Message != nil {
		next.message = w.rewrite.Message(c.message)
	}
	if next.tree == c.tree && !inherited && next.message == c.message {
		w.commits[old] = old
		return nil
	}
	next.unsign()
	w.commits[old] = w.put("commit", next.encode())
	w.out.Changed++
	if !inherited {
		w.out.First = append(w.out.First, obj.name)
	}
	if next.message != c.message {
		w.out.Messages = append(w.out.Messages, obj.name)
	}
	if len(next.extra) < len(c.extra) {
		w.out.Unsigned++
	}
	return w.flush(ctx, flushAbove)
}

// parents are what a commit's parents became. Two that differed in nothing but
// what is gone have become one.
func (w *rewriter) parents(old []hash) (parents []hash, changed bool, err error) {
	for _, p := range old {
		next, ok := w.commits[p]
		if !ok {
			return nil, false, fmt.Errorf("%w: its parent %s is missing, as in a shallow clone", ErrIncomplete, p)
		}
		changed = changed || next != p
		if !slices.Contains(parents, next) {
			parents = append(parents, next)
		}
	}
	if !changed {
		return old, false, nil
	}
	return parents, true, nil
}

// finish puts the last commit on top and makes all objects durable.
func (w *rewriter) finish(ctx context.Context) (Rewritten, error) {
	old, err := parseHash(w.out.Old)
	if err != nil {
		return Rewritten{}, err
	}
	out := w.out
	if out.New = w.commits[old].String(); !w.keep || out.New == out.Old {
		return out, nil
	}
	if err := w.flush(ctx, 0); err != nil {
		return Rewritten{}, err
	}
	if w.rewrite.Last == nil {
		return out, nil
	}
	writes, meta, err := w.rewrite.Last(w.out)
	if err != nil || len(writes) == 0 {
		return out, err
	}
	out.New, _, err = w.store.commit(ctx, out.New, writes, meta)
	return out, err
}

// readTree goes past the cache of trees: each is wanted once.
func (w *rewriter) readTree(ctx context.Context, name hash) ([]treeEntry, error) {
	obj, err := w.store.cat.get(ctx, name.String(), maxTree)
	if errors.Is(err, ErrNotFound) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		return nil, fmt.Errorf("read tree %s: %w", name, err)
	}
	if obj.kind != "tree" {
		return nil, fmt.Errorf("read tree %s: it is a %s", name, obj.kind)
	}
	return decodeTree(obj.data)
}

func (w *rewriter) put(kind string, data []byte) hash {
	before := len(w.objects.list)
	h := w.objects.put(kind, data)
	if len(w.objects.list) > before {
		w.bytes += len(data)
	}
	return h
}

// flush writes what was made, once it is more than so many bytes.
func (w *rewriter) flush(ctx context.Context, above int) error {
	if w.bytes <= above || len(w.objects.list) == 0 {
		return nil
	}
	if w.keep {
		if err := w.store.write(ctx, w.objects.list); err != nil {
			return err
		}
	}
	w.objects.list, w.bytes = nil, 0
	return nil
}
