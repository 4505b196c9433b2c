package hooks

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"engram/internal/filelock"
	"engram/memory"
)

// upkeep settles a small amount, as every hook does, and returns a line about new
// conflicts. Larger amounts are left to git hooks, `engram watch` and audits, so late stops
// rest for a while.
func (h *agentHook) upkeep(ctx context.Context) (string, error) {
	r := &runner{RunOptions: RunOptions{Place: h.place, Branch: h.branch, Now: h.Now}}
	state := readTold(h.place)
	if r.look(); r.now == r.seen.Settled {
		return "", silence("nothing has changed since the last time")
	}
	if h.Now().Before(state.Rest) {
		return "", silence("stops took too long, and rest until " + state.Rest.Format(time.RFC3339))
	}
	release, held, err := filelock.Try(h.place.state(runLock), filelock.Exclusive)
	if err == nil && !held {
		err = silence("another hook is at it")
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = release() }()
	// Recorded before the work: the process may be killed during it.
	late := state
	late.Late++
	late.Rest = h.Now().Add(restAfter(late.Late))
	if err := late.write(h.place); err != nil {
		return "", err
	}
	m, done, err := h.Open(ctx, h.place, h.Event)
	if err != nil {
		return "", err
	}
	defer done()
	result, anyEvidence, err := settle(ctx, m, memory.SettleInput{Budget: h.Time / 2, Most: agentAudit})
	// A note names something omitted, such as too many facts to audit. Other hooks do it.
	if err == nil && ctx.Err() == nil && len(result.Notes) == 0 {
		state.Late = 0
		err = errors.Join(state.write(h.place), r.remember(result, anyEvidence))
	}
	return newConflicts(result), err
}

// newConflicts returns a line about the conflicts that an audit opened, without updates to
// confirm; "" if there are none.
func newConflicts(r memory.SettleResult) string {
	opened := slices.DeleteFunc(slices.Clone(r.Opened), func(c memory.Conflict) bool { return c.Verdict == evolution })
	if len(opened) == 0 {
		return ""
	}
	line := lineOf(memory.SettleResult{Opened: opened})[0] // "2 conflicts: …"
	return oneLine("engram: " + strings.Replace(line, " conflict", " new conflict", 1))
}
