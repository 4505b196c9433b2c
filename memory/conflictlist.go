package memory

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
)

// conflictsAt reads the conflicts of a revision, by their ids. Files that are no
// conflicts are left out: lint says so.
func (m *Memory) conflictsAt(ctx context.Context, revision string) (map[string]detect.Conflict, error) {
	conflicts := make(map[string]detect.Conflict)
	folder, err := m.store.FolderAt(ctx, revision, detect.ConflictPrefix)
	if err != nil || folder == "" {
		return conflicts, err
	}
	for file, err := range m.store.All(ctx, revision, detect.ConflictPrefix+"/") {
		if err != nil {
			return nil, err
		}
		f, err := parse(file)
		if err != nil {
			continue
		}
		if c, ok := detect.ConflictOf(f); ok {
			conflicts[c.ID] = c
		}
	}
	return conflicts, nil
}

// conflictAt reads one conflict; nil where there is none of the id.
func (m *Memory) conflictAt(ctx context.Context, revision, id string) (*detect.Conflict, error) {
	f, found, err := m.factAt(ctx, revision, detect.ConflictKey(id))
	if err != nil || !found {
		return nil, err
	}
	c, ok := detect.ConflictOf(f)
	if !ok {
		return nil, nil
	}
	return &c, nil
}

// side reads the fact that is one side of a conflict as it stands; nil where
// none does, whatever the reason.
func (m *Memory) side(ctx context.Context, revision string, p detect.Party) (*stated, error) {
	file, err := m.store.Get(ctx, revision, p.Key.Path())
	if errors.Is(err, gitstore.ErrNotFound) || errors.Is(err, gitstore.ErrTooLarge) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := parse(file)
	if err != nil {
		return nil, nil
	}
	return &stated{f, file.Blob, detect.Read(f)}, nil
}

// Conflict is two facts that cannot both hold, as surfaces show it.
type Conflict struct {
	ConflictID string    `json:"conflict_id"`
	Key        facts.Key `json:"key"`
	Scope      string    `json:"scope"`
	Status     string    `json:"status"`
	Clash
	// Recorded is false for what no audit has written to the branch yet.
	Recorded bool `json:"recorded"`
	// A and B are the facts as they stand; null where the file is gone.
	A *Fact `json:"a"`
	B *Fact `json:"b"`
	// The versions that the conflict is about. A fact with another id has changed
	// since.
	VersionA string    `json:"fact_id_a"`
	VersionB string    `json:"fact_id_b"`
	KeyA     string    `json:"key_a"`
	KeyB     string    `json:"key_b"`
	Basis    string    `json:"basis,omitempty"` // by what it was found
	Since    time.Time `json:"since"`           // since when it has been as it is
	// How it was settled, where it was.
	Resolution string `json:"resolution_type,omitempty"`
	Reason     string `json:"resolution,omitempty"`
	Winner     string `json:"winning_claim_id,omitempty"`
	ResolvedBy string `json:"resolved_by,omitempty"`
	Engineer   string `json:"resolved_by_engineer,omitempty"`
	Evidence   string `json:"resolution_evidence,omitempty"`
}

// compare orders conflicts by scope, the gravest first, then the newest.
func (c Conflict) compare(d Conflict) int {
	if n := strings.Compare(c.Scope, d.Scope); n != 0 {
		return n
	}
	if n := detect.CompareSeverity(detect.Severity(c.Severity), detect.Severity(d.Severity)); n != 0 {
		return n
	}
	if n := d.Since.Compare(c.Since); n != 0 {
		return n
	}
	return strings.Compare(c.ConflictID, d.ConflictID)
}

// compareGravity orders conflicts by gravity, whatever their scope.
func (c Conflict) compareGravity(d Conflict) int {
	return cmp.Or(detect.CompareSeverity(detect.Severity(c.Severity), detect.Severity(d.Severity)), c.compare(d))
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
	Answer
	Conflicts []Conflict `json:"conflicts"`
	Audited   string     `json:"audited_revision"` // up to which audits of this clone have looked; "" for none
	Unaudited int        `json:"unaudited"`        // facts that changed since and were not looked at
	Withheld  int        `json:"withheld"`         // conflicts of facts that the agent that reads may not
	Omitted   int        `json:"omitted"`          // left out because of the limit or the budget
	Notes     []string   `json:"notes,omitempty"`
}

// AllStatuses asks for conflicts of every status.
const AllStatuses = "all"

func (in ConflictsInput) check() error {
	var err error
	if in.Limit < 0 || in.Budget < 0 {
		err = wrong("leave them away for all", "a limit of %d conflicts and a budget of %d tokens; neither can be below 0", in.Limit, in.Budget)
	}
	return errors.Join(err,
		checkOneOf("status", in.Status, append(Statuses(), AllStatuses)),
		checkOneOf("severity", detect.Severity(in.Severity), detect.Severities()),
		checkOneOf("verdict", detect.Verdict(in.Verdict), detect.Verdicts()))
}

func (in ConflictsInput) wants(c Conflict) bool {
	status := orElse(in.Status, string(detect.Open))
	inScope := func(f *Fact) bool { return f != nil && underScope(f.Scope, in.Scope) }
	return (status == AllStatuses || c.Status == status) &&
		(in.Severity == "" || c.Severity == in.Severity) &&
		(in.Verdict == "" || c.Verdict == in.Verdict) &&
		(in.Scope == "" || inScope(c.A) || inScope(c.B) || underScope(c.Scope, in.Scope)) &&
		(in.Key == "" || c.KeyA == in.Key || c.KeyB == in.Key || c.Key.String() == in.Key || strings.HasPrefix(c.ConflictID, in.Key))
}

