package hooks

import (
	"context"
	"errors"
	"strings"
	"time"

	"engram/internal/filelock"
	"engram/memory"
)

// upkeep settles what is little, as every hook does, and says in one line what
// is in conflict since. What is much is left to the hooks of git, to `engram
// watch` and to audits by hand, so stops that are late rest for a while.
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
	// Said before it is done: the process may end in the middle.
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
	result, err := m.Settle(ctx, memory.SettleInput{Budget: h.Time / 2, Most: agentAudit})
	if err != nil {
		return "", err
	}
	evidence, err := m.Evidence(ctx, nil)
	// A note is something that was left out, such as too many facts to audit: it is
	// for others, and there tomorrow as well.
	if err != nil || ctx.Err() != nil || len(result.Notes) > 0 {
		return newConflicts(result), err
	}
	state.Late = 0
	err = state.write(h.place)
	after := look(h.place, h.branch, result.Bound)
	if after.Remotes == r.now.Remotes && (after.Local == result.Revision || after.Local == r.now.Local) {
		err = errors.Join(err, r.remember(after, seen{Evidence: evidence.Any, Bound: result.Bound}))
	}
	return newConflicts(result), err
}

// newConflicts says in one line what an audit opened, but for updates to confirm.
func newConflicts(r memory.SettleResult) string {
	var opened []memory.Conflict
	for _, c := range r.Opened {
		if c.Verdict != evolution {
			opened = append(opened, c)
		}
	}
	if len(opened) == 0 {
		return ""
	}
	line := lineOf(memory.SettleResult{Opened: opened})[0] // "2 conflicts: …"
	return oneLine("engram: " + strings.Replace(line, " conflict", " new conflict", 1))
}
