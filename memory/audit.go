package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/filelock"
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
	Answer
	From  string   `json:"from"`  // "" where everything was looked at
	To    string   `json:"to"`    // the revision that was audited; Revision may have what this audit wrote
	Tiers []string `json:"tiers"` // that took part
	Facts int      `json:"facts"` // that were held against others
	Pairs int      `json:"pairs"` // that the rules compared
	// Opened are the conflicts that this audit wrote, new ones and those that
	// clash anew, and Closed those it ended.
	Opened []Conflict `json:"opened"`
	Closed []Conflict `json:"closed"`
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
func (m *Memory) Audit(ctx context.Context, in AuditInput) (AuditResult, error) {
	release, err := filelock.Acquire(ctx, m.auditPath(auditLock), filelock.Exclusive)
	if err != nil {
		return AuditResult{}, err
	}
	defer func() { _ = release() }()
	start := time.Now()
	if err := m.checkout(); err != nil { // before all the work
		return AuditResult{}, err
	}
	rivals, err := m.tendRivals(ctx, m.readMark().Revision)
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
	if a.result.Violations, err = a.violations(); err != nil {
		return AuditResult{}, err
	}
	if err := a.rememberViolations(a.result.Violations); err != nil {
		a.result.Notes = append(a.result.Notes, err.Error())
	}
	if err := a.run(cmp.Or(in.Budget, DefaultNLIBudget)); err != nil {
		return AuditResult{}, err
	}
	if err := a.remember(); err != nil { // what was found is on the branch
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
	*examiner
	tip     string
	in      AuditInput
	mark    auditMark
	blobs   []string                   // what is examined
	before  map[string]detect.Conflict // on the branch, by id
	endings []ending
	// rulesOnly: somebody waits for the answer, so no model is asked.
	rulesOnly bool
	judgement judgement
	result    AuditResult
}

func (m *Memory) newAudit(ctx context.Context, in AuditInput) (*audit, error) {
	tip, _, err := m.tip(ctx)
	if err != nil {
		return nil, err
	}
	a := &audit{examiner: m.newExaminer(ctx, m.moment()), tip: tip, in: in, mark: m.readMark()}
	a.keepUnsettled = m.models.NLI != nil || m.models.LLM != nil && len(m.models.HighStakes) > 0
	a.result = AuditResult{Answer: answer(tip), To: tip, Opened: []Conflict{}, Closed: []Conflict{}, Corroborated: [][2]facts.Key{}}
	if err := a.span(); err != nil {
		return nil, err
	}
	if a.before, err = m.conflictsAt(ctx, tip); err != nil {
		return nil, err
	}
	a.judged = func(p pairing) bool {
		c, exists := a.before[detect.ConflictID(p.a.fact.Lineage, p.b.fact.Lineage)]
		return exists && c.Judged(p.a.fact, p.b.fact)
	}
	return a, nil
}

// span settles what is examined.
//
//  1. Everything, where asked for.
//  2. Between two revisions of the branch; without an end, up to its tip.
//  3. What changed since the last audit; everything where there was none.
func (a *audit) span() (err error) {
	switch {
	case a.in.All:
	case a.in.From != "" || a.in.To != "":
		if a.in.From != "" {
			if a.result.From, err = a.m.revisionOf(a.ctx, a.in.From, a.tip); err != nil {
				return err
			}
		}
		if a.in.To != "" {
			if a.result.To, err = a.m.revisionOf(a.ctx, a.in.To, a.tip); err != nil {
				return err
			}
		}
	default:
		a.result.From = a.mark.Revision
		if a.mark.Rules != 0 && a.mark.Rules != detect.RulesVersion {
			a.result.Notes = append(a.result.Notes, "the rules have changed since the last audit; `engram audit --all` applies them to every fact")
		}
	}
	blobs, err := a.m.unaudited(a.ctx, a.result.From, a.result.To, a.tip)
	if err != nil {
		return err
	}
	begun, err := a.m.begun(a.ctx, a.mark.Planned, a.tip, a.now)
	a.blobs = append(blobs, begun...)
	return err
}

// run examines, judges and writes.
func (a *audit) run(budget time.Duration) error {
	if err := a.embedMissing(); err != nil {
		return err
	}
	a.tags = a.m.newTags(budget)
	if err := a.examine(a.tip, a.blobs); err != nil {
		return err
	}
	var left []undecided
	if a.m.models.any() && a.m.readState(undecidedFile, &left) {
		a.takeUp(left)
	}
	if err := a.revisit(); err != nil {
		return err
	}
	thresholds, _ := calibrated(a.before)
	judged, err := a.judge(a.m.models, thresholds, budget)
	if err != nil {
		return err
	}
	a.judgement = judged
	a.account()
	if err := a.write(); err != nil {
		return err
	}
	broken, err := a.m.brokenAfter(a)
	a.result.Notes = append(a.result.Notes, broken...)
	return err
}

// embedMissing makes the vectors of what is examined, where that takes no time.
func (a *audit) embedMissing() error {
	if a.m.embedder == nil || !a.m.embedder.Instant() {
		return nil
	}
	if _, err := a.m.index.Embed(a.ctx, a.tip, false); err != nil {
		if a.ctx.Err() != nil {
			return err
		}
		a.result.Notes = append(a.result.Notes, fmt.Sprintf("candidates were found by words alone: %v", err))
	}
	return nil
}

// takeUp puts pairs that an earlier audit left undecided first, if both facts
// are as they were.
func (a *audit) takeUp(list []undecided) {
	for _, u := range list {
		x, errX := a.m.side(a.ctx, a.tip, detect.Party{Key: u.KeyA})
		y, errY := a.m.side(a.ctx, a.tip, detect.Party{Key: u.KeyB})
		if errX != nil || errY != nil || x == nil || y == nil || x.fact.ID != u.A || y.fact.ID != u.B ||
			!a.concerns(x.fact) || !a.concerns(y.fact) {
			continue
		}
		if p, fresh := a.pair(x, y, firstOfAll); fresh && !a.compare(p) {
			a.unsettled = append(a.unsettled, p)
		}
	}
}

// account fills in what the result says of the work.
func (a *audit) account() {
	r, j := &a.result, a.judgement
	r.Facts, r.Pairs, r.Judged, r.Asked, r.Undecided = len(a.blobs), a.compared, j.judged, j.asked, len(j.undecided)
	r.Unreached = unreached(j.undecided)
	r.Beyond, r.Crowded = a.missed.beyond, a.missed.crowded
	for _, p := range j.corroborated {
		r.Corroborated = append(r.Corroborated, [2]facts.Key{p.a.fact.Key, p.b.fact.Key})
	}
	r.Notes = append(r.Notes, j.notes...)
	r.Tiers = a.m.tiers()
	if r.Undecided > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("undecided: %d (%s); the next audit takes that up", r.Undecided, j.undecided[0].Reason))
	}
}

