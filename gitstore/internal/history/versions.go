package history

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"engram/gitstore/internal/gitcmd"
)

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
	args := append([]string{"rev-list", "--topo-order", "--full-history", revision, "--"}, paths...)
	out, err := gitcmd.Run(ctx, h.repo.CommonDir, args...)
	if err != nil {
		return nil, fmt.Errorf("read the history of %s: %w", paths[0], err)
	}
	if out == "" {
		return nil, nil
	}
	show := append([]string{"diff-tree", "--stdin", "-r", "-c", "--root", "--raw", "-z", "--no-renames", "--no-abbrev", "--"}, paths...)
	listing, err := gitcmd.RunInput(ctx, h.repo.CommonDir, []byte(out), show...)
	if err != nil {
		return nil, fmt.Errorf("read the history of %s: %w", paths[0], err)
	}
	var entries []Entry
	commit := ""
	err = EachRaw(bufio.NewReader(strings.NewReader(listing)),
		func(name string) { commit = name },
		func(c Change) { entries = append(entries, Entry{Revision: commit, Change: c}) })
	if err != nil {
		return nil, err
	}
	for i := range entries {
		if err := h.describe(ctx, &entries[i]); err != nil {
			return nil, err
		}
	}
	return entries, nil
}
