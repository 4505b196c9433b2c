package history

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
	"engram/gitstore/internal/repo"
)

// Reader reads the history of a repository.
type Reader struct{ repo *repo.Repo }

// New returns a reader of the history of a repository.
func New(r *repo.Repo) *Reader { return &Reader{r} }

// Change is a file that differs between two revisions.
type Change struct {
	Path     string
	Old, New string // names of the blobs, "" if the file is absent
}

// Diff lists the files that differ between two revisions, by path in git's
// order. A file that became a folder is gone there, and what is in the folder is new.
func (h *Reader) Diff(ctx context.Context, from, to string) ([]Change, error) {
	if err := errors.Join(gitcmd.CheckRevision(from), gitcmd.CheckRevision(to)); err != nil {
		return nil, err
	}
	if changes, err := h.nearDiff(ctx, from, to); !errors.Is(err, errFar) {
		return changes, err
	}
	out, err := gitcmd.Run(ctx, h.repo.CommonDir, "diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", from, to)
	if err != nil {
		return nil, fmt.Errorf("compare %s with %s: %w", from, to, err)
	}
	return rawChanges(out)
}

// nearFolders is up to how many folders are read to spare starting a git, which
// takes some 4 ms; a folder takes 0.1 ms, and ten times that where it is large.
const nearFolders = 24

// nearDiff is Diff if few folders differ. The error is errFar if more differ, or if
// git has to report what is wrong.
func (h *Reader) nearDiff(ctx context.Context, from, to string) ([]Change, error) {
	var trees [2]string
	for i, revision := range []string{from, to} {
		obj, err := h.repo.Cat.Get(ctx, revision+"^{tree}", object.MaxTree)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			return nil, errFar
		}
		trees[i] = obj.Name
	}
	var changes []Change
	if trees[0] == trees[1] {
		return changes, nil
	}
	d := treeDiff{h, func(c Change) { changes = append(changes, c) }, nearFolders}
	if err := d.compare(ctx, trees[0], trees[1], ""); err != nil {
		if ctx.Err() == nil {
			err = errFar
		}
		return nil, err
	}
	return changes, nil
}

// rawChanges are the changes that `git diff-tree --raw -z` printed.
func rawChanges(out string) (changes []Change, err error) {
	err = EachRaw(bufio.NewReader(strings.NewReader(out)), func(string) {}, func(c Change) { changes = append(changes, c) })
	return changes, err
}

// EachRaw reads what `git diff-tree --raw -z` prints: names of commits, each
// followed by its changes. A merge's lines begin with one colon a parent.
func EachRaw(r *bufio.Reader, commit func(name string), change func(Change)) error {
	return EachRawLine(r, commit, func(l RawLine) {
		change(Change{Path: l.Path, Old: object.OrAbsent(l.Names[0]), New: object.OrAbsent(l.Names[len(l.Names)-1])})
	})
}

// RawLine is one line of `git diff-tree --raw`: a path with its modes and names
// in each parent, and last in the commit.
type RawLine struct {
	Path         string
	Modes, Names []string
}

// EachRawLine reads what `git diff-tree --raw -z` prints, as EachRaw does, with the
// modes and names of all parents.
func EachRawLine(r *bufio.Reader, commit func(name string), line func(RawLine)) error {
	for {
		meta, err := r.ReadString(0)
		if errors.Is(err, io.EOF) && meta == "" {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read git's list of changes: %w", err)
		}
		meta = strings.TrimSuffix(meta, "\x00")
		if !strings.HasPrefix(meta, ":") {
			commit(strings.TrimSpace(meta))
			continue
		}
		path, err := r.ReadString(0)
		if err != nil {
			return fmt.Errorf("read git's list of changes: %w", err)
		}
		// :mode… mode name… name status, with one more mode and name than colons
		parents := len(meta) - len(strings.TrimLeft(meta, ":"))
		fields := strings.Fields(strings.TrimLeft(meta, ":"))
		if len(fields) != 2*(parents+1)+1 {
			return fmt.Errorf("git's list of changes has the line %q", meta)
		}
		line(RawLine{strings.TrimSuffix(path, "\x00"), fields[:parents+1], fields[parents+1 : 2*(parents+1)]})
	}
}
