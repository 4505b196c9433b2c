package memory

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
	whole map[*search]bool // whose files all are
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

// lacks are the files of a search that are not in it; whole says that it was complete.
func (x *lineIndex) lacks(s *search) (paths []string, whole bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.whole[s] {
		return nil, true
	}
	for path := range s.changed {
		if !x.known[path] {
			paths = append(paths, path)
		}
	}
	return paths, false
}

func (x *lineIndex) completed(s *search) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.whole[s] = true
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
// ones first.
func (c *checker) indexLines(ctx context.Context, s *search) error {
	paths, whole := c.found.lacks(s)
	if whole {
		return nil
	}
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
		if c.found.full() {
			break
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("look through changed files: %w", err)
		}
		f, err := c.file(ctx, path)
		if err != nil {
			return err
		}
		if f.content != nil {
			c.found.add(path, f.content)
		}
	}
	c.found.completed(s)
	return nil
}
