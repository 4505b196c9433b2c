package share

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"engram/gitstore"
	"engram/internal/watch"
	"engram/memory/internal/audit"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// EmbedSlice is how long a model is left to embed before the branch is looked
// at again, so that the newest claims come first and not after hours of others.
const EmbedSlice = 30 * time.Second

// WatchReport says what one check of the branch led to.
type WatchReport struct {
	core.Answer
	Arrived  int    `json:"arrived"`  // facts that changed by taking in what was fetched
	Indexed  int    `json:"indexed"`  // versions that went into the index
	Embedded int    `json:"embedded"` // claims that got a vector
	Pending  int    `json:"pending_vectors"`
	Model    string `json:"model"`
	Rebuilt  string `json:"rebuilt,omitempty"` // why the index was rebuilt
	Replaced string `json:"replaced_model,omitempty"`
	// Opened and Closed are the conflicts that an audit of what arrived wrote and
	// ended; Audited the facts that it looked at.
	Audited int `json:"audited"`
	Opened  int `json:"opened"`
	Closed  int `json:"closed"`
	Sent    int `json:"sent"` // commits of a sync that could not reach its remote before
	// Took and Left are in seconds: what this cost, and about what the vectors
	// that are still pending will; 0 if that is not known.
	Took float64 `json:"took_seconds"`
	Left float64 `json:"left_seconds"`

	busy bool // another process is making the vectors
}

// WatchOptions are the settings of Watch; the zero value is the default.
type WatchOptions struct {
	Tick   time.Duration     // how often to look without having been poked; 0 means 30 s
	Report func(WatchReport) // told when a look changed anything; nil is silent
	Once   bool              // return when everything is up to date
	Budget time.Duration     // for the models of an audit; 0 means DefaultNLIBudget
	// AtRest is called when everything else is up to date, and says whether there is more to
	// do; nil does nothing.
	AtRest func(context.Context) (more bool, err error)
}

// Watch merges what was fetched, as Settle does, and keeps index and vectors up to date with
// the branch until ctx is done. It works from any work tree of the repository, also before
// the branch exists, and is optional: hooks and queries do the same work.
func (m *Sharer) Watch(ctx context.Context, opts WatchOptions) error {
	finished := errors.New("everything is up to date")
	err := watch.Watch(ctx, m.watched(ctx), opts.Tick, m.Log, func(ctx context.Context) (bool, error) {
		sent := m.retryQueued(ctx, opts.Budget)
		settled, err := m.settleFetched(ctx, SettleInput{Budget: opts.Budget})
		if err != nil {
			m.Log.Warn("fetched commits not merged", "error", err)
		}
		report, more, err := m.refresh(ctx, opts.Budget)
		report.Sent, report.Arrived = sent, settled.Arrived
		if err == nil && opts.Once && report.busy {
			more = m.waitForEmbedder(ctx)
		}
		if err == nil && opts.Report != nil && report.changed() {
			opts.Report(report)
		}
		if err == nil && !more && opts.AtRest != nil {
			more, err = opts.AtRest(ctx)
		}
		if err == nil && opts.Once && !more {
			return false, finished
		}
		return more, err
	})
	if errors.Is(err, finished) {
		return nil
	}
	return err
}

// Follow calls moved with the revision of the branch now, and whenever that changes, until ctx is
// done. It reads the reference when its file changes, and every two seconds.
func (m *Sharer) Follow(ctx context.Context, moved func(revision string)) error {
	before := ""
	return watch.Watch(ctx, m.Store.RefPaths(), followTick, m.Log, func(ctx context.Context) (bool, error) {
		tip, err := m.Store.Tip(ctx)
		if errors.Is(err, gitstore.ErrNoBranch) {
			return false, nil
		}
		if err == nil && tip != before {
			before = tip
			moved(tip)
		}
		return false, err
	})
}

// followTick is how soon a move is seen where the file system tells nothing.
const followTick = 2 * time.Second

// watched returns the files that change when the branch or its tracking branch moves.
func (m *Sharer) watched(ctx context.Context) []string {
	paths := m.Store.RefPaths()
	if remote, err := m.Store.Upstream(ctx); err == nil && remote != "" {
		paths = append(paths, m.Store.TrackingPath(remote))
	}
	return paths
}

// waitForEmbedder lets the process that makes the vectors go on for a while.
func (m *Sharer) waitForEmbedder(ctx context.Context) (more bool) {
	m.Progress("waiting for another process to embed", 0, 0)
	select {
	case <-time.After(200 * time.Millisecond):
	case <-ctx.Done():
	}
	return true
}

func (r WatchReport) changed() bool {
	return r.Arrived > 0 || r.Indexed > 0 || r.Embedded > 0 || r.Rebuilt != "" || r.Replaced != "" || r.Audited > 0 || r.Sent > 0
}

