package audit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// audit is one run of Audit.
type audit struct {
	*compare.Examiner
	m       *Auditor
	tip     string
	reads   *core.Reader // who asks; it examines everything all the same
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
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return nil, err
	}
	a := &audit{m: m, Examiner: m.compare.NewExaminer(m.Moment()), tip: tip, reads: m.Reader(manifest, in.AskedBy), in: in, mark: m.ReadMark()}
	a.KeepUnsettled = m.Models.NLI != nil || m.Models.LLM != nil && len(m.Models.HighStakes) > 0
	a.result = AuditResult{Answer: core.AnswerAt(tip), To: tip, Opened: []core.Conflict{}, Closed: []core.Conflict{}, Corroborated: [][2]facts.Key{}}
	if err := a.selectFacts(ctx); err != nil {
		return nil, err
	}
	if a.before, err = m.ConflictsAt(ctx, tip); err != nil {
		return nil, err
	}
	if a.Doubted, err = m.Doubted(ctx, tip, nil); err != nil {
		return nil, err
	}
	a.Judged = func(p compare.Pairing) bool {
		c, exists := a.before[detect.ConflictID(p.First.Fact.Lineage, p.Second.Fact.Lineage)]
		return exists && c.Judged(p.First.Fact, p.Second.Fact)
	}
	return a, nil
}

// selectFacts decides which facts are examined:
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
	if err := a.examine(ctx); err != nil {
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
	after, err := a.m.ConflictsAt(ctx, a.result.Revision)
	if err != nil {
		return err
	}
	broken, err := a.m.brokenSettlements(ctx, a.result.Revision, after, a.reads) // that this audit could not repair
	a.result.Notes = append(a.result.Notes, broken...)
	return err
}

// examine compares what was selected, and continues an audit that was interrupted.
func (a *audit) examine(ctx context.Context) error {
	if a.in.From == "" && a.in.To == "" {
		done, err := a.Resume(ctx, compare.ProgressOf{From: a.result.From, Rules: detect.RulesVersion, Models: a.KeepUnsettled})
		if err != nil {
			return err
		}
		left := slices.DeleteFunc(slices.Clone(a.blobs), func(blob string) bool { return done[blob] })
		if known := len(a.blobs) - len(left); known > 0 {
			a.result.Notes = append(a.result.Notes, fmt.Sprintf("continued an audit that was interrupted: %d facts were examined before", known))
		}
		a.blobs = left
		defer a.KeepProgress()
	}
	return a.Examine(ctx, a.tip, a.blobs)
}

// embedMissing embeds the facts to examine if the model is instant.
func (a *audit) embedMissing(ctx context.Context) error {
	if a.m.Embedder == nil || !a.m.Embedder.Instant() {
		return nil
	}
	if _, err := a.m.Index.Embed(ctx, a.tip, false); err != nil {
		if ctx.Err() != nil {
			return err
		}
		a.result.Notes = append(a.result.Notes, fmt.Sprintf("candidates were found by words only: %v", err))
	}
	return nil
}

// requeue puts pairs that an earlier audit left undecided first, if neither fact has changed.
func (a *audit) requeue(ctx context.Context, list []compare.Undecided) {
	for _, u := range list {
		x, errX := a.m.ConflictSide(ctx, a.tip, detect.Party{Key: u.KeyA})
		y, errY := a.m.ConflictSide(ctx, a.tip, detect.Party{Key: u.KeyB})
		if errX != nil || errY != nil || x == nil || y == nil || x.Fact.ID != u.A || y.Fact.ID != u.B ||
			!a.MayConflict(x.Fact) || !a.MayConflict(y.Fact) {
			continue
		}
		if p, fresh := a.Pair(x, y, core.TopPriority); fresh && !a.Compare(ctx, p) {
			a.Unsettled = append(a.Unsettled, p)
		}
	}
}

// fillCounts fills in the counts of the result.
func (a *audit) fillCounts() {
	r, j := &a.result, a.judgement
	r.Facts, r.Pairs, r.Judged, r.Asked, r.Undecided = len(a.blobs), a.Compared, j.Judged, j.Asked, len(j.Undecided)
	r.Unreached = compare.Unreached(j.Undecided)
	r.Beyond, r.Crowded = a.Skipped.Beyond, a.Skipped.Crowded
	for _, p := range j.Corroborated {
		r.Corroborated = append(r.Corroborated, [2]facts.Key{p.First.Fact.Key, p.Second.Fact.Key})
	}
	r.Notes = append(r.Notes, j.Notes...)
	for _, family := range slices.Sorted(maps.Keys(a.Withheld)) {
		r.Notes = append(r.Notes, fmt.Sprintf("%d findings of the family %s are only likely, because it is often wrong in this memory; `engram conflicts --stats` shows how often", a.Withheld[family], family))
	}
	r.Tiers = a.m.Tiers()
	if r.Undecided > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("undecided: %d (%s); the next audit continues with them", r.Undecided, j.Undecided[0].Reason))
	}
}

// saveState stores what the next audit builds on. It advances the mark if the audit covered
// everything up to the tip.
func (a *audit) saveState() error {
	offers := make([]compare.Offer, len(a.Likely))
	for i, c := range a.Likely {
		offers[i] = compare.OfferOf(c)
	}
	err := errors.Join(a.m.keepAgreements(a.judgement.Corroborated), a.m.compare.KeepTags(a.Tags), a.m.compare.AddOffers(offers, a.in.All))
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
	if err := a.m.compare.WriteState(MarkFile, a.mark); err != nil {
		return err
	}
	a.EndProgress()
	return nil
}

// write commits the conflicts. Facts that changed meanwhile are left to the next audit.
func (a *audit) write(ctx context.Context) error {
	found := a.Found()
	if a.result.Surplus = a.Skipped.Surplus; a.result.Surplus > 0 {
		a.result.Notes = append(a.result.Notes, fmt.Sprintf("%d more clashes were not opened: each of their facts already has %d conflicts", a.result.Surplus, compare.MaxPerFact))
	}
	var writes []gitstore.Write
	revision, err := a.m.Store.Update(ctx, func(tip string) ([]gitstore.Write, gitstore.Meta, error) {
		w := auditWriter{audit: a, tip: tip}
		a.result.Opened, a.result.Closed, a.result.Reopened, a.result.Known = a.result.Opened[:0], a.result.Closed[:0], []facts.Key{}, 0
		a.result.Arrived = nil
		err := w.plan(ctx, found)
		writes = w.writes
		return w.writes, core.CommitMeta(w.manifest, w.message()), err
	})
	if err != nil {
		return fmt.Errorf("write conflicts: %w", err)
	}
	if len(writes) > 0 {
		a.result.Revision = revision
	}
	return nil
}
