package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"engram/detect"
	"engram/facts"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// CheckInput says what to check and which conflicts fail the check.
type CheckInput struct {
	// From and To narrow the check to conflicts of which a side changed between
	// two revisions, such as what a pull request brings; without an end, up to the
	// tip.
	From, To string
	AskedBy  string `json:"-"` // the agent that reads; "" whom the memory was opened for
	Scope    string `json:"scope,omitempty" flag:"scope,s,PATH" help:"only conflicts of this topic PATH and those below it"`
	FailOn   string `json:"fail_on,omitempty" enum:"high,medium,low" default:"high" help:"the least severity that fails"`
}

// CheckResult says whether a memory is free of open conflicts.
type CheckResult struct {
	core.Answer
	Clean  bool   `json:"clean"` // no open conflict at or above FailOn, nothing broken and no violation
	FailOn string `json:"fail_on"`
	// Conflicts are all open ones, the gravest first; Failing how many of them
	// fail the check. An evolution never does.
	Conflicts []Checked      `json:"conflicts"`
	Failing   int            `json:"failing"`
	Counts    map[string]int `json:"counts"` // open conflicts by severity
	// Broken are settled conflicts whose winner is closed, one line each. They fail the
	// check.
	Broken []string `json:"broken"`
	// Violations are changes that violate engram.yml; they fail the check.
	// A scope narrows them to facts that were not to be written.
	Violations []Violation `json:"violations"`
	// Foreign are the clashes with facts of sources. They fail no check: the other
	// side is not this team's to settle.
	Foreign []ForeignClash `json:"foreign"`
	// Withheld counts the conflicts and violations that are not listed, because they are of facts
	// that the agent that asks may not read. They count in Failing, and Clean knows of them.
	Withheld int      `json:"withheld"`
	Examined int      `json:"examined"`
	Notes    []string `json:"notes,omitempty"`
}

// Checked is a conflict, and whether it fails the check.
type Checked struct {
	core.Conflict
	Fails bool `json:"fails"`
}

// Check reports open conflicts: those on the branch, and those that the rules
// find in what no audit of this clone has seen, or in what changed between two
// revisions. It writes nothing to the branch and asks no model.
func (m *Auditor) Check(ctx context.Context, in CheckInput) (CheckResult, error) {
	least := detect.Severity(cmp.Or(in.FailOn, string(detect.High)))
	if err := core.CheckOneOf("severity", least, detect.Severities()); err != nil {
		return CheckResult{}, err
	}
	a, err := m.newAudit(ctx, AuditInput{From: in.From, To: in.To, AskedBy: in.AskedBy})
	if err != nil {
		return CheckResult{}, err
	}
	open, err := a.openConflicts(ctx)
	if err != nil {
		return CheckResult{}, err
	}
	result := CheckResult{
		Answer: core.AnswerAt(a.tip), FailOn: string(least), Conflicts: []Checked{}, Counts: make(map[string]int),
		Examined: len(a.blobs), Notes: a.result.Notes,
	}
	for _, severity := range compare.Severities() {
		result.Counts[severity] = 0
	}
	changed, err := a.changedKeys(ctx)
	if err != nil {
		return result, err
	}
	for _, c := range open {
		if changed != nil && !changed[c.A.Key] && !changed[c.B.Key] {
			continue
		}
		shown, err := m.ShowConflict(ctx, a.tip, c)
		if err != nil {
			return result, err
		}
		if !(ConflictsInput{Scope: in.Scope}).wants(shown) {
			continue
		}
		fails := c.Verdict != detect.Evolution && detect.CompareSeverity(c.Severity, least) <= 0
		if fails {
			result.Failing++
		}
		if !a.reads.MayReadConflict(shown) {
			result.Withheld++
			continue
		}
		result.Conflicts = append(result.Conflicts, Checked{shown, fails})
		result.Counts[shown.Severity]++
	}
	slices.SortFunc(result.Conflicts, func(a, b Checked) int { return a.CompareGravity(b.Conflict) })
	broken, err := m.brokenSettlements(ctx, a.tip, a.before, a.reads)
	result.Broken = append([]string{}, broken...)
	if err == nil {
		result.Violations, err = a.violations(ctx)
	}
	if err == nil && in.From == "" && in.To == "" {
		result.Violations, err = a.openViolations(ctx, result.Violations)
	}
	if in.Scope != "" {
		result.Violations = slices.DeleteFunc(result.Violations, func(v Violation) bool { return !core.UnderScope(v.Scope, in.Scope) })
	}
	result.Clean = result.Failing == 0 && len(broken) == 0 && len(result.Violations) == 0
	result.Violations = a.withholdViolations(result.Violations, &result.Withheld)
	if result.Withheld > 0 {
		result.Notes = append(result.Notes, fmt.Sprintf("%d conflicts or violations are of facts that may not be read; they count, and are not listed", result.Withheld))
	}
	if err == nil {
		result.Foreign, err = m.auditSources(ctx, a.tip, &result.Notes)
	}
	result.Foreign = slices.DeleteFunc(result.Foreign, func(c ForeignClash) bool { return !a.reads.MayReadScope(c.Ours.Scope) })
	return result, err
}

// openConflicts examines by the rules alone, and returns the conflicts that are open once everything is
// taken into account, by id.
func (a *audit) openConflicts(ctx context.Context) (open []detect.Conflict, err error) {
	a.rulesOnly = true
	if err := a.Examine(ctx, a.tip, a.blobs); err != nil {
		return nil, err
	}
	if err := a.recheckOpen(ctx); err != nil {
		return nil, err
	}
	now := make(map[string]detect.Conflict)
	for id, c := range a.before {
		if c.Status == detect.Open {
			now[id] = c
		}
	}
	for _, e := range a.endings {
		delete(now, e.conflict.ID)
	}
	for _, c := range a.Found() {
		if old, exists := a.before[c.ID]; exists {
			next, write := c.Succeeds(old)
			if !write {
				continue
			}
			c = next
		}
		now[c.ID] = c
	}
	return slices.SortedFunc(maps.Values(now), func(a, b detect.Conflict) int { return cmp.Compare(a.ID, b.ID) }), nil
}

// changedKeys returns the keys that changed in the range of the input; nil if it has no range.
func (a *audit) changedKeys(ctx context.Context) (map[facts.Key]bool, error) {
	if a.in.From == "" && a.in.To == "" {
		return nil, nil
	}
	list, err := a.Read(ctx, a.blobs)
	if err != nil {
		return nil, err
	}
	changed := make(map[facts.Key]bool)
	for _, s := range list {
		changed[s.Fact.Key] = true
	}
	return changed, nil
}
