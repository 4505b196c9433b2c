package gitstore

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

// reachedTime is how long a commit counts as one that a branch or tag has, after that was
// so. To walk a long history takes longer than to read what stands in it.
const reachedTime = time.Minute

// maxReached is how many such commits are kept.
const maxReached = 1000

// reachCache keeps when a commit was last seen on a branch or tag.
type reachCache struct {
	mu   sync.Mutex
	seen map[string]time.Time
}

func (c *reachCache) has(commit string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, known := c.seen[commit]
	return known && time.Since(at) < reachedTime
}

func (c *reachCache) add(commit string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil || len(c.seen) >= maxReached {
		c.seen = make(map[string]time.Time)
	}
	c.seen[commit] = time.Now()
}

// CodeHas reports whether a commit, named in full, is in the history of the code: of a
// branch here or at a remote, of a tag, or of what this work tree is at. What was amended
// or rebased away, stashed or dropped is not, nor what other references keep. The answer yes is up to a minute old.
func (s *Store) CodeHas(ctx context.Context, commit string) (bool, error) {
	if s.reached.has(commit) {
		return true, nil
	}
	head, err := s.CodeHead(ctx)
	if err != nil {
		return false, err
	}
	if commit != head {
		args := []string{"rev-list", "-1", commit, "--not",
			"--exclude=" + s.branch, "--exclude=" + s.branch + proposedSuffix, "--branches",
			"--exclude=*/" + s.branch, "--exclude=*/" + s.branch + proposedSuffix, "--remotes", "--tags"}
		if head != "" {
			args = append(args, head)
		}
		out, err := run(ctx, s.commonDir, append(args, "--")...)
		if err != nil {
			return false, fmt.Errorf("look for branches with commit %s: %w", commit, err)
		}
		if strings.TrimSpace(out) != "" {
			return false, nil
		}
	}
	s.reached.add(commit)
	return true, nil
}
