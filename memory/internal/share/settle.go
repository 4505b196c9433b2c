package share

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"engram/detect"
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

// SettleResult says what arrived and what came of it.
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
	// Violations are what arrived and goes against engram.yml.
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

// Settle takes in what was fetched of the upstream's memory branch, and audits
// what arrived. It is idempotent, never uses the network and is what every hook,
// the watcher and Sync call. What cannot be done now is a note: the branch is
// checked out, or time is up. The error wraps gitstore.ErrNoBranch where there is
// no memory, neither here nor fetched.
func (m *Sharer) Settle(ctx context.Context, in SettleInput) (SettleResult, error) {
	remote, err := m.Store.Upstream(ctx)
	if err != nil {
		return SettleResult{}, err
	}
	return m.settle(ctx, remote, in)
}

// SettleFetched is Settle where something was fetched since this process last
// settled, and otherwise costs a look at a few files' times. It is for who has to
// know before each answer, without hooks.
func (m *Sharer) SettleFetched(ctx context.Context, in SettleInput) (SettleResult, error) {
	if seen := core.Kept[lastFetch](m.Memory).Load(); seen != nil && seen.stamp == m.Store.FetchStamp(seen.remote) {
		return SettleResult{}, nil
	}
	return m.settleFetched(ctx, in)
}

// fetched is what was fetched and settled last.
type fetched struct{ remote, stamp, revision string }

// lastFetch is what was looked at last; nil: nothing yet.
type lastFetch struct{ atomic.Pointer[fetched] }

// settleFetched also tries again what was refused, as while the branch was checked
// out.
func (m *Sharer) settleFetched(ctx context.Context, in SettleInput) (r SettleResult, err error) {
	now := fetched{}
	if now.remote, err = m.Store.Upstream(ctx); err != nil {
		return r, err
	}
	now.stamp = m.Store.FetchStamp(now.remote)
	if now.remote == "" {
		core.Kept[lastFetch](m.Memory).Store(&now)
		return r, nil
	}
	if now.revision, err = m.Store.Tracked(ctx, now.remote); err != nil {
		return r, err
	}
	if seen := core.Kept[lastFetch](m.Memory).Load(); now.revision != "" && (seen == nil || seen.revision != now.revision) {
		if r, err = m.settle(ctx, now.remote, in); err != nil {
			return r, err
		}
		if r.refused {
			now.revision = ""
		}
	}
	core.Kept[lastFetch](m.Memory).Store(&now)
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
	return r, err
}

// MergeFetched merges what was fetched from a remote.
func (m *Sharer) MergeFetched(ctx context.Context, remote string, r *SettleResult) error {
	if remote == "" {
		return nil
	}
	theirs := gitstore.RemoteBranch{Name: remote + "/" + m.Store.Branch()}
	var err error
	if theirs.Revision, err = m.Store.Tracked(ctx, remote); err != nil || theirs.Revision == "" {
		return err
	}
	ours, err := m.Store.Tip(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNoBranch) || ours == theirs.Revision {
		return err
	}
	agreed, reason, err := m.checkMergeable(ctx, ours, theirs.Revision)
	if err != nil || reason != "" {
		if reason != "" {
			r.refused = true
			r.Notes = append(r.Notes, fmt.Sprintf("%s was not taken in: %s", theirs.Name, reason))
		}
		return err
	}
	if tree := m.Store.CheckedOutAt(); tree != "" {
		if _, err := m.Store.Ancestor(ctx, theirs.Revision, ours); err == nil {
			return nil // it has been merged there
		}
		r.refused = true
		r.Notes = append(r.Notes, fmt.Sprintf("%s has more; the memory branch is checked out in %s, where git merges it", theirs.Name, tree))
		return nil
	}
	merged, err := m.Store.Merge(ctx, theirs.Revision, m.Joiner(), func(result gitstore.MergeResult) gitstore.Meta {
		return core.MetaOf(agreed, mergeMessage(theirs.Name, result))
	})
	switch {
	case err != nil:
		return err
	case merged.Kind == gitstore.UpToDate:
		return nil
	case merged.Kind == gitstore.Began:
		// What is on it, the audits of those who wrote it have seen.
		if err := m.compare.WriteState(audit.MarkFile, audit.Mark{Revision: merged.Revision, Rules: detect.RulesVersion}); err != nil {
			r.Notes = append(r.Notes, err.Error())
		}
	}
	if merged.Kind == gitstore.Joined {
		core.Kept[audit.MergesMade](m.Memory).Store(merged.Revision, true)
	}
	r.From, r.Merged = append(r.From, theirs.Name), merged.Kind == gitstore.Joined
	return m.describeMerge(ctx, merged, r)
}

