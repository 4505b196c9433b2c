package write

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"engram/internal/filelock"
	"engram/memory/internal/core"
)

// RateError refuses a commit of an agent that has made as many in an hour as the
// team lets it.
type RateError struct {
	Agent string
	Limit int
	Until time.Time // from when on it may commit again
}

func (e *RateError) Error() string {
	return fmt.Sprintf("the agent %s has made %s within an hour, which is the limit; nothing was written",
		e.Agent, core.Plural(e.Limit, "commit"))
}

// rateLedger is when agents committed within the last hour, in this clone: derived
// state under the true names of agents, which never leaves the machine. Losing
// it only forgets.
type rateLedger map[string][]int64 // milliseconds, rising

func (l rateLedger) forget(before time.Time) {
	for agent, times := range l {
		kept := slices.DeleteFunc(times, func(t int64) bool { return t <= before.UnixMilli() })
		if l[agent] = kept; len(kept) == 0 {
			delete(l, agent)
		}
	}
}

// Turns are the places in the ledger that one commit takes, before it moves the
// branch: a process that dies in between has counted one too many, never one
// too few.
type Turns struct {
	M     *Writer
	taken map[string]int64 // by agent
}

// Take takes a place for each of the agents, in exchange for those it had. It
// is called under the writers' lock, so that two processes never take the last
// one both.
func (t *Turns) Take(ctx context.Context, limit int, agents map[string]bool) error {
	if err := t.GiveBack(ctx); err != nil || limit == 0 || len(agents) == 0 {
		return err
	}
	return t.M.withLedger(ctx, func(l rateLedger, now time.Time) error {
		for _, agent := range slices.Sorted(maps.Keys(agents)) {
			if times := l[agent]; len(times) >= limit {
				until := time.UnixMilli(times[len(times)-limit]).Add(core.RatePeriod).UTC()
				return &RateError{Agent: agent, Limit: limit, Until: until}
			}
		}
		t.taken = make(map[string]int64)
		for agent := range agents {
			t.taken[agent] = now.UnixMilli()
			l[agent] = append(l[agent], now.UnixMilli())
			slices.Sort(l[agent])
		}
		return nil
	})
}

// GiveBack gives back what was taken for a commit that was not made.
func (t *Turns) GiveBack(ctx context.Context) error {
	if len(t.taken) == 0 {
		return nil
	}
	err := t.M.withLedger(context.WithoutCancel(ctx), func(l rateLedger, _ time.Time) error {
		for agent, at := range t.taken {
			if i := slices.Index(l[agent], at); i >= 0 {
				l[agent] = slices.Delete(l[agent], i, i+1)
			}
		}
		return nil
	})
	t.taken = nil
	return err
}

// withLedger lets change change the ledger, and keeps it where it does not fail.
// One that cannot be read is begun anew.
func (m *Writer) withLedger(ctx context.Context, change func(l rateLedger, now time.Time) error) error {
	path := filepath.Join(m.Store.StateDir(), "rate", url.PathEscape(m.Store.Branch())+".json")
	release, err := filelock.Acquire(ctx, path+".lock", filelock.Exclusive)
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	l := make(rateLedger)
	if raw, err := os.ReadFile(path); err == nil {
		if json.Unmarshal(raw, &l) != nil || l == nil {
			l = make(rateLedger)
		}
	}
	now := m.Moment()
	l.forget(now.Add(-core.RatePeriod))
	if err := change(l, now); err != nil {
		return err
	}
	filelock.Sweep(path)
	raw, err := json.Marshal(l)
	if err == nil {
		err = core.ReplaceFile(path, raw)
	}
	if err != nil {
		return fmt.Errorf("count commits: %w", err)
	}
	return nil
}

// author is the agent that a draft is counted for: who imports it, or who states
// it. "" is a person, and not counted.
func (d Draft) author() string {
	if d.Imported {
		return d.Importer
	}
	return d.Fact.Provenance.Agent
}

// Charge counts what is planned for an agent, if it comes to be written.
func (p *Planner) Charge(agent string) {
	if agent == "" {
		return
	}
	if p.charged == nil {
		p.charged = make(map[string]bool)
	}
	p.charged[agent] = true
}
