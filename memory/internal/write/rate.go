package write

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"engram/internal/filelock"
	"engram/memory/internal/core"
)

// RateError rejects a commit of an agent that has reached the hourly limit of the team.
type RateError struct {
	Agent string
	Limit int
	Until time.Time // from when on it may commit again
}

func (e *RateError) Error() string {
	return fmt.Sprintf("the agent %s has made %s within an hour, which is the limit; nothing was written",
		e.Agent, core.Plural(e.Limit, "commit"))
}

// rateLedger holds when agents committed within the last hour, in this clone. It is
// derived state under the real names of agents and never leaves the machine; losing it
// only forgets commits.
type rateLedger map[string][]int64 // milliseconds, rising

func (l rateLedger) forget(before time.Time) {
	for agent, times := range l {
		kept := slices.DeleteFunc(times, func(t int64) bool { return t <= before.UnixMilli() })
		if l[agent] = kept; len(kept) == 0 {
			delete(l, agent)
		}
	}
}

// RateReservation counts one commit against the rate limits of its agents before the
// branch moves, so that a process that dies in between has counted one too many, never
// one too few.
type RateReservation struct {
	m     *Writer
	taken map[string]int64 // by agent
}

// NewRateReservation returns an empty reservation.
func (m *Writer) NewRateReservation() *RateReservation { return &RateReservation{m: m} }

// Take counts the commit for each of the agents, in exchange for what it counted before.
// It must be called under the writers' lock, so that two processes never both take the
// last place. The error is a *RateError if an agent has reached the limit; a limit of 0
// permits everything.
func (r *RateReservation) Take(ctx context.Context, limit int, agents map[string]bool) error {
	if err := r.release(ctx); err != nil || limit == 0 || len(agents) == 0 {
		return err
	}
	return r.m.withLedger(ctx, func(l rateLedger, now time.Time) error {
		for _, agent := range slices.Sorted(maps.Keys(agents)) {
			if times := l[agent]; len(times) >= limit {
				until := time.UnixMilli(times[len(times)-limit]).Add(core.RatePeriod).UTC()
				return &RateError{Agent: agent, Limit: limit, Until: until}
			}
		}
		r.taken = make(map[string]int64)
		for agent := range agents {
			r.taken[agent] = now.UnixMilli()
			l[agent] = append(l[agent], now.UnixMilli())
			slices.Sort(l[agent])
		}
		return nil
	})
}

// ReleaseOn releases the reservation if err is not nil: the commit was not made.
func (r *RateReservation) ReleaseOn(ctx context.Context, err error) {
	if err == nil {
		return
	}
	if err := r.release(ctx); err != nil {
		r.m.Log.Warn("a commit that was not made counts for the rate", "error", err)
	}
}

func (r *RateReservation) release(ctx context.Context) error {
	if len(r.taken) == 0 {
		return nil
	}
	err := r.m.withLedger(context.WithoutCancel(ctx), func(l rateLedger, _ time.Time) error {
		for agent, at := range r.taken {
			if i := slices.Index(l[agent], at); i >= 0 {
				l[agent] = slices.Delete(l[agent], i, i+1)
			}
		}
		return nil
	})
	r.taken = nil
	return err
}

// withLedger loads the ledger, applies change and stores the result unless change fails.
// An unreadable ledger is replaced by an empty one.
func (m *Writer) withLedger(ctx context.Context, change func(l rateLedger, now time.Time) error) error {
	path := filepath.Join(m.Store.StateDir(), "rate", url.PathEscape(m.Store.Branch())+".json")
	release, err := filelock.Acquire(ctx, path+".lock", filelock.Exclusive)
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	l := make(rateLedger)
	if !core.ReadJSON(path, &l) || l == nil {
		l = make(rateLedger)
	}
	now := m.Moment()
	l.forget(now.Add(-core.RatePeriod))
	if err := change(l, now); err != nil {
		return err
	}
	filelock.Sweep(path)
	if err := core.WriteJSON(path, l); err != nil {
		return fmt.Errorf("count commits: %w", err)
	}
	return nil
}