// checkMergeable says why a revision must not be merged into the branch, which is at ours
// ("" where there is none): it is no memory, or one of the two has what was purged
// from the other.
// agreed is as private, and as sure, as either side wants a commit to be.
func (m *Sharer) checkMergeable(ctx context.Context, ours, theirs string) (agreed facts.Manifest, reason string, err error) {
	there, err := m.Manifest(ctx, theirs)
	if errors.Is(err, core.ErrNotMemory) {
		return there, err.Error(), nil
	}
	if err != nil || ours == "" {
		return there, "", err
	}
	bad, err := m.purge.PurgedFrom(ctx, there, ours)
	if err != nil {
		return there, "", err
	}
	if bad != "" {
		return there, fmt.Sprintf("this clone still has %s, which was purged there; save what nobody else has with `engram export`, then let the branch %s begin again at what was fetched",
			bad, m.Store.Branch()), nil
	}
	here, err := m.Manifest(ctx, ours)
	if err != nil {
		return here, "", err
	}
	agreed = facts.Manifest{AnonymousMode: here.AnonymousMode || there.AnonymousMode, SignedCommits: here.SignedCommits || there.SignedCommits}
	bad, err = m.purge.PurgedFrom(ctx, here, theirs)
	if err != nil || bad == "" {
		return agreed, "", err
	}
	return agreed, fmt.Sprintf("it still has %s, which was purged here; whoever may has to replace the branch there", bad), nil
}

func mergeMessage(name string, r gitstore.MergeResult) string {
	message := "merge " + name
	if len(r.Contested)+len(r.Moved) == 0 {
		return message + "\n"
	}
	lines := slices.Concat(r.Contested, r.Moved)
	listed := lines[:min(len(lines), core.MaxMessageLines)]
	return fmt.Sprintf("%s: %d written on both sides\n\n%s\n", message, len(lines), strings.Join(listed, "\n"))
}

// describeMerge fills in what a merge brought.
func (m *Sharer) describeMerge(ctx context.Context, merged gitstore.MergeResult, r *SettleResult) error {
	changes, err := m.audit.Changes(ctx, merged.Before, merged.Revision)
	if err != nil {
		return err
	}
	for _, c := range changes {
		key, ok := facts.KeyOfPath(c.Path)
		switch {
		case !ok || c.New == "":
		case detect.IsConflict(key):
			if err := m.conflictArrived(ctx, merged.Revision, key, c, r); err != nil {
				return err
			}
		default:
			r.Arrived++
		}
	}
	if !r.Merged {
		return nil
	}
	for _, path := range merged.Contested {
		if _, isFact := facts.KeyOfPath(path); !isFact {
			r.Contests = append(r.Contests, path)
		}
	}
	r.Rivals, err = m.rivalsIn(ctx, merged)
	for _, path := range merged.Refused {
		r.Notes = append(r.Notes, fmt.Sprintf("%q was left out: no checkout should have a file of that name", path))
	}
	return err
}

// conflictArrived notes a conflict that somebody else's audit wrote, and that was not
// open here before.
func (m *Sharer) conflictArrived(ctx context.Context, revision string, key facts.Key, c gitstore.Change, r *SettleResult) error {
	open := func(blob string) (detect.Conflict, bool) {
		f, ok := m.audit.FactIn(ctx, key, blob)
		if !ok {
			return detect.Conflict{}, false
		}
		conflict, ok := detect.ConflictOf(f)
		return conflict, ok && conflict.Status == detect.Open
	}
	now, isOpen := open(c.New)
	if _, was := open(c.Old); !isOpen || was {
		return ctx.Err()
	}
	shown, err := m.audit.ShowConflict(ctx, revision, now)
	if err == nil {
		r.Opened = append(r.Opened, shown)
	}
	return err
}

// rivalsIn are the keys of the claims that a merge kept beside others: in neither
// of its parents.
func (m *Sharer) rivalsIn(ctx context.Context, merged gitstore.MergeResult) ([]facts.Key, error) {
	keys := []facts.Key{}
	if len(merged.Contested)+len(merged.Moved) == 0 {
		return keys, nil
	}
	entries, err := m.Store.OfMerge(ctx, merged.Revision)
	for _, c := range entries {
		key, ok := facts.KeyOfPath(c.Path)
		if f, found := m.audit.FactIn(ctx, key, c.New); ok && found && f.IsRival() {
			keys = append(keys, key)
		}
	}
	return keys, err
}

// followBranches looks what became of the code branches that facts are bound to.
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

// auditSettled audits what no audit of this clone has seen, if that is not too
// much.
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
	r.Opened, r.Closed, r.Audited = append(r.Opened, audit.Opened...), audit.Closed, audit.Facts
	r.Rivals = append(r.Rivals, audit.Kept...)
	r.Violations = audit.Violations
	r.Notes = append(r.Notes, audit.Notes...)
	return nil
}

// previewAudit says what an audit would open, where nothing can be written.
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
