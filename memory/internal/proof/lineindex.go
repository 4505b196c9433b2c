package proof

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"engram/evidence"
)

// Bounds of the files in which lines are searched for.
const (
	maxSearchedFiles = 3000
	maxSearchedLines = 3_000_000
)

// lineIndex maps lines to the files that have them. It is safe for concurrent use; a later
// question continues where an earlier one ran out of time.
type lineIndex struct {
	mu    sync.Mutex
	seed  maphash.Seed
	known map[string]bool  // indexed files
	whole map[*search]bool // indexed searches, and whether all their files are indexed
	lines int
	at    map[uint64][]string
}

func newLineIndex() *lineIndex {
	return &lineIndex{seed: maphash.MakeSeed(), known: make(map[string]bool), whole: make(map[*search]bool), at: make(map[uint64][]string)}
}

func (x *lineIndex) full() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.known) >= maxSearchedFiles || x.lines >= maxSearchedLines
}

// lacks returns the files of a search that are not indexed yet; done reports that the
// search was indexed, and whole that all its files were.
func (x *lineIndex) lacks(s *search) (paths []string, done, whole bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if whole, done = x.whole[s]; done {
		return nil, true, whole
	}
	for path := range s.changed {
		if !x.known[path] {
			paths = append(paths, path)
		}
	}
	return paths, false, false
}

func (x *lineIndex) completed(s *search, whole bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.whole[s] = whole
}

func (x *lineIndex) add(path string, content *evidence.Content) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.known[path] {
		return
	}
	x.known[path] = true
	for _, line := range content.Lines() {
		sum := maphash.Bytes(x.seed, line)
		if in := x.at[sum]; len(in) == 0 || in[len(in)-1] != path {
			x.at[sum] = append(in, path)
			x.lines++
		}
	}
}

func (x *lineIndex) files(line []byte) []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.at[maphash.Bytes(x.seed, line)])
}

// indexLines indexes the files that changed since a commit, new files first. whole is
// false if there were too many.
func (c *Checker) indexLines(ctx context.Context, s *search) (whole bool, err error) {
	paths, done, whole := c.lines.lacks(s)
	if done {
		return whole, nil
	}
	whole = true
	slices.SortFunc(paths, func(p, q string) int {
		if isNew := s.changed[p].Old == ""; isNew != (s.changed[q].Old == "") {
			if isNew {
				return -1
			}
			return 1
		}
		return strings.Compare(p, q)
	})
	for _, path := range paths {
		if c.lines.full() {
			whole = false
			break
		}
		if err := ctx.Err(); err != nil {
			return false, fmt.Errorf("look through changed files: %w", err)
		}
		f, err := c.File(ctx, path)
		if err != nil {
			return false, err
		}
		if f.Content != nil {
			c.lines.add(path, f.Content)
		}
	}
	c.lines.completed(s, whole)
	return whole, nil
}
