package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/filelock"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// AuditInput says what to audit; the zero value is what changed since the last
// audit of this clone.
type AuditInput struct {
	From, To string        // what changed between two revisions, as far as it still stands
	All      bool          `json:"all,omitempty" help:"compare every fact again instead of those that changed; slow in a large memory"`
	Budget   time.Duration `json:"budget,omitempty"` // for the cross-encoder, and as much for the tagger; 0 means DefaultNLIBudget
}

// AuditResult says what an audit looked at, and what it found.
type AuditResult struct {
	core.Answer
	From  string   `json:"from"`  // "" where everything was looked at
	To    string   `json:"to"`    // the revision that was audited; Revision may have what this audit wrote
	Tiers []string `json:"tiers"` // that took part
	Facts int      `json:"facts"` // that were held against others
	Pairs int      `json:"pairs"` // that the rules compared
	// Opened are the conflicts that this audit wrote, new ones and those that
	// clash anew, and Closed those it ended.
	Opened []core.Conflict `json:"opened"`
	Closed []core.Conflict `json:"closed"`
	// Kept are claims that a merge of plain git had dropped, and that this audit put
	// beside the version that stands.
	Kept []facts.Key `json:"kept"`
	// Reopened are facts that stand by the resolution that lasted, and that another
	// of the same conflict had closed in another clone.
	Reopened []facts.Key `json:"reopened"`
	// Known are the clashes that the branch had already, settled ones included.
	Known int `json:"known"`
	// Judged and Asked are the pairs that the cross-encoder and the language
	// model were asked about.
	Judged       int            `json:"judged"`
	Asked        int            `json:"asked"`
	Corroborated [][2]facts.Key `json:"corroborated"` // pairs in which agents say the same
	// Undecided pairs are left for the next audit; Unreached are those among them
	// that the time for the cross-encoder did not suffice for.
	Undecided int `json:"undecided"`
	Unreached int `json:"unreached"`
	// Beyond counts the facts that share a name with one that was audited and were
	// not among the best that were compared; Crowded, by name, those whose sharing
	// of it was passed over because thousands share it.
	Beyond int `json:"beyond"`
	// Surplus are the clashes that were not opened because one of their facts has
	// enough conflicts already.
	Surplus int            `json:"surplus"`
	Crowded map[string]int `json:"crowded,omitempty"`
	// Violations are what changed and goes against engram.yml.
	Violations []Violation `json:"violations"`
	// Foreign are the clashes of this memory's facts with those of sources. They
	// are reported and not written to the branch.
	Foreign []ForeignClash `json:"foreign"`
	Took    float64        `json:"took_seconds"`
	Notes   []string       `json:"notes,omitempty"`
}

// Audit holds facts that changed against all others, and writes and closes
// conflicts accordingly, in one commit. It is idempotent: what the branch has
// already is not written again. One process audits at a time.
func (m *Auditor) Audit(ctx context.Context, in AuditInput) (AuditResult, error) {
	release, err := filelock.Acquire(ctx, m.AuditPath(LockFile), filelock.Exclusive)
	if err != nil {
		return AuditResult{}, err
	}
	defer func() { _ = release() }()
	start := time.Now()
	if err := m.CheckNotCheckedOut(); err != nil { // before all the work
		return AuditResult{}, err
	}
	rivals, err := m.updateRivals(ctx, m.ReadMark().Revision)
	if err != nil {
		return AuditResult{}, err
	}
	a, err := m.newAudit(ctx, in)
	if err != nil {
		return AuditResult{}, err
	}
	a.result.Kept = append([]facts.Key{}, rivals.kept...)
	for _, key := range rivals.closed {
		a.result.Notes = append(a.result.Notes, fmt.Sprintf("%s is retired: a writer who knew its claim had replaced it", key))
	}
	if a.result.Violations, err = a.violations(ctx); err != nil {
		return AuditResult{}, err
	}
	if err := a.rememberViolations(ctx, a.result.Violations); err != nil {
		a.result.Notes = append(a.result.Notes, err.Error())
	}
	if err := a.run(ctx, cmp.Or(in.Budget, compare.DefaultNLIBudget)); err != nil {
		return AuditResult{}, err
	}
	if err := a.saveState(); err != nil { // what was found is on the branch
		a.result.Notes = append(a.result.Notes, fmt.Sprintf("the next audit looks at the same again: %v", err))
	}
	if a.result.Foreign, err = m.auditSources(ctx, a.result.Revision, &a.result.Notes); err != nil {
		return AuditResult{}, err
	}
	a.result.Took = time.Since(start).Seconds()
	return a.result, nil
}

