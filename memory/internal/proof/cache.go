package proof

import (
	"context"
	"sync"
	"time"

	"engram/memory/internal/core"
)

// verdictCache keeps verdicts that needed a search while a memory is open, as long as
// HEAD and the staged files are the same. A change that is not staged takes effect after
// cacheTime. It is safe for concurrent use; a nil cache keeps nothing.
type verdictCache struct {
	mu    sync.Mutex
	stamp string
	list  map[cacheKey]cachedVerdict
	// searches are by commit, unless they examined the work tree.
	searches map[string]*search
	found    *lineIndex // of the files of these
}

// cacheKey is a pointer with the name of what is at its path.
type cacheKey struct{ ref, digest, here string }

type cachedVerdict struct {
	Verdict
	blob string // of the file that has it now
	at   time.Time
}

const (
	cacheTime         = 10 * time.Second
	maxCachedVerdicts = 10_000
)

// cacheFor returns the cache for a state of the code and drops the verdicts on others.
func (m *Verifier) cacheFor(stamp string, work bool) *verdictCache {
	if !work {
		stamp += " committed"
	}
	v := core.CacheOf[verdictCache](m.Memory)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.stamp != stamp {
		v.stamp, v.list, v.searches, v.found = stamp, nil, nil, nil
	}
	return v
}

// get returns a verdict that is still valid, for a Checker that is not thorough.
func (v *verdictCache) get(ctx context.Context, c *Checker, l Verdict) (Verdict, bool) {
	if v == nil || c.thorough {
		return l, false
	}
	v.mu.Lock()
	kept, known := v.list[cacheKey{l.Ref, l.Digest, c.nameAt(l.Path)}]
	v.mu.Unlock()
	if !known || time.Since(kept.at) > cacheTime {
		return l, false
	}
	if kept.Freshness == core.Moved {
		f, err := c.File(ctx, kept.Path)
		return kept.Verdict, err == nil && f.Name == kept.blob
	}
	return kept.Verdict, true
}

// put stores a verdict and returns it.
func (v *verdictCache) put(c *Checker, of, verdict Verdict, blob string) Verdict {
	if v == nil || c.thorough {
		return verdict
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.list == nil || len(v.list) >= maxCachedVerdicts {
		v.list = make(map[cacheKey]cachedVerdict)
	}
	v.list[cacheKey{of.Ref, of.Digest, c.nameAt(of.Path)}] = cachedVerdict{verdict, blob, time.Now()}
	return verdict
}

// search returns the search of an earlier question, or nil.
func (v *verdictCache) search(c *Checker, commit string) *search {
	if v == nil || c.thorough {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.searches[commit]
}

// maxCachedSearches bounds the searches that are kept.
const maxCachedSearches = 100

func (v *verdictCache) putSearch(c *Checker, commit string, s *search) {
	if v == nil || c.thorough {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.searches == nil || len(v.searches) >= maxCachedSearches {
		v.searches, v.found = make(map[string]*search), nil
	}
	v.searches[commit] = s
}

// lines returns the index of lines that questions share.
func (v *verdictCache) lines() *lineIndex {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.found == nil {
		v.found = newLineIndex()
	}
	return v.found
}

// nameAt returns the object name of a file that was read.
func (c *Checker) nameAt(path string) string { return nameOfFile(c.files[path]) }
