package audit

import (
	"context"
	"slices"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// Mark is how far the last audit of this clone got. It is local and derived: without it, the
// next audit examines everything again, and writes nothing that exists already.
type Mark struct {
	Revision string `json:"revision"` // everything up to here has been examined
	Rules    int    `json:"rules"`    // by this version of the rules
	// Scheduled are facts that did not hold yet. They are examined once they do.
	Scheduled []compare.ScheduledFact `json:"planned,omitempty"`
}

// The files of an audit, local to the clone.
const (
	MarkFile       = ".json"
	UndecidedFile  = ".undecided.json" // pairs that models have not judged yet
	DisputesFile   = ".conflicts.json"
	ViolationsFile = ".violations.json" // of the policy, found by audits
	LockFile       = ".lock"
)

// ReadMark returns the mark of the last audit, or the zero Mark if it cannot be read.
func (m *Auditor) ReadMark() (mark Mark) {
	if !m.compare.ReadState(MarkFile, &mark) {
		return Mark{}
	}
	return mark
}

// lastUnaudited keeps the last answer of Unaudited, by from, to and tip.
type lastUnaudited struct{ core.Last[[3]string, []string] }

// Unaudited returns the blobs of the facts, except conflicts, that differ between two
// revisions and stand on the tip. If from is "" or no longer exists, it returns those of all
// facts at to. The caller does not change them.
func (m *Auditor) Unaudited(ctx context.Context, from, to, tip string) (blobs []string, err error) {
	if from == to {
		return nil, nil
	}
	return core.CacheOf[lastUnaudited](m.Memory).Of([3]string{from, to, tip}, func() ([]string, error) { return m.findUnaudited(ctx, from, to, tip) })
}

func (m *Auditor) findUnaudited(ctx context.Context, from, to, tip string) (blobs []string, err error) {
	changes, err := m.Changes(ctx, from, to)
	for _, c := range changes {
		key, ok := facts.KeyOfPath(c.Path)
		if !ok || c.New == "" || detect.IsConflict(key) {
			continue
		}
		if to != tip {
			if stands, err := m.Store.BlobAt(ctx, tip, c.Path); err != nil {
				return nil, err
			} else if stands != c.New {
				continue
			}
		}
		blobs = append(blobs, c.New)
	}
	return slices.Clip(blobs), err
}

// Changes returns the files that differ between two revisions, or all files at to if from
// is "" or no longer exists.
func (m *Auditor) Changes(ctx context.Context, from, to string) ([]gitstore.Change, error) {
	if from != "" {
		changes, err := m.Store.Diff(ctx, from, to)
		if err == nil || ctx.Err() != nil {
			return changes, err
		}
	}
	files, err := m.Store.Files(ctx, to, "")
	var changes []gitstore.Change
	for _, f := range files {
		if f.Err == nil {
			changes = append(changes, gitstore.Change{Path: f.Path, New: f.Blob})
		}
	}
	return changes, err
}

// inForce are the blobs of facts that were scheduled when they were audited, still
// stand, and hold by now.
func (m *Auditor) inForce(ctx context.Context, list []compare.ScheduledFact, tip string, now time.Time) (blobs []string, err error) {
	for _, p := range list {
		if p.Begin.After(now) {
			continue
		}
		blob, err := m.Store.BlobAt(ctx, tip, p.Key.Path())
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
func (m *Auditor) revisionOf(ctx context.Context, name, tip string) (string, error) {
	revision, err := m.Store.Ancestor(ctx, name, tip)
	if err != nil {
		return "", core.UsageErrorf(hint.Hint{}, "%w", err)
	}
	return revision, nil
}
