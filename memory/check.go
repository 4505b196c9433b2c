package memory

import (
	"cmp"
	"context"
	"slices"
	"unicode/utf8"

	"engram/detect"
	"engram/facts"
	"engram/internal/hint"
)

// CheckInput says what to check, and what fails it.
type CheckInput struct {
	// From and To narrow the check to conflicts of which a side changed between
	// two revisions, such as what a pull request brings; without an end, up to the
	// tip.
	From, To string
	Scope    string
	FailOn   string // the least severity that fails; "" means high
}

// CheckResult says whether a memory is free of open conflicts.
type CheckResult struct {
	Answer
	Clean  bool   `json:"clean"` // no open conflict at or above FailOn, nothing broken and no violation
	FailOn string `json:"fail_on"`
	// Conflicts are all open ones, the gravest first; Failing how many of them
	// fail the check. An evolution never does.
	Conflicts []Checked      `json:"conflicts"`
	Failing   int            `json:"failing"`
	Counts    map[string]int `json:"counts"` // open conflicts by severity
	// Broken are settled conflicts of which the fact that was to stand is closed,
	// one line each. They fail the check.
	Broken []string `json:"broken"`
	// Violations are what changed and goes against engram.yml; they fail the check.
	// A scope narrows them to facts that were not to be written.
	Violations []Violation `json:"violations"`
	// Foreign are the clashes with facts of sources. They fail no check: the other
	// side is not this team's to settle.
	Foreign  []ForeignClash `json:"foreign"`
	Examined int            `json:"examined"`
	Notes    []string       `json:"notes,omitempty"`
}

// Checked is a conflict, and whether it fails the check.
type Checked struct {
	Conflict
	Fails bool `json:"fails"`
}

// Check reports open conflicts: those on the branch, and those that the rules
// find in what no audit of this clone has seen, or in what changed between two
// revisions. It writes nothing to the branch and asks no model.
func (m *Memory) Check(ctx context.Context, in CheckInput) (CheckResult, error) {
	least := detect.Severity(cmp.Or(in.FailOn, string(detect.High)))
	if err := checkOneOf("severity", least, detect.Severities()); err != nil {
		return CheckResult{}, err
	}
	a, err := m.newAudit(ctx, AuditInput{From: in.From, To: in.To})
	if err != nil {
		return CheckResult{}, err
	}
	open, err := a.standing()
	if err != nil {
		return CheckResult{}, err
	}
	result := CheckResult{
		Answer: answer(a.tip), FailOn: string(least), Conflicts: []Checked{}, Counts: make(map[string]int),
		Examined: len(a.blobs), Notes: a.result.Notes,
	}
	for _, severity := range Severities() {
		result.Counts[severity] = 0
	}
	changed, err := a.changedKeys()
	if err != nil {
		return result, err
	}
	for _, c := range open {
		if changed != nil && !changed[c.A.Key] && !changed[c.B.Key] {
			continue
		}
		shown, err := m.showConflict(ctx, a.tip, c)
		if err != nil {
			return result, err
		}
		if !(ConflictsInput{Scope: in.Scope}).wants(shown) {
			continue
		}
		fails := c.Verdict != detect.Evolution && detect.CompareSeverity(c.Severity, least) <= 0
		result.Conflicts = append(result.Conflicts, Checked{shown, fails})
		result.Counts[shown.Severity]++
		if fails {
			result.Failing++
		}
	}
	slices.SortFunc(result.Conflicts, func(a, b Checked) int { return a.compareGravity(b.Conflict) })
	broken, err := m.brokenSettlements(ctx, a.tip, a.before)
	result.Broken = append([]string{}, broken...)
	if err == nil {
		result.Violations, err = a.violations()
	}
	if err == nil && in.From == "" && in.To == "" {
		result.Violations, err = a.standingViolations(result.Violations)
	}
	if in.Scope != "" {
		result.Violations = slices.DeleteFunc(result.Violations, func(v Violation) bool { return !underScope(v.Scope, in.Scope) })
	}
	result.Clean = result.Failing == 0 && len(broken) == 0 && len(result.Violations) == 0
	if err == nil {
		result.Foreign, err = m.auditSources(ctx, a.tip, &result.Notes)
	}
	return result, err
}

