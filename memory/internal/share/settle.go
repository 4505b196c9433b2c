package share

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/audit"
	"engram/memory/internal/core"
)

// SettleInput says how long Settle may take.
type SettleInput struct {
	Budget time.Duration // of each model of the audit; 0 means DefaultNLIBudget
	// Most is up to how many facts are audited; more are left to `engram audit`.
	// 0 means no limit.
	Most int
}

// SettleResult says what arrived and what followed from it.
type SettleResult struct {
	core.Answer
	From     []string        `json:"from"`     // tracking branches that were taken in
	Arrived  int             `json:"arrived"`  // facts that changed on the branch by it
	Merged   bool            `json:"merged"`   // a merge was made; else the branch moved there
	Rivals   []facts.Key     `json:"rivals"`   // claims that gave way and are kept beside the winner
	Contests []string        `json:"contests"` // other files that both sides changed in different ways
	Opened   []core.Conflict `json:"opened"`
	Closed   []core.Conflict `json:"closed"`
	Audited  int             `json:"audited"`
	// Violations are arrived changes that violate engram.yml.
	Violations []audit.Violation `json:"violations"`
	// Promoted are facts of code branches that have merged, which hold for all now,
	// and Dropped those that ended with their branch. Bound: others are left, so that
	// branches that move concern the memory.
	Promoted []facts.Key `json:"promoted"`
	Dropped  []facts.Key `json:"dropped"`
	Bound    bool        `json:"bound"`
	Notes    []string    `json:"notes,omitempty"`

	refused bool // what was fetched was not taken in; a note says why
}

// Settle merges what was fetched of the upstream's memory branch, and audits what arrived. It
// is idempotent and never uses the network; every hook, the watcher and Sync call it. If
// something cannot be done now, because the branch is checked out or time is up, a note says
// so. The error wraps gitstore.ErrNoBranch if there is no memory, neither here nor fetched.
func (m *Sharer) Settle(ctx context.Context, in SettleInput) (SettleResult, error) {
	remote, err := m.Store.Upstream(ctx)
	if err != nil {
		return SettleResult{}, err
	}
	return m.settle(ctx, remote, in)
}

// SettleFetched calls Settle if something was fetched since this process last settled;
// otherwise it only checks the times of a few files. It is for callers that need current
// facts before each answer, without hooks.
func (m *Sharer) SettleFetched(ctx context.Context, in SettleInput) (SettleResult, error) {
	if seen := core.CacheOf[lastFetch](m.Memory).Load(); seen != nil && seen.stamp == m.Store.FetchStamp(seen.remote) {
		return SettleResult{}, nil
	}
	return m.settleFetched(ctx, in)
}

// fetched is what was fetched and settled last.
type fetched struct{ remote, stamp, revision string }

// lastFetch is what was looked at last; nil: nothing yet.
type lastFetch struct{ atomic.Pointer[fetched] }

// settleFetched also retries what could not be merged before, for instance while the branch
// was checked out.
func (m *Sharer) settleFetched(ctx context.Context, in SettleInput) (r SettleResult, err error) {
	now := fetched{}
	if now.remote, err = m.Store.Upstream(ctx); err != nil {
		return r, err
	}
	now.stamp = m.Store.FetchStamp(now.remote)
	if now.remote == "" {
		core.CacheOf[lastFetch](m.Memory).Store(&now)
		return r, nil
	}
	if now.revision, err = m.Store.Tracked(ctx, now.remote); err != nil {
		return r, err
	}
	if seen := core.CacheOf[lastFetch](m.Memory).Load(); now.revision != "" && (seen == nil || seen.revision != now.revision) {
		if r, err = m.settle(ctx, now.remote, in); err != nil {
			return r, err
		}
		if r.refused {
			now.revision = ""
		}
	}
	core.CacheOf[lastFetch](m.Memory).Store(&now)
	return r, nil
}

// settle is Settle with what was fetched from one remote; "" is none.
func (m *Sharer) settle(ctx context.Context, remote string, in SettleInput) (SettleResult, error) {
	r := SettleResult{From: []string{}, Rivals: []facts.Key{}, Contests: []string{}, Opened: []core.Conflict{}, Closed: []core.Conflict{}, Promoted: []facts.Key{}, Dropped: []facts.Key{}, Violations: []audit.Violation{}}
	err := m.MergeFetched(ctx, remote, &r)
	if err == nil {
		err = m.followBranches(ctx, &r)
	}
	if err == nil {
		err = m.auditSettled(ctx, in, &r)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		r.Notes = append(r.Notes, "time was up; `engram audit` goes on")
		err = nil
	}
	if tip, tipErr := m.Store.Tip(context.WithoutCancel(ctx)); tipErr == nil {
		r.Answer = core.AnswerAt(tip)
	} else if err == nil {
		err = tipErr
	}
	if err == nil {
		err = m.withhold(ctx, &r)
	}
	return r, err
}

