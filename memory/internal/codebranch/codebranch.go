// Package codebranch observes the code branches that facts are bound to. What becomes of
// such facts is up to package branches.
package codebranch

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"engram/gitstore"
	"engram/internal/filelock"
	"engram/memory/internal/core"
)

// Watcher observes the code branches of a memory's repository.
type Watcher struct{ *core.Memory }

// New returns the Watcher of a memory.
func New(m *core.Memory) *Watcher { return &Watcher{m} }

// status is what this clone knows about a code branch that facts are bound to.
type status struct {
	Here    bool // a local or fetched branch has the name
	Seen    bool // it was seen here with commits that the trunk did not have
	Landing gitstore.Landing
	Holder  string // another reference that contains these commits
	Follows bool   // if it were on a remote, it would be seen here
}

// Outcome is the decision about the facts of a branch.
type Outcome int

const (
	Wait    Outcome = iota // they stay bound
	Merged                 // they are promoted
	Dropped                // they are retired
)

// Outcome decides from the status of a branch. A clone settles only branches on which it
// has seen commits. undecided means that a person has to decide.
//
//  1. No commits of its own were seen: wait. The branch may be new, or belong to
//     another clone.
//  2. These commits are in the trunk: merged, whether or not the branch still exists.
//  3. They are not, and the branch exists: wait.
//  4. The branch is gone, and another reference has its commits: wait. It was
//     renamed, or another branch builds on it.
//  5. The branch is gone, and similar changes are in the trunk: wait for a person.
//  6. The branch is gone, and a remote may have it: wait.
//  7. The branch is gone, and so are its commits: dropped.
func (b status) Outcome() (f Outcome, reason string, undecided bool) {
	switch {
	case !b.Seen:
		return Wait, "no commits of its own have been seen here", false
	case b.Landing == gitstore.HasLanded:
		return Merged, "", false
	case b.Here:
		return Wait, "it has commits that are not in the trunk", false
	case b.Holder != "":
		return Wait, "it is gone, and " + b.Holder + " has its commits", true
	case b.Landing == gitstore.MayHaveLanded:
		return Wait, "it is gone, and its work may be in the trunk in another form", true
	case !b.Follows:
		return Wait, "it is gone here, and a remote may have it: not all branches of each are fetched", true
	}
	return Dropped, "", false
}

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