// Conflicts lists what the branch has, as the facts stand now, and what the rules
// find in the facts that arrived since the last audit, if these are few. It
// writes nothing.
func (m *Memory) Conflicts(ctx context.Context, in ConflictsInput) (ConflictsResult, error) {
	if err := in.check(); err != nil {
		return ConflictsResult{}, err
	}
	o, err := m.outlook(ctx)
	if err != nil {
		return ConflictsResult{}, err
	}
	result := ConflictsResult{Answer: answer(o.tip), Conflicts: []Conflict{}, Audited: o.mark.Revision, Unaudited: o.unaudited}
	if o.unaudited > 0 {
		result.Notes = append(result.Notes, "facts have arrived that no audit has seen: `engram audit` looks at them")
	}
	manifest, err := m.manifest(ctx, o.tip)
	if err != nil {
		return ConflictsResult{}, err
	}
	reads := m.reader(manifest, in.AskedBy)
	for _, c := range o.conflicts {
		shown, err := m.showConflict(ctx, o.tip, c)
		if err != nil {
			return result, err
		}
		switch {
		case !in.wants(shown):
		case !reads.mayConflict(shown):
			result.Withheld++
		default:
			result.Conflicts = append(result.Conflicts, shown)
		}
	}
	if err := result.fit(in); err != nil {
		return result, err
	}
	late, err := m.tellSides(ctx, o.tip, result.Conflicts)
	if result.Notes = append(result.Notes, late...); err != nil {
		return result, err
	}
	broken, err := m.brokenSettlements(ctx, o.tip, o.before)
	result.Notes = append(result.Notes, broken...)
	return result, err
}

// fit puts the conflicts in order, and leaves out what goes beyond limit or budget.
func (r *ConflictsResult) fit(in ConflictsInput) error {
	order := Conflict.compare
	if in.Limit > 0 || in.Budget > 0 {
		order = Conflict.compareGravity
	}
	slices.SortFunc(r.Conflicts, order)
	list := r.Conflicts
	if in.Limit > 0 {
		list = list[:min(in.Limit, len(list))]
	}
	n, err := fitting(list, in.Budget)
	r.Conflicts, r.Omitted = list[:n], len(r.Conflicts)-n
	return err
}

// previewed is up to how many facts that no audit has seen are examined by who
// lists conflicts.
const previewed = 200

// outlook is what there is in conflicts, by id: those on the branch, as an audit
// would leave them. What is not on the branch like that has no Version.
type outlook struct {
	*audit
	conflicts map[string]detect.Conflict
	unaudited int // facts that were too many to be examined
}

func (m *Memory) outlook(ctx context.Context) (outlook, error) {
	a, err := m.newAudit(ctx, AuditInput{})
	if err != nil {
		return outlook{}, err
	}
	o := outlook{audit: a, conflicts: make(map[string]detect.Conflict)}
	if len(a.blobs) > previewed {
		o.unaudited, a.blobs = len(a.blobs), nil
	}
	open, err := a.standing()
	if err != nil {
		return outlook{}, err
	}
	for id, c := range a.before {
		o.conflicts[id] = c
	}
	for _, e := range a.endings {
		o.conflicts[e.conflict.ID] = e.conflict.Close(e.reason, e.at)
	}
	for _, c := range open {
		o.conflicts[c.ID] = c
	}
	return o, nil
}

// showConflict fills in the facts that a conflict is about.
func (m *Memory) showConflict(ctx context.Context, tip string, c detect.Conflict) (Conflict, error) {
	v := Conflict{
		ConflictID: c.ID, Key: detect.ConflictKey(c.ID), Scope: c.Scope, Status: string(c.Status), Recorded: c.Version != "",
		VersionA: c.A.ID, VersionB: c.B.ID, KeyA: c.A.Key.String(), KeyB: c.B.Key.String(), Basis: c.Basis,
		Since: c.At, Resolution: string(c.Resolution), Reason: c.Reason, Winner: c.Winner,
		ResolvedBy: c.By, Engineer: c.Engineer, Evidence: c.Evidence,
	}
	a, err := m.side(ctx, tip, c.A)
	if err != nil {
		return v, err
	}
	b, err := m.side(ctx, tip, c.B)
	if err != nil {
		return v, err
	}
	f := c.Finding
	if a != nil && b != nil && a.fact.ID == c.A.ID && b.fact.ID == c.B.ID {
		if again, found := detect.Compare(a.claim, b.claim); found && again.Explanation == f.Explanation {
			f.A, f.B = again.A, again.B
		}
	}
	textOf := func(s *stated) string {
		if s == nil {
			return ""
		}
		return s.fact.Claim
	}
	v.Clash = showClash(f, textOf(a), textOf(b))
	var sides []*Fact
	now := m.moment()
	for _, side := range []struct {
		stated *stated
		shown  **Fact
	}{{a, &v.A}, {b, &v.B}} {
		if side.stated != nil {
			f := show(side.stated.fact, side.stated.fact.Window(), now)
			*side.shown, sides = &f, append(sides, &f)
		}
	}
	return v, m.tellDisputed(ctx, tip, sides...)
}
