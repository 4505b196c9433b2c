package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"engram/detect"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// lastConflicts keeps the last answer of ConflictsAt.
type lastConflicts struct {
	core.Last[string, map[string]detect.Conflict]
}

// ConflictsAt reads the conflicts of a revision, by their ids. Files that are no
// conflicts are left out: lint says so.
func (m *Auditor) ConflictsAt(ctx context.Context, revision string) (map[string]detect.Conflict, error) {
	conflicts, err := core.CacheOf[lastConflicts](m.Memory).Of(revision, func() (map[string]detect.Conflict, error) {
		return m.readConflicts(ctx, revision)
	})
	return maps.Clone(conflicts), err
}

func (m *Auditor) readConflicts(ctx context.Context, revision string) (map[string]detect.Conflict, error) {
	conflicts := make(map[string]detect.Conflict)
	folder, err := m.Store.FolderAt(ctx, revision, detect.ConflictPrefix)
	if err != nil || folder == "" {
		return conflicts, err
	}
	_, err = m.Each(ctx, revision, detect.ConflictPrefix, func(f facts.Fact) error {
		if c, ok := detect.ConflictOf(f); ok {
			conflicts[c.ID] = c
		}
		return nil
	})
	return conflicts, err
}

// ConflictAt reads one conflict; it returns nil if no conflict has the id.
func (m *Auditor) ConflictAt(ctx context.Context, revision, id string) (*detect.Conflict, error) {
	f, found, err := m.FactAt(ctx, revision, detect.ConflictKey(id))
	if err != nil || !found {
		return nil, err
	}
	c, ok := detect.ConflictOf(f)
	if !ok {
		return nil, nil
	}
	return &c, nil
}

// Decided reports whether two facts have a conflict, open or settled, about their claims as
// they are. A conflict that cannot be read counts: nobody could judge the pair.
func (m *Auditor) Decided(ctx context.Context, revision string, a, b facts.Fact) (bool, error) {
	a, b = detect.Order(a, b)
	c, err := m.ConflictAt(ctx, revision, detect.ConflictID(a.Lineage, b.Lineage))
	if errors.Is(err, core.ErrUnreadable) {
		return true, nil
	}
	if err != nil || c == nil {
		return false, err
	}
	same := c.A.Digest == detect.PartyOf(a).Digest && c.B.Digest == detect.PartyOf(b).Digest
	return same && c.Status != detect.Closed, nil
}

// ConflictsInput narrows a list of conflicts. A zero field does not filter.
type ConflictsInput struct {
	Scope    string `json:"scope,omitempty" flag:"scope,s,PATH" help:"only conflicts of this topic PATH and those below it"` // of either side
	Status   string `json:"status,omitempty" enum:"open,resolved,dismissed,closed,all" default:"open" help:"only conflicts of this status"`
	Severity string `json:"severity,omitempty" help:"only this severity"`
	Verdict  string `json:"verdict,omitempty" help:"only this verdict"`
	Key      string `json:"key,omitempty"`                                                                              // of either side or of the conflict, or the first digits of its id
	AskedBy  string `json:"asked_by,omitempty"`                                                                         // the agent that reads; "" whom the memory was opened for
	Limit    int    `json:"limit,omitempty" flag:"limit,n,N" help:"at most N conflicts"`                                // 0: all
	Budget   int    `json:"budget,omitempty" flag:"budget,,TOKENS" min:"1" help:"at most so many TOKENS in the answer"` // as JSON, at least one is listed; 0: any
}

// ConflictsResult is the queue of conflicts, grouped by scope, the gravest
// first. Under a limit or a budget the gravest of all scopes come first, and are
// those that it leaves.
type ConflictsResult struct {
	core.Answer
	Conflicts []core.Conflict `json:"conflicts"`
	Audited   string          `json:"audited_revision"` // up to which audits of this clone have looked; "" for none
	Unaudited int             `json:"unaudited"`        // facts that changed since and were not looked at
	Withheld  int             `json:"withheld"`         // conflicts of facts that the agent that reads may not
	Omitted   int             `json:"omitted"`          // left out because of the limit or the budget
	Notes     []string        `json:"notes,omitempty"`
}