// retryQueued tries again what could not be sent, if it is time to.
func (m *Sharer) retryQueued(ctx context.Context, budget time.Duration) (sent int) {
	q, waiting := m.QueuedSync()
	if !waiting || !q.due(m.Moment()) {
		return 0
	}
	r, err := m.Sync(ctx, SyncInput{Remote: q.Remote, Budget: budget})
	if err != nil {
		m.Log.Info("remote still unreachable", "remote", q.Remote, "error", err)
	}
	return r.Pushed
}

// refresh brings index and vectors up to the tip. more: the slice of time for
// vectors is used up, and they are not all made.
func (m *Sharer) refresh(ctx context.Context, budget time.Duration) (r WatchReport, more bool, err error) {
	start := time.Now()
	tip, _, err := m.Tip(ctx)
	if errors.Is(err, gitstore.ErrNoBranch) {
		return r, false, nil
	}
	if err != nil {
		return r, false, err
	}
	caught, err := m.Index.CatchUp(ctx, tip)
	if err != nil {
		return r, false, err
	}
	r.Answer, r.Indexed = core.AnswerAt(caught.Revision), caught.Indexed
	if caught.Rebuilt {
		r.Rebuilt = caught.Reason
	}
	more, err = m.refreshVectors(ctx, tip, &r)
	more = m.refreshSources(ctx) || more
	if err == nil {
		var unjudged bool
		unjudged, err = m.refreshConflicts(ctx, tip, budget, &r)
		more = more || unjudged
	}
	r.Took = time.Since(start).Seconds()
	return r, more, err
}

func (m *Sharer) refreshVectors(ctx context.Context, tip string, r *WatchReport) (more bool, err error) {
	if m.Embedder == nil {
		return false, nil
	}
	slice, cancel := context.WithTimeout(ctx, EmbedSlice)
	defer cancel()
	report, err := m.Index.Embed(slice, tip, true)
	r.Embedded, r.Model, r.Replaced, r.Pending, r.busy = report.Embedded, report.Model, report.Replaced, report.Missing, report.Busy
	if report.Embedded > 0 {
		r.Left = report.Took.Seconds() / float64(report.Embedded) * float64(report.Missing)
	}
	if err != nil && ctx.Err() == nil && slice.Err() != nil {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("make vectors: %w", err)
	}
	return false, nil
}

// refreshConflicts audits what arrived, and goes on with the pairs that the
// cross-encoder has not reached yet. Where the branch cannot be written to,
// somebody else's audit will do.
func (m *Sharer) refreshConflicts(ctx context.Context, tip string, budget time.Duration, r *WatchReport) (more bool, err error) {
	var left []compare.Undecided
	if m.Models.NLI != nil {
		m.compare.ReadState(audit.UndecidedFile, &left)
	}
	mark := m.audit.ReadMark()
	due := slices.ContainsFunc(mark.Scheduled, func(p compare.ScheduledFact) bool { return !p.Begin.After(m.Moment()) })
	if mark.Revision == tip && compare.Unreached(left) == 0 && !due {
		return false, nil
	}
	audit, err := m.audit.Audit(ctx, audit.AuditInput{Budget: budget})
	if code, _ := m.Classify(err); err != nil && code != core.CodeUnusable && code != core.CodeLost {
		return false, fmt.Errorf("audit what arrived: %w", err)
	} else if err != nil {
		m.Log.Warn("not audited", "error", err)
		return false, nil
	}
	r.Answer, r.Audited, r.Opened, r.Closed = audit.Answer, audit.Facts, len(audit.Opened)+len(audit.Arrived), len(audit.Closed)
	return audit.Unreached > 0, nil
}

// refreshSources updates the indexes and vectors of sources to what was fetched. It fetches
// nothing: only a person or a script decides when this machine contacts another. more means
// that vectors are missing.
func (m *Sharer) refreshSources(ctx context.Context) (more bool) {
	list, err := m.Store.Sources(ctx)
	if err != nil {
		m.Log.Warn("sources not looked at", "error", err)
	}
	for _, src := range list {
		if src.Problem != nil {
			continue
		}
		other := New(m.OpenSource(src))
		tip, _, err := other.Tip(ctx)
		if err == nil {
			_, err = other.Index.CatchUp(ctx, tip)
		}
		if err == nil {
			var unfinished bool
			unfinished, err = other.refreshVectors(ctx, tip, &WatchReport{})
			more = more || unfinished
		}
		if err != nil && ctx.Err() == nil {
			m.Log.Warn("source not caught up", "source", src.Name, "error", err)
		}
	}
	return more
}