// standing examines by the rules alone, and returns the conflicts that are open once everything is
// taken into account, by id.
func (a *audit) standing() (open []detect.Conflict, err error) {
	a.rulesOnly = true
	if err := a.examine(a.tip, a.blobs); err != nil {
		return nil, err
	}
	if err := a.revisit(); err != nil {
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
	for _, c := range a.found() {
		if old, exists := a.before[c.ID]; exists {
			next, write := c.Succeeds(old)
			if !write {
				continue
			}
			c = next
		}
		now[c.ID] = c
	}
	for _, c := range now {
		open = append(open, c)
	}
	slices.SortFunc(open, func(a, b detect.Conflict) int { return cmp.Compare(a.ID, b.ID) })
	return open, nil
}

// changedKeys are the keys of a range that was asked for; nil where none was.
func (a *audit) changedKeys() (map[facts.Key]bool, error) {
	if a.in.From == "" && a.in.To == "" {
		return nil, nil
	}
	list, err := a.read(a.blobs)
	if err != nil {
		return nil, err
	}
	changed := make(map[facts.Key]bool)
	for _, s := range list {
		changed[s.fact.Key] = true
	}
	return changed, nil
}

// DetectInput is a claim that is not written yet, and what it is held against:
// another claim, or the memory.
type DetectInput struct {
	Claim   string
	Scope   string
	Key     string // of the fact that it would be the next version of
	Against string // another claim; "" for the memory
	AskedBy string // the agent that reads; "" whom the memory was opened for
}

// DetectResult is what a claim would clash with.
type DetectResult struct {
	Answer
	Tiers []string `json:"tiers"`
	// Clashes are against the memory, the gravest first; Clash against the other
	// claim, null where the two can both hold.
	Clashes []ClashWith `json:"clashes"`
	Clash   *Clash      `json:"clash"`
}

// ClashWith is a clash with a fact. SpanA is of the claim that was asked about.
type ClashWith struct {
	Clash
	Fact Fact `json:"fact"`
}

// Detect tells what a claim would clash with, by the rules alone. It writes
// nothing.
func (m *Memory) Detect(ctx context.Context, in DetectInput) (DetectResult, error) {
	d, err := m.draftOf(CommitInput{Claim: in.Claim, Scope: in.Scope, Key: in.Key})
	if err != nil {
		return DetectResult{}, err
	}
	if d.fact.Claim == "" {
		return DetectResult{}, wrong(hint.New("say in a sentence or two what holds"), "the claim is empty")
	}
	if n := utf8.RuneCountInString(d.fact.Claim); n > facts.MaxClaim {
		return DetectResult{}, wrong(hint.New("say it in a sentence or two"), "the claim has %d characters; at most %d fit", n, facts.MaxClaim)
	}
	now := m.moment()
	d.fact.ValidFrom, d.fact.Provenance.CreatedAt = now, now
	tip, manifest, err := m.tip(ctx)
	if err != nil {
		return DetectResult{}, err
	}
	reads := m.reader(manifest, in.AskedBy)
	result := DetectResult{Answer: answer(tip), Clashes: []ClashWith{}, Tiers: m.tiers()[:4]}
	if in.Against != "" {
		other := d.fact
		other.Claim = facts.FoldSpace(in.Against)
		if c, found := Compare(d.fact, other); found {
			result.Clash = &c
		}
		return result, nil
	}
	e := m.newExaminer(ctx, now)
	claim := &stated{d.fact, "", detect.Read(d.fact)}
	if err := e.compareWithAll(tip, claim); err != nil {
		return result, err
	}
	for _, c := range e.clashes {
		if c.b.fact.Key == d.fact.Key || !reads.may(c.b.fact.Scope) {
			continue
		}
		shown := show(c.b.fact, c.b.fact.Window(), now)
		result.Clashes = append(result.Clashes, ClashWith{showClash(c.Finding, c.a.fact.Claim, c.b.fact.Claim), shown})
	}
	for i := range result.Clashes {
		if err := m.tellDisputed(ctx, tip, &result.Clashes[i].Fact); err != nil {
			return result, err
		}
	}
	slices.SortStableFunc(result.Clashes, func(a, b ClashWith) int {
		return detect.CompareSeverity(detect.Severity(a.Severity), detect.Severity(b.Severity))
	})
	return result, nil
}
