package codebranch

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"engram/internal/filelock"
	"engram/memory/internal/core"
)

// BoundState is what this clone knows of bound facts and their branches. It is local
// and derived. If it is lost, branches that still exist are observed again; branches that
// are gone stay undecided.
type BoundState struct {
	Tip  string            `json:"tip"`  // the revision that Open is about
	Open map[string]string `json:"open"` // the code branch by the path of each bound fact
	// Seen has, by name, the branches that were observed here with unmerged commits.
	Seen map[string]Observation `json:"seen"`
}

// Observation is when a branch was last seen with commits that the trunk does not have.
type Observation struct {
	Tips []string  `json:"tips"` // where it was, here and on remotes
	At   time.Time `json:"at"`
	// Landing is the result of comparing Judged, which may be earlier tips, with the
	// trunk at the commit Trunk.
	Judged  []string `json:"judged"`
	Trunk   string   `json:"trunk"`
	Landing int      `json:"landing"`
}

func (m *Watcher) boundPath() string {
	return filepath.Join(m.Store.StateDir(), "bound", url.PathEscape(m.Store.Branch())+".json")
}

// LockBound waits for the lock that lets one process at a time settle branches.
func (m *Watcher) LockBound(ctx context.Context) (release func() error, err error) {
	return filelock.Acquire(ctx, m.boundPath()+".lock", filelock.Exclusive)
}

// ReadBound reads the state of this clone. If the file is missing or damaged, the state is
// empty.
func (m *Watcher) ReadBound() BoundState {
	s := BoundState{}
	if !core.ReadJSON(m.boundPath(), &s) || s.Open == nil {
		s.Tip, s.Open = "", make(map[string]string)
	}
	if s.Seen == nil {
		s.Seen = make(map[string]Observation)
	}
	return s
}

// WriteBound replaces the state of this clone. The caller must hold the lock of LockBound.
func (m *Watcher) WriteBound(s BoundState) error {
	if err := core.WriteJSON(m.boundPath(), s); err != nil {
		return fmt.Errorf("remember branches: %w", err)
	}
	return nil
}
