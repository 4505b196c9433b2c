package proof

import (
	"context"
	"sync"
	"time"

	"engram/memory/internal/core"
)

// verdicts are those that took a search, kept by a memory that stays open for as long
// as HEAD and what is staged are the same. What somebody changes without staging it
// shows after keptFor. It is safe for concurrent use; nil keeps nothing.
type verdicts struct {
	mu    sync.Mutex
	stamp string
	list  map[verdictOf]keptVerdict
	// searches are by commit, as far as they do not look at the work tree.
	searches map[string]*search
	found    *lineIndex // of the files of these
}

// verdictOf is a pointer with the name of what stands at its path.
type verdictOf struct{ ref, digest, here string }

type keptVerdict struct {
	Located
	blob string // of the file that has it now
	at   time.Time
}

const (
	keptFor     = 10 * time.Second
	maxVerdicts = 10_000
)

// verdictsFor are those of a state of the code; others are forgotten.
func (m *Verifier) verdictsFor(stamp string, work bool) *verdicts {
	if !work {
		stamp += " committed"
	}
	v := core.CacheOf[verdicts](m.Memory)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.stamp != stamp {
		v.stamp, v.list, v.searches, v.found = stamp, nil, nil, nil
	}
	return v
}

// get is a verdict that is still right, of a checker that need not be thorough.
func (v *verdicts) get(ctx context.Context, c *Checker, l Located) (Located, bool) {
	if v == nil || c.thorough {
		return l, false
	}
	v.mu.Lock()
	kept, known := v.list[verdictOf{l.Ref, l.Digest, c.hereAt(l.Path)}]
	v.mu.Unlock()
	if !known || time.Since(kept.at) > keptFor {
		return l, false
	}
	if kept.Freshness == core.Moved {
		f, err := c.File(ctx, kept.Path)
		return kept.Located, err == nil && f.Name == kept.blob
	}
	return kept.Located, true
}

// put keeps a verdict and returns it.
func (v *verdicts) put(c *Checker, of, verdict Located, blob string) Located {
	if v == nil || c.thorough {
		return verdict
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.list == nil || len(v.list) >= maxVerdicts {
		v.list = make(map[verdictOf]keptVerdict)
	}
	v.list[verdictOf{of.Ref, of.Digest, c.hereAt(of.Path)}] = keptVerdict{verdict, blob, time.Now()}
	return verdict
}

// search is one that an earlier question made; nil where there was none.
func (v *verdicts) search(c *Checker, commit string) *search {
	if v == nil || c.thorough {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.searches[commit]
}

// maxKeptSearches bounds what is kept of many commits.
const maxKeptSearches = 100

func (v *verdicts) putSearch(c *Checker, commit string, s *search) {
	if v == nil || c.thorough {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.searches == nil || len(v.searches) >= maxKeptSearches {
		v.searches, v.found = make(map[string]*search), nil
	}
	v.searches[commit] = s
}

// lines is the index of lines that questions share.
func (v *verdicts) lines() *lineIndex {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.found == nil {
		v.found = newLineIndex()
	}
	return v.found
}

// hereAt is the name of what stands at a path that was looked at.
func (c *Checker) hereAt(path string) string { return nameOfFile(c.files[path]) }