// withhold removes from a result what the agent that the memory was opened for may not read.
// The counts stay.
func (m *Sharer) withhold(ctx context.Context, r *SettleResult) error {
	if m.Agent == "" {
		return nil
	}
	manifest, err := m.Manifest(ctx, r.Revision)
	if errors.Is(err, core.ErrNotMemory) {
		return nil
	}
	reads := m.Reader(manifest, "")
	if err != nil || reads == nil {
		return err
	}
	for _, list := range []*[]core.Conflict{&r.Opened, &r.Closed} {
		*list = slices.DeleteFunc(*list, func(c core.Conflict) bool { return !reads.MayReadConflict(c) })
	}
	for _, keys := range []*[]facts.Key{&r.Rivals, &r.Promoted, &r.Dropped} {
		if *keys, err = reads.ReadableKeys(ctx, r.Revision, *keys); err != nil {
			return err
		}
	}
	return nil
}

// followBranches settles the facts that are bound to code branches.
func (m *Sharer) followBranches(ctx context.Context, r *SettleResult) error {
	bound, err := m.write.HasBound(ctx)
	if errors.Is(err, gitstore.ErrNoBranch) {
		return nil
	}
	if err != nil || !bound || m.Store.CheckedOutAt() != "" {
		r.Bound = bound
		return err
	}
	settled, err := m.branches.SettleBranches(ctx)
	if err != nil {
		return fmt.Errorf("settle facts of code branches: %w", err)
	}
	for _, s := range settled.Promoted {
		r.Promoted = append(r.Promoted, s.Key)
	}
	for _, s := range settled.Dropped {
		r.Dropped = append(r.Dropped, s.Key)
	}
	r.Bound = len(settled.Waiting) > 0
	return nil
}

// auditSettled audits what no audit of this clone has seen, up to the limit of in.
func (m *Sharer) auditSettled(ctx context.Context, in SettleInput, r *SettleResult) error {
	tip, err := m.Store.Tip(ctx)
	if errors.Is(err, gitstore.ErrNoBranch) {
		return nil
	}
	mark := m.audit.ReadMark()
	if err != nil || mark.Revision == tip {
		return err
	}
	if in.Most > 0 {
		blobs, err := m.audit.Unaudited(ctx, mark.Revision, tip, tip)
		if err != nil {
			return err
		}
		if len(blobs) > in.Most {
			r.Notes = append(r.Notes, fmt.Sprintf("%d facts are not audited yet: `engram audit` looks at them", len(blobs)))
			return nil
		}
	}
	audit, err := m.audit.Audit(ctx, audit.AuditInput{Budget: in.Budget})
	if errors.Is(err, gitstore.ErrCheckedOut) {
		return m.previewAudit(ctx, r)
	}
	if err != nil {
		return fmt.Errorf("audit what arrived: %w", err)
	}
	r.Opened = distinct(slices.Concat(r.Opened, audit.Opened, audit.Arrived))
	r.Closed, r.Audited = audit.Closed, audit.Facts
	r.Rivals = append(r.Rivals, audit.Kept...)
	r.Violations = audit.Violations
	r.Notes = append(r.Notes, audit.Notes...)
	return nil
}

// distinct returns conflicts, each once: the audit finds those that the merge brought too.
func distinct(list []core.Conflict) []core.Conflict {
	seen := make(map[string]bool)
	return slices.DeleteFunc(list, func(c core.Conflict) bool {
		twice := seen[c.ConflictID]
		seen[c.ConflictID] = true
		return twice
	})
}

// previewAudit lists the conflicts that an audit would open, when nothing can be written.
func (m *Sharer) previewAudit(ctx context.Context, r *SettleResult) error {
	list, err := m.audit.Conflicts(ctx, audit.ConflictsInput{})
	for _, c := range list.Conflicts {
		if !c.Recorded {
			r.Opened = append(r.Opened, c)
		}
	}
	r.Notes = append(r.Notes, list.Notes...)
	return err
}
