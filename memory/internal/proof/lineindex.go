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

// Bounds of the files that lines are looked for in.
const (
	maxSearchedFiles = 3000
	maxSearchedLines = 3_000_000
)

// lineIndex says in which files a line is. It is safe for concurrent use, and goes on
// where a question had no more time.
type lineIndex struct {
	mu    sync.Mutex
	seed  maphash.Seed
	known map[string]bool  // files that are in it
	whole map[*search]bool // whose files were taken in, and whether all of them were
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

// lacks are the files of a search that are not in it; done says that they were taken in,
// and whole that all of them were.
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

// indexLines takes the files that changed since a commit into the index of lines, new
// ones first. whole is false where they were too many.
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