// audit is one run of Audit.
type audit struct {
	*compare.Examiner
	m       *Auditor
	tip     string
	in      AuditInput
	mark    Mark
	blobs   []string                   // what is examined
	before  map[string]detect.Conflict // on the branch, by id
	endings []ending
	// rulesOnly: somebody waits for the answer, so no model is asked.
	rulesOnly bool
	judgement compare.Judgement
	result    AuditResult
}

func (m *Auditor) newAudit(ctx context.Context, in AuditInput) (*audit, error) {
	tip, _, err := m.Tip(ctx)
	if err != nil {
		return nil, err
	}
	a := &audit{m: m, Examiner: m.compare.NewExaminer(m.Moment()), tip: tip, in: in, mark: m.ReadMark()}
	a.KeepUnsettled = m.Models.NLI != nil || m.Models.LLM != nil && len(m.Models.HighStakes) > 0
	a.result = AuditResult{Answer: core.AnswerAt(tip), To: tip, Opened: []core.Conflict{}, Closed: []core.Conflict{}, Corroborated: [][2]facts.Key{}}
	if err := a.selectFacts(ctx); err != nil {
		return nil, err
	}
	if a.before, err = m.ConflictsAt(ctx, tip); err != nil {
		return nil, err
	}
	a.Judged = func(p compare.Pairing) bool {
		c, exists := a.before[detect.ConflictID(p.First.Fact.Lineage, p.Second.Fact.Lineage)]
		return exists && c.Judged(p.First.Fact, p.Second.Fact)
	}
	return a, nil
}

// selectFacts settles what is examined.
//
//  1. Everything, where asked for.
//  2. Between two revisions of the branch; without an end, up to its tip.
//  3. What changed since the last audit; everything where there was none.
func (a *audit) selectFacts(ctx context.Context) (err error) {
	switch {
	case a.in.All:
	case a.in.From != "" || a.in.To != "":
		if a.in.From != "" {
			if a.result.From, err = a.m.revisionOf(ctx, a.in.From, a.tip); err != nil {
				return err
			}
		}
		if a.in.To != "" {
			if a.result.To, err = a.m.revisionOf(ctx, a.in.To, a.tip); err != nil {
				return err
			}
		}
	default:
		a.result.From = a.mark.Revision
		if a.mark.Rules != 0 && a.mark.Rules != detect.RulesVersion {
			a.result.Notes = append(a.result.Notes, "the rules have changed since the last audit; `engram audit --all` applies them to every fact")
		}
	}
	blobs, err := a.m.Unaudited(ctx, a.result.From, a.result.To, a.tip)
	if err != nil {
		return err
	}
	begun, err := a.m.inForce(ctx, a.mark.Scheduled, a.tip, a.Now)
	a.blobs = append(blobs, begun...)
	return err
}

// run examines, judges and writes.
func (a *audit) run(ctx context.Context, budget time.Duration) error {
	if err := a.embedMissing(ctx); err != nil {
		return err
	}
	a.Tags = a.m.compare.NewTags(budget)
	if err := a.Examine(ctx, a.tip, a.blobs); err != nil {
		return err
	}
	var left []compare.Undecided
	if a.m.Models.Any() && a.m.compare.ReadState(UndecidedFile, &left) {
		a.requeue(ctx, left)
	}
	if err := a.recheckOpen(ctx); err != nil {
		return err
	}
	thresholds, _ := calibrated(a.before)
	judged, err := a.Judge(ctx, a.m.Models, thresholds, budget)
	if err != nil {
		return err
	}
	a.judgement = judged
	a.fillCounts()
	if err := a.write(ctx); err != nil {
		return err
	}
	broken, err := a.m.brokenAfter(ctx, a)
	a.result.Notes = append(a.result.Notes, broken...)
	return err
}

// embedMissing makes the vectors of what is examined, where that takes no time.
func (a *audit) embedMissing(ctx context.Context) error {
	if a.m.Embedder == nil || !a.m.Embedder.Instant() {
		return nil
	}
	if _, err := a.m.Index.Embed(ctx, a.tip, false); err != nil {
		if ctx.Err() != nil {
			return err
		}
		a.result.Notes = append(a.result.Notes, fmt.Sprintf("candidates were found by words alone: %v", err))
	}
	return nil
}

