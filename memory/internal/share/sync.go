package share

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"engram/gitstore"
	"engram/memory/internal/core"
)

// SyncInput names the remote to sync with.
type SyncInput struct {
	Remote string        // "" is the upstream of the memory branch
	Budget time.Duration // of each model of the audit; 0 means DefaultNLIBudget
}

// SyncResult says what was fetched, what followed from it, and what was pushed.
type SyncResult struct {
	SettleResult
	Remote   string `json:"remote"`
	Fetched  bool   `json:"fetched"`  // the remote has a memory
	Pushed   int    `json:"pushed"`   // commits that the remote has now and had not
	Attempts int    `json:"attempts"` // 1, and one more for each race that was lost
}

// syncAttempts is how many races in a row a sync loses before it gives up.
const syncAttempts = 20

// Sync fetches the memory, merges it, audits what arrived, and pushes what the remote lacks.
// It starts over if somebody else pushed meanwhile. It uses the git binary, so git's own
// configuration applies, and never forces.
//
// What it cannot push stays on the branch, which is the queue: Status says how much is
// waiting, and Watch tries again. The error wraps one of gitstore's:
// ErrNoRemote, ErrUnreachable, ErrDenied, ErrRefused, ErrRejected.
func (m *Sharer) Sync(ctx context.Context, in SyncInput) (SyncResult, error) {
	r := SyncResult{Remote: in.Remote}
	err := m.sync(ctx, in, &r)
	if ctx.Err() == nil {
		m.queue(r.Remote, err)
	}
	return r, err
}

func (m *Sharer) sync(ctx context.Context, in SyncInput, r *SyncResult) (err error) {
	if r.Remote == "" {
		if r.Remote, err = m.Store.Upstream(ctx); err != nil {
			return err
		}
	}
	if r.Remote == "" {
		return fmt.Errorf("%w: there is no remote to share the memory with", gitstore.ErrNoRemote)
	}
	err = m.untilAccepted(ctx, func(attempt int) error {
		r.Attempts = attempt
		return m.syncOnce(ctx, in, r)
	})
	if err != nil {
		return err
	}
	return m.untilAccepted(ctx, func(int) error { return m.syncProposals(ctx, r.Remote) })
}

// untilAccepted repeats once while it loses the race for the remote.
func (m *Sharer) untilAccepted(ctx context.Context, once func(attempt int) error) error {
	for attempt := 1; ; attempt++ {
		err := once(attempt)
		if !errors.Is(err, gitstore.ErrRejected) || attempt == syncAttempts {
			return err
		}
		m.Log.Debug("lost a race for the remote", "attempt", attempt, "error", err)
		if err := backOff(ctx, attempt); err != nil {
			return err
		}
	}
}

// syncProposals syncs the branch of proposals, if there are any or the team wants reviews.
// The branch is never merged into the memory: only accepting a proposal does that.
func (m *Sharer) syncProposals(ctx context.Context, remote string) error {
	b, err := m.write.OpenProposed()
	if err != nil {
		return err
	}
	defer b.Close()
	_, manifest, err := m.Tip(ctx)
	if err != nil {
		return err
	}
	if proposed, err := b.Head(ctx); err != nil || proposed == "" && !manifest.Review.Any() {
		return err
	}
	fetched, err := b.Store.Fetch(ctx, remote)
	if err != nil {
		return fmt.Errorf("proposals: %w", err)
	}
	if fetched.Found {
		_, err := b.Store.Merge(ctx, fetched.After, m.Joiner(), func(r gitstore.MergeResult) gitstore.Meta {
			return core.CommitMeta(manifest, mergeMessage(remote+"/"+b.Store.Branch(), r))
		})
		if err != nil {
			return fmt.Errorf("proposals: %w", err)
		}
	}
	ahead, _, err := b.Store.Standing(ctx, remote)
	if err != nil || ahead == 0 && fetched.Found {
		return err
	}
	if _, err := b.Store.Tip(ctx); errors.Is(err, gitstore.ErrNoBranch) {
		return nil
	}
	if err := b.Store.Push(ctx, remote); err != nil {
		return fmt.Errorf("proposals: %w", err)
	}
	return nil
}

