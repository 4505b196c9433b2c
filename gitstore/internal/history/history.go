package history

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/gitstore/internal/commit"
	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// Entry is one commit in the history of a file.
type Entry struct {
	Revision string
	Author   string // name <email>
	Date     time.Time
	Subject  string
	Change
}

// History lists the commits that changed the file at path, newest first, at
// most limit of them (0: all). Of a merge it lists what none of the parents
// has. An empty list means that no commit has a file there.
func (h *Reader) History(ctx context.Context, revision, path string, limit int) ([]Entry, error) {
	if err := gitcmd.CheckRevision(revision); err != nil {
		return nil, err
	}
	if path == "" {
		return nil, fmt.Errorf("%w: a history is that of one file", gitcmd.ErrNotFound)
	}
	// Full: what a merge decided against is part of what became of the file.
	args := []string{"rev-list", "--topo-order", "--full-history", revision}
	out, err := gitcmd.Run(ctx, h.repo.CommonDir, append(args, "--", path)...)
	if err != nil {
		return nil, fmt.Errorf("read the history of %s: %w", path, err)
	}
	if out == "" {
		return nil, nil
	}
	show := []string{"diff-tree", "--stdin", "-r", "-c", "--root", "--raw", "-z", "--no-renames", "--no-abbrev", "--always", "--", path}
	listing, err := gitcmd.RunInput(ctx, h.repo.CommonDir, []byte(out), show...)
	if err != nil {
		return nil, fmt.Errorf("read the history of %s: %w", path, err)
	}
	var entries []Entry
	err = EachRaw(bufio.NewReader(strings.NewReader(listing)),
		func(commit string) { entries = append(entries, Entry{Revision: commit, Change: Change{Path: path}}) },
		func(c Change) { entries[len(entries)-1].Change = c })
	if err != nil {
		return nil, err
	}
	// A merge that took one of its sides adds nothing to what became of the file.
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return e.Old == "" && e.New == "" })
	if limit > 0 && len(entries) > limit {
		entries = entries[:limit]
	}
	for i := range entries {
		if err := h.describe(ctx, &entries[i]); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// describe fills in what the commit says of itself. A date that nobody can
// read, as in a commit that some other tool made, stays zero.
func (h *Reader) describe(ctx context.Context, e *Entry) error {
	obj, err := h.repo.Cat.Get(ctx, e.Revision, object.MaxCommit)
	if err != nil {
		return fmt.Errorf("read commit %s: %w", e.Revision, err)
	}
	header, message, _ := bytes.Cut(obj.Data, []byte("\n\n"))
	e.Subject, _, _ = strings.Cut(string(message), "\n")
	for line := range strings.SplitSeq(string(header), "\n") {
		if rest, ok := strings.CutPrefix(line, "author "); ok {
			author, when, _ := commit.ParseIdentity(rest)
			e.Author, e.Date = author.String(), when
			break
		}
	}
	return nil
}

// Describe says who made a revision, when, and what its subject is.
func (h *Reader) Describe(ctx context.Context, revision string) (Entry, error) {
	e := Entry{Revision: revision}
	err := h.describe(ctx, &e)
	return e, err
}
