package proof

import (
	"sync"
	"time"

	"engram/facts"
	"engram/index"
	"engram/memory/internal/core"
)

// lastCheck keeps what the last Verify of all facts against the checkout found, while the
// memory is open. It is safe for concurrent use.
type lastCheck struct {
	mu       sync.Mutex
	at       time.Time
	verdicts map[uint64]index.Verdict // immutable
}

// LastCheck returns the verdicts of the last Verify in this process that had no filter and
// checked everything against the work tree, by index.KeyDigest, and when it ended. They are
// nil if there was none. What has changed since, facts or code, is not in them. The caller
// must not change them.
func (m *Verifier) LastCheck() (verdicts map[uint64]index.Verdict, at time.Time) {
	l := core.CacheOf[lastCheck](m.Memory)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.verdicts, l.at
}

// keepCheck keeps verdicts for LastCheck.
func (m *Verifier) keepCheck(verdicts map[uint64]index.Verdict) {
	l := core.CacheOf[lastCheck](m.Memory)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.verdicts, l.at = verdicts, m.Moment()
}

// verdictOn is a verdict on a fact for LastCheck.
func verdictOn(f facts.Fact, worst core.Freshness) (key uint64, v index.Verdict) {
	return index.KeyDigest(f.Key.String()), index.Verdict{Version: index.VersionDigest(f), Verdict: string(worst)}
}