func (m *Sharer) syncOnce(ctx context.Context, in SyncInput, r *SyncResult) error {
	m.Store.Warm(ctx)
	m.Progress("fetching from "+r.Remote, 0, 0)
	fetched, err := m.Store.Fetch(ctx, r.Remote)
	if err != nil {
		return err
	}
	r.Fetched = fetched.Found
	settled, err := m.settle(ctx, r.Remote, SettleInput{Budget: in.Budget})
	if err != nil {
		return err
	}
	r.add(settled)
	ahead, behind, err := m.Store.Standing(ctx, r.Remote)
	if err != nil {
		return err
	}
	if behind > 0 && settled.refused {
		return fmt.Errorf("%w: %s has commits that were not taken in", ErrNotTakenIn, r.Remote)
	}
	if ahead == 0 && fetched.Found {
		return nil
	}
	if behind > 0 { // somebody else fetched here meanwhile
		return fmt.Errorf("%w: %s was fetched again while this was at it", gitstore.ErrRejected, r.Remote)
	}
	m.Progress("sending to "+r.Remote, 0, 0)
	if err := m.Store.Push(ctx, r.Remote); err != nil {
		return err
	}
	r.Pushed += ahead
	return nil
}

// Share is Sync for callers that only need the error.
func (m *Sharer) Share(ctx context.Context, remote string) error {
	_, err := m.Sync(ctx, SyncInput{Remote: remote})
	return err
}

// add adds the result of one attempt to those of earlier attempts.
func (r *SyncResult) add(s SettleResult) {
	s.Arrived += r.Arrived
	s.Audited += r.Audited
	s.Merged = s.Merged || r.Merged
	s.From = append(r.From, s.From...)
	s.Rivals = append(r.Rivals, s.Rivals...)
	s.Contests = append(r.Contests, s.Contests...)
	s.Opened = append(r.Opened, s.Opened...)
	s.Closed = append(r.Closed, s.Closed...)
	s.Promoted = append(r.Promoted, s.Promoted...)
	s.Violations = append(r.Violations, s.Violations...)
	s.Dropped = append(r.Dropped, s.Dropped...)
	r.SettleResult = s
}

// backOff waits after a lost race: 20 ms the first time, twice as
// long each further time up to 640 ms, give or take half of it.
func backOff(ctx context.Context, attempt int) error {
	d := 20 * time.Millisecond << min(attempt-1, 5)
	select {
	case <-time.After(d/2 + rand.N(d)):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// ErrNotTakenIn reports that the memory of a remote could not be merged, so nothing can be
// pushed either.
var ErrNotTakenIn = errors.New("the remote's memory was not taken in")

// queuedSync is a sync that failed and that Watch retries. The commits are on the branch;
// this only records that they should be pushed.
type queuedSync struct {
	Remote  string    `json:"remote"`
	Since   time.Time `json:"since"`
	Tried   time.Time `json:"tried"`
	Times   int       `json:"times"`
	Problem string    `json:"problem"`
}

func (m *Sharer) queuePath() string { return filepath.Join(m.Store.StateDir(), "sync.json") }

// queue remembers a sync that could not reach its remote, and forgets it once one
// came through or another answer was had.
func (m *Sharer) queue(remote string, err error) {
	q, waiting := m.QueuedSync()
	if !errors.Is(err, gitstore.ErrUnreachable) {
		if waiting && (err == nil || q.Remote == remote) {
			_ = os.Remove(m.queuePath())
		}
		return
	}
	now := m.Moment()
	if !waiting || q.Remote != remote {
		q = queuedSync{Remote: remote, Since: now}
	}
	q.Tried, q.Times, q.Problem = now, q.Times+1, err.Error()
	if err := core.WriteJSON(m.queuePath(), q); err != nil {
		m.Log.Warn("sync not queued", "error", err)
	}
}

// QueuedSync returns the sync that waits for its remote; waiting is false if none does.
func (m *Sharer) QueuedSync() (q queuedSync, waiting bool) {
	return q, core.ReadJSON(m.queuePath(), &q) && q.Remote != ""
}

// due reports whether a sync that failed is to be tried again: after a minute, and
// after twice as long each further time up to an hour.
func (q queuedSync) due(now time.Time) bool {
	return !now.Before(q.Tried.Add(min(time.Minute<<min(q.Times-1, 10), time.Hour)))
}