// requeue puts pairs that an earlier audit left undecided first, if both facts
// are as they were.
func (a *audit) requeue(ctx context.Context, list []compare.Undecided) {
	for _, u := range list {
		x, errX := a.m.Side(ctx, a.tip, detect.Party{Key: u.KeyA})
		y, errY := a.m.Side(ctx, a.tip, detect.Party{Key: u.KeyB})
		if errX != nil || errY != nil || x == nil || y == nil || x.Fact.ID != u.A || y.Fact.ID != u.B ||
			!a.MayConflict(x.Fact) || !a.MayConflict(y.Fact) {
			continue
		}
		if p, fresh := a.Pair(x, y, core.FirstOfAll); fresh && !a.Compare(ctx, p) {
			a.Unsettled = append(a.Unsettled, p)
		}
	}
}

// fillCounts fills in what the result says of the work.
func (a *audit) fillCounts() {
	r, j := &a.result, a.judgement
	r.Facts, r.Pairs, r.Judged, r.Asked, r.Undecided = len(a.blobs), a.Compared, j.Judged, j.Asked, len(j.Undecided)
	r.Unreached = compare.Unreached(j.Undecided)
	r.Beyond, r.Crowded = a.Skipped.Beyond, a.Skipped.Crowded
	for _, p := range j.Corroborated {
		r.Corroborated = append(r.Corroborated, [2]facts.Key{p.First.Fact.Key, p.Second.Fact.Key})
	}
	r.Notes = append(r.Notes, j.Notes...)
	r.Tiers = a.m.Tiers()
	if r.Undecided > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("undecided: %d (%s); the next audit takes that up", r.Undecided, j.Undecided[0].Reason))
	}
}

// Tiers names the tiers that an audit has at its disposal.
func (m *Auditor) Tiers() []string {
	tiers := []string{string(detect.TierEntity), string(detect.TierNumeric), string(detect.TierTemporal), string(detect.TierCrossScope)}
	if m.Models.NLI != nil {
		tiers = append(tiers, string(detect.TierNLI))
	}
	if m.Models.LLM != nil {
		tiers = append(tiers, string(detect.TierLLM))
	}
	return tiers
}

// saveState keeps what the next audit builds on, and moves the mark on, where the
// audit reached the tip without a gap.
func (a *audit) saveState() error {
	err := errors.Join(a.m.keepAgreements(a.judgement.Corroborated), a.m.compare.KeepTags(a.Tags))
	if a.m.Models.Any() {
		err = errors.Join(err, a.m.compare.WriteState(UndecidedFile, a.judgement.Undecided))
	}
	if err != nil {
		return err
	}
	ranged := a.in.From != "" || a.in.To != ""
	if ranged && !(a.result.From == a.mark.Revision && a.result.To == a.tip) {
		return nil
	}
	a.mark.Revision = a.result.To
	a.mark.Scheduled = slices.DeleteFunc(a.mark.Scheduled, func(p compare.ScheduledFact) bool { return a.result.From == "" || !p.Begin.After(a.Now) })
	a.mark.Scheduled = append(a.mark.Scheduled, a.Scheduled...)
	if a.in.All || a.mark.Rules == 0 {
		a.mark.Rules = detect.RulesVersion
	}
	return a.m.compare.WriteState(MarkFile, a.mark)
}

// write puts the conflicts on the branch. A fact that changed meanwhile is left
// to the next audit.
func (a *audit) write(ctx context.Context) error {
	found := a.Found()
	if a.result.Surplus = a.Skipped.Surplus; a.result.Surplus > 0 {
		a.result.Notes = append(a.result.Notes, fmt.Sprintf("%d clashes more were not opened: their facts have %d conflicts each already", a.result.Surplus, compare.MaxPerFact))
	}
	var writes []gitstore.Write
	revision, err := a.m.Store.Update(ctx, func(tip string) ([]gitstore.Write, gitstore.Meta, error) {
		w := auditWriter{audit: a, tip: tip}
		a.result.Opened, a.result.Closed, a.result.Reopened, a.result.Known = a.result.Opened[:0], a.result.Closed[:0], []facts.Key{}, 0
		err := w.plan(ctx, found)
		writes = w.writes
		return w.writes, core.MetaOf(w.manifest, w.message()), err
	})
	if err != nil {
		return fmt.Errorf("write conflicts: %w", err)
	}
	if len(writes) > 0 {
		a.result.Revision = revision
	}
	return nil
}