// AllStatuses asks for conflicts of every status.
const AllStatuses = "all"

func (in ConflictsInput) check() error {
	var err error
	if in.Limit < 0 || in.Budget < 0 {
		err = core.UsageErrorf(hint.New("omit both to see all"), "a limit of %d conflicts and a budget of %d tokens; neither can be below 0", in.Limit, in.Budget)
	}
	return errors.Join(err,
		core.CheckOneOf("status", in.Status, append(compare.Statuses(), AllStatuses)),
		core.CheckOneOf("severity", detect.Severity(in.Severity), detect.Severities()),
		core.CheckOneOf("verdict", detect.Verdict(in.Verdict), detect.Verdicts()))
}

// mayWant reports whether a conflict passes the filters that need neither of its facts.
func (in ConflictsInput) mayWant(c detect.Conflict) bool {
	status := cmp.Or(in.Status, string(detect.Open))
	return (status == AllStatuses || string(c.Status) == status) &&
		(in.Severity == "" || string(c.Severity) == in.Severity) &&
		(in.Verdict == "" || string(c.Verdict) == in.Verdict) &&
		(in.Key == "" || c.A.Key.String() == in.Key || c.B.Key.String() == in.Key || detect.ConflictKey(c.ID).String() == in.Key || strings.HasPrefix(c.ID, in.Key))
}

// wants reports whether a conflict passes the filter by scope.
func (in ConflictsInput) wants(c core.Conflict) bool {
	inScope := func(f *core.Fact) bool { return f != nil && core.UnderScope(f.Scope, in.Scope) }
	return in.Scope == "" || inScope(c.A) || inScope(c.B) || core.UnderScope(c.Scope, in.Scope)
}

// Conflicts lists what the branch has, as the facts stand now, and what the rules
// find in the facts that arrived since the last audit, if these are few. It
// writes nothing.
func (m *Auditor) Conflicts(ctx context.Context, in ConflictsInput) (ConflictsResult, error) {
	if err := in.check(); err != nil {
		return ConflictsResult{}, err
	}
	o, err := m.Preview(ctx)
	if err != nil {
		return ConflictsResult{}, err
	}
	result := ConflictsResult{Answer: core.AnswerAt(o.tip), Conflicts: []core.Conflict{}, Audited: o.mark.Revision, Unaudited: o.Unaudited}
	if o.Unaudited > 0 {
		result.Notes = append(result.Notes, "some facts have not been audited; `engram audit` examines them")
	}
	for _, family := range slices.Sorted(maps.Keys(o.Doubted)) {
		result.Notes = append(result.Notes, fmt.Sprintf("findings of the family %s open no conflict, because they are often wrong in this memory; `engram conflicts --stats` shows how often", family))
	}
	manifest, err := m.Manifest(ctx, o.tip)
	if err != nil {
		return ConflictsResult{}, err
	}
	reads := m.Reader(manifest, in.AskedBy)
	for _, c := range o.Conflicts {
		if !in.mayWant(c) {
			continue
		}
		shown, err := m.withSides(ctx, o.tip, c)
		if err != nil {
			return result, err
		}
		switch {
		case !in.wants(shown):
		case !reads.MayReadConflict(shown):
			result.Withheld++
		default:
			result.Conflicts = append(result.Conflicts, shown)
		}
	}
	result.sort(in)
	if err := m.TellDisputed(ctx, o.tip, sidesOf(result.Conflicts...)...); err != nil {
		return result, err
	}
	n, err := core.FitBudget(result.Conflicts, in.Budget)
	if result.Omitted += len(result.Conflicts) - n; err != nil {
		return result, err
	}
	result.Conflicts = result.Conflicts[:n]
	late, err := m.proof.MarkFreshness(ctx, o.tip, proof.FreshTime, sidesOf(result.Conflicts...)...)
	if result.Notes = append(result.Notes, late...); err != nil {
		return result, err
	}
	broken, err := m.brokenSettlements(ctx, o.tip, o.before, reads)
	result.Notes = append(result.Notes, broken...)
	return result, err
}

