// Package history reads how revisions came about: which files they changed, when, by
// whom, and who signed them. What one revision holds is read by package repo.
package history

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

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
		return nil, fmt.Errorf("%w: a history needs the path of one file", gitcmd.ErrNotFound)
	}
	all, err := h.versions(ctx, revision, []string{path})
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, e := range all {
		if last := len(entries) - 1; last >= 0 && entries[last].Revision == e.Revision {
			entries[last] = e
		} else {
			entries = append(entries, e)
		}
	}
	// A merge that took one of its sides adds nothing to what became of the file.
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return e.Old == "" && e.New == "" })
	if limit > 0 && len(entries) > limit {
		entries = entries[:limit]
	}
	return entries, h.describeAll(ctx, entries)
}

// describe fills in the metadata of the commit. A date that cannot be parsed, as in
// a commit of another tool, stays zero.
func (h *Reader) describe(ctx context.Context, e *Entry) error {
	obj, err := h.repo.Cat.Get(ctx, e.Revision, object.MaxCommit)
	if err != nil {
		return fmt.Errorf("read commit %s: %w", e.Revision, err)
	}
	header, message, _ := bytes.Cut(obj.Data, []byte("\n\n"))
	e.Subject, _, _ = strings.Cut(string(message), "\n")
	for line := range strings.SplitSeq(string(header), "\n") {
		if rest, ok := strings.CutPrefix(line, "author "); ok {
			author, when, _ := object.ParseIdentity(rest)
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

// Newest lists the newest commits in the history of a revision, at most a number of them, without
// merges and without what they changed.
func (h *Reader) Newest(ctx context.Context, revision string, most int) ([]Entry, error) {
	if err := gitcmd.CheckRevision(revision); err != nil {
		return nil, err
	}
	out, err := gitcmd.Run(ctx, h.repo.CommonDir, "rev-list", "--no-merges", "--max-count="+strconv.Itoa(most), revision, "--")
	if err != nil {
		return nil, fmt.Errorf("list the newest commits: %w", err)
	}
	var entries []Entry
	for name := range strings.Lines(out) {
		entries = append(entries, Entry{Revision: strings.TrimSpace(name)})
	}
	return entries, h.describeAll(ctx, entries)
}

// RevisionAt returns the newest commit on the first-parent line of a revision
// that was made at or before a time. The error wraps ErrNotFound if the branch is
// younger.
func (h *Reader) RevisionAt(ctx context.Context, from string, at time.Time) (string, error) {
	if err := gitcmd.CheckRevision(from); err != nil {
		return "", err
	}
	out, err := gitcmd.Run(ctx, h.repo.CommonDir, "rev-list", "--first-parent", "--max-count=1", "--before="+at.UTC().Format(time.RFC3339), from, "--")
	if err != nil {
		return "", fmt.Errorf("look for the revision of %s: %w", at.Format(time.RFC3339), err)
	}
	if out = strings.TrimSpace(out); out == "" {
		return "", fmt.Errorf("%w: %s has no commit before %s", gitcmd.ErrNotFound, h.repo.Branch, at.Format(time.RFC3339))
	}
	return out, nil
}

// Ancestor returns the full name of a commit in the history of a revision, given
// by any name that git knows. The error wraps ErrNotFound if the history does not
// contain it.
func (h *Reader) Ancestor(ctx context.Context, name, of string) (string, error) {
	commit, err := h.repo.CommitNamed(ctx, name)
	if err != nil {
		return "", err
	}
	inside, err := h.repo.Contains(ctx, of, commit)
	if err == nil && !inside {
		err = fmt.Errorf("%w: %s is not a commit of %s", gitcmd.ErrNotFound, name, h.repo.Branch)
	}
	return commit, err
}

// Versions lists what every commit in the history of a revision put at the
// paths, newest first. Unlike History it follows all lines of the history,
// also those that a merge decided against.
func (h *Reader) Versions(ctx context.Context, revision string, paths []string) ([]Entry, error) {
	if err := gitcmd.CheckRevision(revision); err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, nil
	}
	entries, err := h.versions(ctx, revision, paths)
	if err != nil {
		return nil, err
	}
	return entries, h.describeAll(ctx, entries)
}

// versions is Versions without the metadata of the commits. It follows the full
// history: what a merge decided against is part of what became of a file.
func (h *Reader) versions(ctx context.Context, revision string, paths []string) ([]Entry, error) {
	args := append([]string{"rev-list", "--topo-order", "--full-history", revision, "--"}, paths...)
	commits, err := gitcmd.Run(ctx, h.repo.CommonDir, args...)
	if err != nil {
		return nil, fmt.Errorf("read the history of %s: %w", paths[0], err)
	}
	if commits == "" {
		return nil, nil
	}
	show := append([]string{"diff-tree", "--stdin", "-r", "-c", "--root", "--raw", "-z", "--no-renames", "--no-abbrev", "--"}, paths...)
	listing, err := gitcmd.RunInput(ctx, h.repo.CommonDir, []byte(commits), show...)
	if err != nil {
		return nil, fmt.Errorf("read the history of %s: %w", paths[0], err)
	}
	var entries []Entry
	commit := ""
	err = EachRaw(bufio.NewReader(strings.NewReader(listing)),
		func(name string) { commit = name },
		func(c Change) { entries = append(entries, Entry{Revision: commit, Change: c}) })
	return entries, err
}

func (h *Reader) describeAll(ctx context.Context, entries []Entry) error {
	for i := range entries {
		if err := h.describe(ctx, &entries[i]); err != nil {
			return err
		}
	}
	return nil
}
