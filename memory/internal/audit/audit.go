// Package audit finds contradictions between facts, keeps them as conflict facts on the
// branch, and says what is disputed. It compares by package compare. People settle
// conflicts through package resolve.
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
	"engram/memory/internal/proof"
)

// Auditor finds and keeps the conflicts of a memory.
type Auditor struct {
	*core.Memory
	compare *compare.Comparer
	proof   *proof.Verifier
}

// New returns the Auditor of a memory.
func New(m *core.Memory) *Auditor {
	return &Auditor{Memory: m, compare: compare.New(m), proof: proof.New(m)}
}

// AuditInput says what to audit; the zero value means what changed since the last audit of
// this clone.
type AuditInput struct {
	From, To string        // what changed between two revisions, as far as it still stands
	All      bool          `json:"all,omitempty" help:"compare every fact again instead of those that changed; slow in a large memory"`
	AskedBy  string        `json:"-"`                // the agent that reads the answer; "" whom the memory was opened for
	Budget   time.Duration `json:"budget,omitempty"` // for the cross-encoder, and as much for the tagger; 0 means DefaultNLIBudget
}

// AuditResult says what an audit examined and found.
type AuditResult struct {
	core.Answer
	From  string   `json:"from"`  // "" where everything was looked at
	To    string   `json:"to"`    // the revision that was audited; Revision may have what this audit wrote
	Tiers []string `json:"tiers"` // that took part
	Facts int      `json:"facts"` // that were compared with others
	Pairs int      `json:"pairs"` // that the rules compared
	// Opened are the conflicts that this audit wrote, new ones and those that
	// clash again, and Closed those it ended.
	Opened []core.Conflict `json:"opened"`
	Closed []core.Conflict `json:"closed"`
	// Arrived are the open conflicts of the audited facts that the branch had already, because
	// the commit that wrote a fact wrote them or another clone did. An audit of everything
	// lists none.
	Arrived []core.Conflict `json:"arrived,omitempty"`
	// Kept are claims that a merge by plain git had dropped and that this audit kept as rivals
	// of the version that stands.
	Kept []facts.Key `json:"kept"`
	// Reopened are facts that win by the final resolution of a conflict, but were closed by
	// another resolution of the same conflict in another clone.
	Reopened []facts.Key `json:"reopened"`
	// Known are the clashes that the branch had already, settled ones included.
	Known int `json:"known"`
	// Judged and Asked are the pairs that the cross-encoder and the language
	// model were asked about.
	Judged       int            `json:"judged"`
	Asked        int            `json:"asked"`
	Corroborated [][2]facts.Key `json:"corroborated"` // pairs in which agents say the same
	// Undecided pairs are left for the next audit; Unreached counts those for which the time
	// of the cross-encoder was too short.
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
	// Violations are changes that violate engram.yml.
	Violations []Violation `json:"violations"`
	// Foreign are the clashes of this memory's facts with those of sources. They
	// are reported and not written to the branch.
	Foreign []ForeignClash `json:"foreign"`
	// Withheld counts the conflicts and violations that are not listed above, because they are
	// of facts that the agent that asks may not read.
	Withheld int      `json:"withheld"`
	Took     float64  `json:"took_seconds"`
	Notes    []string `json:"notes,omitempty"`
}

// Audit compares changed facts with all others, and opens and closes conflicts accordingly,
// in one commit. It is idempotent: it writes nothing that the branch already has. One
// process audits at a time; others wait.
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
		if may, err := a.reads.MayReadKey(ctx, a.tip, key); err != nil {
			return AuditResult{}, err
		} else if !may {
			continue
		}
		a.result.Notes = append(a.result.Notes, fmt.Sprintf("%s is retired: its claim had been replaced by a writer who knew it", key))
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
		a.result.Notes = append(a.result.Notes, fmt.Sprintf("the next audit examines the same facts again: %v", err))
	}
	if a.result.Foreign, err = m.auditSources(ctx, a.result.Revision, &a.result.Notes); err != nil {
		return AuditResult{}, err
	}
	if err := a.withhold(ctx); err != nil {
		return AuditResult{}, err
	}
	a.result.Took = time.Since(start).Seconds()
	return a.result, nil
}

// withhold removes from the result what the agent that asks may not read.
func (a *audit) withhold(ctx context.Context) (err error) {
	if a.reads == nil {
		return nil
	}
	r := &a.result
	for _, list := range []*[]core.Conflict{&r.Opened, &r.Closed, &r.Arrived} {
		all := len(*list)
		*list = slices.DeleteFunc(*list, func(c core.Conflict) bool { return !a.reads.MayReadConflict(c) })
		r.Withheld += all - len(*list)
	}
	r.Violations = a.withholdViolations(r.Violations, &r.Withheld)
	r.Foreign = slices.DeleteFunc(r.Foreign, func(c ForeignClash) bool { return !a.reads.MayReadScope(c.Ours.Scope) })
	r.Corroborated = slices.DeleteFunc(r.Corroborated, func(pair [2]facts.Key) bool {
		readable, e := a.reads.ReadableKeys(ctx, r.Revision, pair[:])
		err = errors.Join(err, e)
		return len(readable) < len(pair)
	})
	for _, keys := range []*[]facts.Key{&r.Kept, &r.Reopened} {
		var e error
		*keys, e = a.reads.ReadableKeys(ctx, r.Revision, *keys)
		err = errors.Join(err, e)
	}
	return err
}

func (a *audit) withholdViolations(list []Violation, withheld *int) []Violation {
	return slices.DeleteFunc(list, func(v Violation) bool {
		hidden := v.Key != "" && !a.reads.MayReadScope(v.Scope)
		if hidden {
			*withheld++
		}
		return hidden
	})
}

// Tiers names the tiers that are available to an audit.
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

// CheckNotCheckedOut returns an error that wraps gitstore.ErrCheckedOut if the memory branch
// is checked out: engram writes nothing then.
func (m *Auditor) CheckNotCheckedOut() error {
	if tree := m.Store.CheckedOutAt(); tree != "" {
		return fmt.Errorf("%w in %s, so engram writes nothing", gitstore.ErrCheckedOut, tree)
	}
	return nil
}