// sort puts the conflicts in order, and leaves out what goes beyond the limit.
func (r *ConflictsResult) sort(in ConflictsInput) {
	order := core.Conflict.Compare
	if in.Limit > 0 || in.Budget > 0 {
		order = core.Conflict.CompareGravity
	}
	slices.SortFunc(r.Conflicts, order)
	if in.Limit > 0 && len(r.Conflicts) > in.Limit {
		r.Conflicts, r.Omitted = r.Conflicts[:in.Limit], len(r.Conflicts)-in.Limit
	}
}

// maxPreviewed is the maximum number of unaudited facts that listing conflicts examines.
const maxPreviewed = 200

// preview has all conflicts by id as an audit by the rules would leave them. A conflict
// without a Version is not on the branch in that form.
type preview struct {
	*audit
	Conflicts map[string]detect.Conflict
	Unaudited int // facts that were too many to be examined
}

// Preview returns all conflicts as an audit by the rules would leave them. It writes nothing.
func (m *Auditor) Preview(ctx context.Context) (preview, error) {
	a, err := m.newAudit(ctx, AuditInput{})
	if err != nil {
		return preview{}, err
	}
	o := preview{audit: a, Conflicts: make(map[string]detect.Conflict)}
	if len(a.blobs) > maxPreviewed {
		o.Unaudited, a.blobs = len(a.blobs), nil
	}
	open, err := a.openConflicts(ctx)
	if err != nil {
		return preview{}, err
	}
	maps.Copy(o.Conflicts, a.before)
	for _, e := range a.endings {
		o.Conflicts[e.conflict.ID] = e.conflict.Close(e.reason, e.at)
	}
	for _, c := range open {
		o.Conflicts[c.ID] = c
	}
	return o, nil
}

// ShowConflict fills in the facts that a conflict is about.
func (m *Auditor) ShowConflict(ctx context.Context, tip string, c detect.Conflict) (core.Conflict, error) {
	v, err := m.withSides(ctx, tip, c)
	if err != nil {
		return v, err
	}
	return v, m.TellDisputed(ctx, tip, sidesOf(v)...)
}

// withSides is ShowConflict without what else disputes the facts.
func (m *Auditor) withSides(ctx context.Context, tip string, c detect.Conflict) (core.Conflict, error) {
	v := core.Conflict{
		ConflictID: c.ID, Key: detect.ConflictKey(c.ID), Scope: c.Scope, Status: string(c.Status), Recorded: c.Version != "",
		VersionA: c.A.ID, VersionB: c.B.ID, KeyA: c.A.Key.String(), KeyB: c.B.Key.String(), Basis: c.Basis,
		Since: c.At, Resolution: string(c.Resolution), Reason: c.Reason, Winner: c.Winner,
		ResolvedBy: c.By, Engineer: c.Engineer, Evidence: c.Evidence,
	}
	a, b, err := m.ConflictSides(ctx, tip, c)
	if err != nil {
		return v, err
	}
	f := c.Finding
	if a != nil && b != nil && a.Fact.ID == c.A.ID && b.Fact.ID == c.B.ID {
		if again, found := detect.Compare(a.Claim, b.Claim); found && again.Explanation == f.Explanation {
			f.A, f.B = again.A, again.B
		}
	}
	now := m.Moment()
	show := func(s *core.AnalyzedFact) (shown *core.Fact, claim string) {
		if s == nil {
			return nil, ""
		}
		f := core.Show(s.Fact, s.Fact.Window(), now)
		return &f, f.Claim
	}
	var claimA, claimB string
	v.A, claimA = show(a)
	v.B, claimB = show(b)
	v.Clash = compare.ShowClash(f, claimA, claimB)
	return v, nil
}

// sidesOf returns the facts on both sides of conflicts, as far as they exist.
func sidesOf(list ...core.Conflict) (sides []*core.Fact) {
	for _, c := range list {
		sides = append(sides, c.A, c.B)
	}
	return slices.DeleteFunc(sides, func(f *core.Fact) bool { return f == nil })
}
