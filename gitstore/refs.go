package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Tip is the newest revision of the memory branch. The error wraps ErrNoBranch
// where the branch does not exist.
func (s *Store) Tip(ctx context.Context) (string, error) {
	name, _, err := s.tip(ctx)
	return name, err
}

// tip also returns the tree of the revision.
func (s *Store) tip(ctx context.Context) (commit, tree string, err error) {
	obj, err := s.cat.get(ctx, s.ref, maxCommit)
	if errors.Is(err, ErrNotFound) {
		return "", "", fmt.Errorf("%w: %s does not exist", ErrNoBranch, s.branch)
	}
	if err != nil {
		return "", "", fmt.Errorf("read %s: %w", s.ref, err)
	}
	tree, err = treeOf(obj)
	return obj.name, tree, err
}

// maxCommit bounds a commit object: an import lists one line a fact.
const maxCommit = 64 << 20

func treeOf(obj object) (string, error) {
	rest, ok := strings.CutPrefix(string(obj.data[:min(len(obj.data), 46)]), "tree ")
	if obj.kind != "commit" || !ok || len(rest) < 40 {
		return "", fmt.Errorf("%s is a %s, not a commit", obj.name, obj.kind)
	}
	return rest[:40], nil
}

const zeroName = "0000000000000000000000000000000000000000"

// refUpdater moves references through one `git update-ref --stdin`. A refused
// update ends that git; the next one starts another.
type refUpdater struct {
	dir  string
	mu   sync.Mutex
	proc *process
}

// update moves ref from old to new, or does nothing. The error wraps ErrMoved
// or ErrLocked.
func (u *refUpdater) update(ctx context.Context, ref, new, old string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.proc == nil {
		// git does not sync references by default; an acknowledged fact needs it.
		p, err := startProcess(u.dir, "-c", "core.fsync=reference", "-c", "core.fsyncMethod=fsync",
			"update-ref", "-m", "engram", "--stdin")
		if err != nil {
			return err
		}
		u.proc = p
	}
	err := u.transaction(ref, new, old)
	if err == nil {
		return nil
	}
	p := u.proc
	u.proc = nil
	err = p.failed(ctx, err)
	said := p.stderr.String()
	switch {
	case strings.Contains(said, "but expected"), strings.Contains(said, "reference already exists"),
		strings.Contains(said, "unable to resolve reference"):
		return fmt.Errorf("%w: %s", ErrMoved, lastLine(said))
	case strings.Contains(said, ".lock': File exists"):
		return fmt.Errorf("%w: %s", ErrLocked, lastLine(said))
	}
	return fmt.Errorf("move %s: %w", ref, err)
}

func (u *refUpdater) transaction(ref, new, old string) error {
	if _, err := fmt.Fprintf(u.proc.in, "start\nupdate %s %s %s\ncommit\n", ref, new, old); err != nil {
		return err
	}
	for _, want := range []string{"start: ok\n", "commit: ok\n"} {
		got, err := u.proc.out.ReadString('\n')
		if err == nil && got != want {
			err = fmt.Errorf("git update-ref answered %q", got)
		}
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (u *refUpdater) close() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.proc == nil {
		return nil
	}
	p := u.proc
	u.proc = nil
	return p.stop()
}

// CheckedOutAt is the work tree that has the memory branch checked out, or "".
// Moving the branch under it would make its next commit take facts away.
func (s *Store) CheckedOutAt() string {
	heads, _ := filepath.Glob(filepath.Join(s.commonDir, "worktrees", "*", "HEAD"))
	if !s.bare {
		heads = append(heads, filepath.Join(s.commonDir, "HEAD"))
	}
	for _, head := range heads {
		b, err := os.ReadFile(head)
		if err != nil || strings.TrimSpace(string(b)) != "ref: "+s.ref {
			continue
		}
		dir := filepath.Dir(head)
		if link, err := os.ReadFile(filepath.Join(dir, "gitdir")); err == nil { // a linked work tree
			tree := filepath.Dir(strings.TrimSpace(string(link)))
			if _, err := os.Stat(tree); err != nil {
				continue // it was deleted and only awaits `git worktree prune`
			}
			return tree
		}
		return filepath.Dir(dir)
	}
	return ""
}
