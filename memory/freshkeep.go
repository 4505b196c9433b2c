package memory

import (
	"context"
	"sync"
	"time"
)

// verdicts are those that took a search, kept by a memory that stays open for as long
// as HEAD and what is staged are the same. What somebody changes without staging it
// shows after keptFor. It is safe for concurrent use; nil keeps nothing.
type verdicts struct {
	mu    sync.Mutex
	stamp string
	list  map[verdictOf]keptVerdict
}

// verdictOf is a pointer with the name of what stands at its path.
type verdictOf struct{ ref, digest, here string }

type keptVerdict struct {
	located
	blob string // of the file that has it now
	at   time.Time
}

const (
	keptFor     = 10 * time.Second
	maxVerdicts = 10_000
)

// verdictsFor are those of a state of the code; others are forgotten.
func (m *Memory) verdictsFor(stamp string, work bool) *verdicts {
	if !work {
		stamp += " committed"
	}
	v := &m.verdicts
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.stamp != stamp {
		v.stamp, v.list = stamp, nil
	}
	return v
}

// get is a verdict that is still right, of a checker that need not be thorough.
func (v *verdicts) get(ctx context.Context, c *checker, l located) (located, bool) {
	if v == nil || c.thorough {
		return l, false
	}
	v.mu.Lock()
	kept, known := v.list[verdictOf{l.Ref, l.Digest, c.hereAt(l.path)}]
	v.mu.Unlock()
	if !known || time.Since(kept.at) > keptFor {
		return l, false
	}
	if kept.Freshness == Moved {
		f, err := c.file(ctx, kept.path)
		return kept.located, err == nil && f.Name == kept.blob
	}
	return kept.located, true
}

// put keeps a verdict and returns it.
func (v *verdicts) put(c *checker, of, verdict located, blob string) located {
	if v == nil || c.thorough {
		return verdict
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.list == nil || len(v.list) >= maxVerdicts {
		v.list = make(map[verdictOf]keptVerdict)
	}
	v.list[verdictOf{of.Ref, of.Digest, c.hereAt(of.path)}] = keptVerdict{verdict, blob, time.Now()}
	return verdict
}

// hereAt is the name of what stands at a path that was looked at.
func (c *checker) hereAt(path string) string { return nameOfFile(c.files[path]) }
