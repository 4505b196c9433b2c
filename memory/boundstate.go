package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"engram/facts"
	"engram/internal/filelock"
)

// boundState is what this clone knows of bound facts and their branches. It is local
// and derived. What a lost one knew of branches is learned again while they exist; of
// those that are gone nothing is concluded any more.
type boundState struct {
	Tip  string            `json:"tip"`  // the revision that Open is about
	Open map[string]string `json:"open"` // the code branch by the path of each bound fact
	// Seen are the branches that had work of their own here, by name.
	Seen map[string]sighting `json:"seen"`
}

// sighting is when a branch was last seen with commits that the trunk does not have.
type sighting struct {
	Tips []string  `json:"tips"` // where it was, here and on remotes
	At   time.Time `json:"at"`
	// Landing is what comparing Judged, which may be earlier tips, with the commit
	// Trunk said.
	Judged  []string `json:"judged"`
	Trunk   string   `json:"trunk"`
	Landing int      `json:"landing"`
}

func (m *Memory) boundPath() string {
	return filepath.Join(m.store.StateDir(), "bound", url.PathEscape(m.store.Branch())+".json")
}

// lockBound keeps two processes from settling branches at once.
func (m *Memory) lockBound(ctx context.Context) (release func() error, err error) {
	return filelock.Acquire(ctx, m.boundPath()+".lock", filelock.Exclusive)
}

func (m *Memory) readBound() boundState {
	s := boundState{}
	raw, err := os.ReadFile(m.boundPath())
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	if err != nil || s.Open == nil {
		s.Tip, s.Open = "", make(map[string]string)
	}
	if s.Seen == nil {
		s.Seen = make(map[string]sighting)
	}
	return s
}

func (m *Memory) writeBound(s boundState) error {
	raw, err := json.Marshal(s)
	if err == nil {
		err = filelock.MakeFolder(filepath.Dir(m.boundPath()))
	}
	if err == nil {
		err = replace(m.boundPath(), raw)
	}
	if err != nil {
		return fmt.Errorf("remember branches: %w", err)
	}
	return nil
}

// HasBound reports whether any fact is bound to a code branch, so that who is called
// often, such as a hook, can leave it at that. It reads one file where the memory has
// not changed since it was last asked, and what has changed otherwise; never the
// index.
func (m *Memory) HasBound(ctx context.Context) (bool, error) {
	tip, err := m.store.Tip(ctx)
	if err != nil {
		return false, err
	}
	if s := m.readBound(); s.Tip == tip {
		return len(s.Open) > 0, nil
	}
	release, err := m.lockBound(ctx)
	if err != nil {
		return false, err
	}
	defer func() { _ = release() }()
	s := m.readBound()
	if err := m.catchUpBound(ctx, &s, tip); err != nil {
		return false, err
	}
	return len(s.Open) > 0, m.writeBound(s)
}

// manyChanges is from how many changed files on reading all of them in one stream is
// the better way.
const manyChanges = 1000

// catchUpBound brings Open up to a revision.
func (m *Memory) catchUpBound(ctx context.Context, s *boundState, tip string) error {
	if s.Tip == tip {
		return nil
	}
	now := m.moment()
	note := func(path string, data []byte) {
		delete(s.Open, path)
		if !bytes.Contains(data, []byte("branch")) { // which spares parsing nearly all
			return
		}
		key, ok := facts.KeyOfPath(path)
		if f, err := facts.ParseAt(key, data); ok && err == nil && f.IsBound() && open(f, now) {
			s.Open[path] = f.Branch
		}
	}
	if s.Tip != "" {
		changes, err := m.store.Diff(ctx, s.Tip, tip)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil && len(changes) < manyChanges {
			for _, c := range changes {
				data := []byte(nil)
				if c.New != "" {
					if data, _ = m.store.Blob(ctx, c.New); ctx.Err() != nil {
						return context.Cause(ctx)
					}
				}
				note(c.Path, data) // what cannot be read is no fact
			}
			s.Tip = tip
			return nil
		}
	}
	clear(s.Open)
	for file, err := range m.store.All(ctx, tip, "") {
		if err != nil {
			return err
		}
		if file.Err == nil {
			note(file.Path, file.Data)
		}
	}
	s.Tip = tip
	return nil
}

// openBound reads the bound facts that hold, and forgets the others.
func (m *Memory) openBound(ctx context.Context, s *boundState, tip string) ([]facts.Fact, error) {
	if err := m.catchUpBound(ctx, s, tip); err != nil {
		return nil, err
	}
	var list []facts.Fact
	now := m.moment()
	for path := range s.Open {
		key, _ := facts.KeyOfPath(path)
		f, found, err := m.factAt(ctx, tip, key)
		if err != nil && !errors.Is(err, ErrUnreadable) {
			return nil, err
		}
		if err != nil || !found || !f.IsBound() || !open(f, now) {
			delete(s.Open, path)
			continue
		}
		list = append(list, f)
	}
	return list, nil
}
