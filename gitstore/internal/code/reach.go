package code

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"engram/facts"
	"engram/gitstore/internal/gitcmd"
)

// reachedTime is how long a positive answer of CodeHas is cached: walking a long
// history takes longer than reading a file in it.
const reachedTime = time.Minute

// maxReached is how many such commits are kept.
const maxReached = 1000

// reachCache stores when a commit was last seen on a branch or tag.
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
// branch here or at a remote, of a tag, or of what this work tree is at. Commits that
// were amended, rebased away, stashed or dropped do not count, nor those that only other
// references keep. A positive answer may be a minute old.
func (r *Reader) CodeHas(ctx context.Context, commit string) (bool, error) {
	if r.reached.has(commit) {
		return true, nil
	}
	head, err := r.CodeHead(ctx)
	if err != nil {
		return false, err
	}
	if commit != head {
		args := []string{"rev-list", "-1", commit, "--not",
			"--exclude=" + r.repo.Branch, "--exclude=" + r.repo.Branch + facts.ProposedSuffix, "--branches",
			"--exclude=*/" + r.repo.Branch, "--exclude=*/" + r.repo.Branch + facts.ProposedSuffix, "--remotes", "--tags"}
		if head != "" {
			args = append(args, head)
		}
		out, err := gitcmd.Run(ctx, r.repo.CommonDir, append(args, "--")...)
		if err != nil {
			return false, fmt.Errorf("look for branches with commit %s: %w", commit, err)
		}
		if strings.TrimSpace(out) != "" {
			return false, nil
		}
	}
	r.reached.add(commit)
	return true, nil
}