// tiers names the tiers that an audit has at its disposal.
func (m *Memory) tiers() []string {
	tiers := []string{string(detect.TierEntity), string(detect.TierNumeric), string(detect.TierTemporal), string(detect.TierCrossScope)}
	if m.models.NLI != nil {
		tiers = append(tiers, string(detect.TierNLI))
	}
	if m.models.LLM != nil {
		tiers = append(tiers, string(detect.TierLLM))
	}
	return tiers
}

// maxPerFact is how many conflicts of one fact an audit opens: who has settled so
// many knows what is wrong with the others.
const maxPerFact = 10

// found are the clashes as conflicts, one for each two lineages, the gravest
// where tiers disagree, and at most maxPerFact of one fact. The result is in the
// order of the ids.
func (e *examiner) found() []detect.Conflict {
	byID := make(map[string]detect.Conflict)
	for _, c := range e.clashes {
		next := detect.NewConflict(c.a.fact, c.b.fact, c.Finding, c.basis)
		if old, twice := byID[next.ID]; !twice || detect.CompareSeverity(next.Severity, old.Severity) < 0 {
			byID[next.ID] = next
		}
	}
	all := slices.SortedFunc(maps.Values(byID), func(a, b detect.Conflict) int {
		return cmp.Or(detect.CompareSeverity(a.Severity, b.Severity), cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	count := make(map[facts.Key]int)
	list := slices.DeleteFunc(all, func(c detect.Conflict) bool {
		count[c.A.Key]++
		count[c.B.Key]++
		return count[c.A.Key] > maxPerFact || count[c.B.Key] > maxPerFact
	})
	e.missed.surplus = len(byID) - len(list)
	slices.SortFunc(list, func(a, b detect.Conflict) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// remember keeps what the next audit builds on, and moves the mark on, where the
// audit reached the tip without a gap.
func (a *audit) remember() error {
	err := errors.Join(a.m.keepAgreements(a.judgement.corroborated), a.m.keepTags(a.tags))
	if a.m.models.any() {
		err = errors.Join(err, a.m.writeState(undecidedFile, a.judgement.undecided))
	}
	if err != nil {
		return err
	}
	ranged := a.in.From != "" || a.in.To != ""
	if ranged && !(a.result.From == a.mark.Revision && a.result.To == a.tip) {
		return nil
	}
	a.mark.Revision = a.result.To
	a.mark.Planned = slices.DeleteFunc(a.mark.Planned, func(p planned) bool { return a.result.From == "" || !p.Begin.After(a.now) })
	a.mark.Planned = append(a.mark.Planned, a.planned...)
	if a.in.All || a.mark.Rules == 0 {
		a.mark.Rules = detect.RulesVersion
	}
	return a.m.writeState(markFile, a.mark)
}

// write puts the conflicts on the branch. A fact that changed meanwhile is left
// to the next audit.
func (a *audit) write() error {
	found := a.found()
	if a.result.Surplus = a.missed.surplus; a.result.Surplus > 0 {
		a.result.Notes = append(a.result.Notes, fmt.Sprintf("%d clashes more were not opened: their facts have %d conflicts each already", a.result.Surplus, maxPerFact))
	}
	var writes []gitstore.Write
	revision, err := a.m.store.Update(a.ctx, func(tip string) ([]gitstore.Write, gitstore.Meta, error) {
		w := auditWriter{audit: a, tip: tip}
		a.result.Opened, a.result.Closed, a.result.Reopened, a.result.Known = a.result.Opened[:0], a.result.Closed[:0], []facts.Key{}, 0
		err := w.plan(found)
		writes = w.writes
		return w.writes, metaOf(w.manifest, w.message()), err
	})
	if err != nil {
		return fmt.Errorf("write conflicts: %w", err)
	}
	if len(writes) > 0 {
		a.result.Revision = revision
	}
	return nil
}
