package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/filelock"
	"engram/internal/hint"
)

// auditMark is what the last audit of this clone reached. It is local and
// derived: without it the next audit looks at everything again, and writes
// nothing that is there already.
type auditMark struct {
	Revision string `json:"revision"` // everything up to here has been examined
	Rules    int    `json:"rules"`    // by this version of the rules
	// Planned are facts that had not begun yet. They are examined once they have.
	Planned []planned `json:"planned,omitempty"`
}

// planned is a fact that begins later than it was audited.
type planned struct {
	Key   facts.Key `json:"key"`
	Blob  string    `json:"blob"`
	Begin time.Time `json:"begin"`
}

// The files of an audit, local to the clone.
const (
	markFile      = ".json"
	undecidedFile = ".undecided.json" // pairs that models have not judged yet
	disputesFile  = ".conflicts.json"
	againstFile   = ".violations.json" // of the policy, found by audits
	auditLock     = ".lock"
)

func (m *Memory) auditPath(file string) string {
	return filepath.Join(m.store.StateDir(), "audit", url.PathEscape(m.store.Branch())+file)
}

// readMark is the zero mark where there is none that can be read.
func (m *Memory) readMark() (mark auditMark) {
	if !m.readState(markFile, &mark) {
		return auditMark{}
	}
	return mark
}

// readState reads a file of an audit; ok is false where it cannot be used.
func (m *Memory) readState(file string, into any) (ok bool) {
	return readJSON(m.auditPath(file), into)
}

func (m *Memory) writeState(file string, state any) error {
	if err := writeJSON(m.auditPath(file), state); err != nil {
		return fmt.Errorf("remember the audit: %w", err)
	}
	return nil
}

// readJSON reads a file of local state; ok is false where it cannot be used.
func readJSON(path string, into any) (ok bool) {
	raw, err := os.ReadFile(path)
	return err == nil && json.Unmarshal(raw, into) == nil
}

func writeJSON(path string, state any) error {
	raw, err := json.Marshal(state)
	if err == nil {
		err = filelock.MakeFolder(filepath.Dir(path))
	}
	if err == nil {
		err = replace(path, raw)
	}
	return err
}

// replace writes a file at once, whoever else does so at the same time.
func replace(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// unaudited are the blobs of the facts that differ between a revision and
// another and stand on the tip, conflicts left out; of everything where from is
// "" or is gone.
func (m *Memory) unaudited(ctx context.Context, from, to, tip string) (blobs []string, err error) {
	if from == to {
		return nil, nil
	}
	changes, err := m.changes(ctx, from, to)
	for _, c := range changes {
		key, ok := facts.KeyOfPath(c.Path)
		if !ok || c.New == "" || detect.IsConflict(key) {
			continue
		}
		if to != tip {
			if stands, err := m.store.BlobAt(ctx, tip, c.Path); err != nil {
				return nil, err
			} else if stands != c.New {
				continue
			}
		}
		blobs = append(blobs, c.New)
	}
	return blobs, err
}

// changes are the files that differ between two revisions; all files of the
// second where the first is "" or is gone.
func (m *Memory) changes(ctx context.Context, from, to string) ([]gitstore.Change, error) {
	if from != "" {
		changes, err := m.store.Diff(ctx, from, to)
		if err == nil || ctx.Err() != nil {
			return changes, err
		}
	}
	files, err := m.store.Files(ctx, to, "")
	var changes []gitstore.Change
	for _, f := range files {
		if f.Err == nil {
			changes = append(changes, gitstore.Change{Path: f.Path, New: f.Blob})
		}
	}
	return changes, err
}

// begun are the blobs of facts that were planned when they were audited, still
// stand, and hold by now.
func (m *Memory) begun(ctx context.Context, list []planned, tip string, now time.Time) (blobs []string, err error) {
	for _, p := range list {
		if p.Begin.After(now) {
			continue
		}
		blob, err := m.store.BlobAt(ctx, tip, p.Key.Path())
		if err != nil {
			return nil, err
		}
		if blob == p.Blob {
			blobs = append(blobs, blob)
		}
	}
	return blobs, nil
}

// revisionOf takes the name of a revision of the memory branch.
func (m *Memory) revisionOf(ctx context.Context, name, tip string) (string, error) {
	revision, err := m.store.Ancestor(ctx, name, tip)
	if err != nil {
		return "", wrong(hint.Hint{}, "%w", err)
	}
	return revision, nil
}
