package codebranch

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"engram/internal/filelock"
	"engram/memory/internal/core"
)

// BoundState is what this clone knows of bound facts and their branches. It is local
// and derived. What a lost one knew of branches is learned again while they exist; of
// those that are gone nothing is concluded any more.
type BoundState struct {
	Tip  string            `json:"tip"`  // the revision that Open is about
	Open map[string]string `json:"open"` // the code branch by the path of each bound fact
	// Seen are the branches that had work of their own here, by name.
	Seen map[string]Observation `json:"seen"`
}

// Observation is when a branch was last seen with commits that the trunk does not have.
type Observation struct {
	Tips []string  `json:"tips"` // where it was, here and on remotes
	At   time.Time `json:"at"`
	// Landing is what comparing Judged, which may be earlier tips, with the commit
	// Trunk said.
	Judged  []string `json:"judged"`
	Trunk   string   `json:"trunk"`
	Landing int      `json:"landing"`
}

func (m *Watcher) boundPath() string {
	return filepath.Join(m.Store.StateDir(), "bound", url.PathEscape(m.Store.Branch())+".json")
}

// LockBound keeps two processes from settling branches at once.
func (m *Watcher) LockBound(ctx context.Context) (release func() error, err error) {
	return filelock.Acquire(ctx, m.boundPath()+".lock", filelock.Exclusive)
}

func (m *Watcher) ReadBound() BoundState {
	s := BoundState{}
	raw, err := os.ReadFile(m.boundPath())
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	if err != nil || s.Open == nil {
		s.Tip, s.Open = "", make(map[string]string)
	}
	if s.Seen == nil {
		s.Seen = make(map[string]Observation)
	}
	return s
}

func (m *Watcher) WriteBound(s BoundState) error {
	raw, err := json.Marshal(s)
	if err == nil {
		err = filelock.MakeFolder(filepath.Dir(m.boundPath()))
	}
	if err == nil {
		err = core.Replace(m.boundPath(), raw)
	}
	if err != nil {
		return fmt.Errorf("remember branches: %w", err)
	}
	return nil
}
