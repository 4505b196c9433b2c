// Package rewrite rewrites a history without some files and messages. It moves no
// branch.
package rewrite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"engram/gitstore/internal/commit"
	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
	"engram/gitstore/internal/repo"
)

// ErrIncomplete: the history is not all here, as in a shallow clone.
var ErrIncomplete = errors.New("the history is not all in this repository")

// Rewrite describes what to remove from a history, and the commit to put on top.
type Rewrite struct {
	// Drop are paths of files that no commit has any more. They are a list and
	// not a test of any path, so that only the folders on the way to them are
	// looked into.
	Drop []string
	// Message is what a commit's message becomes; nil keeps them all.
	Message func(string) string
	// Last is the commit on top of a history that changed; nil or no writes add
	// none. It is told all but New and Rescue.
	Last     func(Rewritten) ([]commit.Write, commit.Meta, error)
	Progress func(done, total int) // in commits; nil is silent
}

// Rewritten describes the outcome of a rewrite, or of a preview.
type Rewritten struct {
	Old, New string // tips; equal if nothing changed
	Commits  int    // of the old history
	Changed  int    // that have another name now
	// First are the commits that changed although none of their ancestors did.
	// Whatever history has any commit that was replaced, has one of these.
	First    []string
	Messages []string // old names of the commits whose message changed
	Unsigned int      // commits that lost a signature, which could not be valid any more
	Rescue   string   // the reference that keeps Old; "" if nothing was moved
}

// rewriter rewrites a history, parents before children.
type rewriter struct {
	repo    *repo.Repo
	writer  *commit.Writer // nil writes nothing
	rewrite Rewrite
	filter  treeFilter
	commits map[object.Hash]object.Hash // what each commit of the old history became
	objects object.Batch
	bytes   int // in objects
	out     Rewritten
}

// flushAbove is how many bytes of objects are collected for one pack file. It
// bounds the memory that a long history takes.
const flushAbove = 32 << 20

// Of rewrites the history of a revision, parents before children, and makes the
// new history durable; no reference moves. Without a writer Of is a preview and writes
// nothing. The error wraps ErrIncomplete.
func Of(ctx context.Context, repo *repo.Repo, writer *commit.Writer, r Rewrite, revision string) (Rewritten, error) {
	w := &rewriter{repo: repo, writer: writer, rewrite: r, commits: make(map[object.Hash]object.Hash), objects: repo.Objects.Batch()}
	w.filter = treeFilter{read: w.readTree, put: w.put, drop: newDropped(r.Drop), known: make(map[treeAt]filtered)}
	return w.run(ctx, revision)
}

func (w *rewriter) run(ctx context.Context, tip string) (Rewritten, error) {
	out, err := gitcmd.Run(ctx, w.repo.CommonDir, "rev-list", "--reverse", "--topo-order", tip, "--")
	if err != nil {
		return Rewritten{}, fmt.Errorf("read the history of %s: %w", w.repo.Branch, err)
	}
	names := strings.Fields(out)
	if len(names) == 0 {
		return Rewritten{}, fmt.Errorf("%w: %s has no history", gitcmd.ErrNotFound, tip)
	}
	w.out.Old, w.out.Commits = names[len(names)-1], len(names)
	for part := range slices.Chunk(names, gitcmd.MaxSpecs) {
		answers, err := w.repo.Cat.GetAll(ctx, part, object.MaxCommit)
		if err != nil {
			return Rewritten{}, fmt.Errorf("read commits: %w", err)
		}
		for i, a := range answers {
			if errors.Is(a.Err, gitcmd.ErrNotFound) {
				a.Err = fmt.Errorf("%w: %w", gitcmd.ErrDamaged, a.Err)
			}
			if a.Err == nil {
				a.Err = w.commit(ctx, a.Object)
			}
			if a.Err != nil {
				return Rewritten{}, fmt.Errorf("rewrite commit %s: %w", part[i], a.Err)
			}
		}
		if w.rewrite.Progress != nil {
			w.rewrite.Progress(len(w.commits), len(names))
		}
	}
	return w.finish(ctx)
}

// commit rewrites one commit if anything in it changes.
func (w *rewriter) commit(ctx context.Context, obj gitcmd.Object) error {
	old, err := object.ParseHash(obj.Name)
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
		w.out.First = append(w.out.First, obj.Name)
	}
	if next.message != c.message {
		w.out.Messages = append(w.out.Messages, obj.Name)
	}
	if len(next.extra) < len(c.extra) {
		w.out.Unsigned++
	}
	return w.flush(ctx, flushAbove)
}

// parents are what a commit's parents became. Two that differed in nothing but
// what is gone have become one.
func (w *rewriter) parents(old []object.Hash) (parents []object.Hash, changed bool, err error) {
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
	old, err := object.ParseHash(w.out.Old)
	if err != nil {
		return Rewritten{}, err
	}
	out := w.out
	if out.New = w.commits[old].String(); w.writer == nil || out.New == out.Old {
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
	out.New, _, err = w.writer.Commit(ctx, out.New, writes, meta)
	return out, err
}

// readTree goes past the cache of trees: each is wanted once.
func (w *rewriter) readTree(ctx context.Context, name object.Hash) ([]object.Entry, error) {
	entries, err := w.repo.ReadTree(ctx, name.String())
	if errors.Is(err, gitcmd.ErrNotFound) {
		err = fmt.Errorf("%w: %w", gitcmd.ErrDamaged, err)
	}
	return entries, err
}

func (w *rewriter) put(kind string, data []byte) object.Hash {
	before := len(w.objects.List)
	h := w.objects.Put(kind, data)
	if len(w.objects.List) > before {
		w.bytes += len(data)
	}
	return h
}

// flush writes what was made, once it is more than so many bytes.
func (w *rewriter) flush(ctx context.Context, above int) error {
	if w.bytes <= above || len(w.objects.List) == 0 {
		return nil
	}
	if w.writer != nil {
		if err := w.repo.Objects.Write(ctx, w.objects.List); err != nil {
			return err
		}
	}
	w.objects.List, w.bytes = nil, 0
	return nil
}
