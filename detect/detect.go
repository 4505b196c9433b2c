// Package detect is the entry to what engram reads out of claims and finds
// between them. The work is done below it, in this order:
//
//   - lexicon: what words mean and what part they play in a sentence;
//   - entity: what a text mentions and the values it gives;
//   - claim: a claim as clauses, terms, values and conditions;
//   - quantity and frame: a claim as statements, with quantities in any wording;
//   - rule: when two claims contradict each other, one file a rule;
//   - clash: where statements of two claims exclude each other, and how sure that is;
//   - assess: both of these, with a grade;
//   - judge: the same asked of models;
//   - finding and conflict: what a contradiction is, and how it is kept on the
//     branch;
//   - feedback: how often each family of findings was right in one memory.
//
// All of it is pure; only judge calls models, which are given to it.
package detect

import (
	"context"
	"time"

	"engram/detect/assess"
	"engram/detect/claim"
	"engram/detect/clash"
	"engram/detect/conflict"
	"engram/detect/entity"
	"engram/detect/feedback"
	"engram/detect/finding"
	"engram/detect/judge"
	"engram/detect/rule"
	"engram/facts"
)

// Versions of what is derived from claims.
const (
	Version      = entity.Version // of Entities
	RulesVersion = rule.Version   // of Compare
)

// What a text mentions.
type (
	Entity = entity.Entity
	Tag    = entity.Tag
)

// Entities returns what a text is about; see entity.Entities.
func Entities(text string) []Entity { return entity.Entities(text) }

// Tagged returns the entities that a model found and the rules did not.
func Tagged(text string, tags []Tag) []Entity { return entity.Tagged(text, tags) }

// Claim is a claim that was read to be compared.
type Claim = claim.Claim

// Read reads the claim of a fact; see claim.Read.
func Read(f facts.Fact, tagged ...Entity) *Claim { return claim.Read(f, tagged...) }

// Compare returns a contradiction between two claims that is sure enough to open a
// conflict: what Assess grades as one.
func Compare(a, b *Claim) (Finding, bool) { return shown(assess.Compare(a, b)) }

// Assess compares two claims and returns what it finds, of any grade; see assess.Assess.
func Assess(a, b *Claim) (Finding, bool) { return shown(assess.Assess(a, b)) }

// shown shortens an explanation, which quotes what anybody may have written.
func shown(f Finding, found bool) (Finding, bool) {
	f.Explanation = finding.ShortWords(f.Explanation)
	return f, found
}

// What is found between two claims.
type (
	Finding  = finding.Finding
	Tier     = finding.Tier
	Severity = finding.Severity
	Grade    = finding.Grade
	Verdict  = finding.Verdict
	Side     = finding.Side
	Place    = finding.Place
)

// The tiers, severities, verdicts and sides that callers tell apart.
const (
	TierEntity     = finding.TierEntity
	TierNumeric    = finding.TierNumeric
	TierTemporal   = finding.TierTemporal
	TierCrossScope = finding.TierCrossScope
	TierNLI        = finding.TierNLI
	TierLLM        = finding.TierLLM
	TierMerge      = finding.TierMerge
	TierJudged     = finding.TierJudged

	High   = finding.High
	Medium = finding.Medium
	Low    = finding.Low

	Genuine   = finding.Genuine
	Evolution = finding.Evolution
	Ambiguous = finding.Ambiguous

	GradeContradiction = finding.Contradiction
	GradeLikely        = finding.Likely
	GradeRelated       = finding.Related

	Neither = finding.Neither
	SideA   = finding.SideA
	SideB   = finding.SideB
)

// Tiers lists every tier.
func Tiers() []Tier { return finding.Tiers() }

// Severities lists every severity, the gravest first.
func Severities() []Severity { return finding.Severities() }

// Verdicts lists every verdict.
func Verdicts() []Verdict { return finding.Verdicts() }

// CompareSeverity orders severities, the gravest first.
func CompareSeverity(a, b Severity) int { return finding.CompareSeverity(a, b) }

// A contradiction as a fact on the branch.
type (
	Conflict   = conflict.Conflict
	Party      = conflict.Party
	Status     = conflict.Status
	Resolution = conflict.Resolution
	Discount   = conflict.Discount
)

// The states of a conflict, the ways to settle one, and where conflicts are stored.
const (
	Open      = conflict.Open
	Resolved  = conflict.Resolved
	Dismissed = conflict.Dismissed
	Closed    = conflict.Closed

	ByWinner     = conflict.ByWinner
	ByMerge      = conflict.ByMerge
	ByDismissal  = conflict.ByDismissal
	ByLastWriter = conflict.ByLastWriter
	ByConfidence = conflict.ByConfidence

	AuthorDecides   = conflict.AuthorDecides
	DisputedDecides = conflict.DisputedDecides

	Auditor        = conflict.Auditor
	ConflictPrefix = conflict.Prefix
)

// The verdicts of an agent or a person on a pair of facts, what precedes their name, and why a
// conflict ends that nobody settles.
const (
	SaysContradicts = conflict.SaysContradicts
	SaysSame        = conflict.SaysSame
	SaysEvolves     = conflict.SaysEvolves
	SaysCompatible  = conflict.SaysCompatible
	JudgedBy        = conflict.JudgedBy
	NoClash         = conflict.NoClash
)

// JudgeName names a judge: the agent or, without one, a person.
func JudgeName(agent, engineer string) string { return conflict.JudgeName(agent, engineer) }

// IsPerson reports whether JudgeName named a person.
func IsPerson(name string) bool { return conflict.IsPerson(name) }

// Family is what was found of one family of findings, and decided about it.
type Family = feedback.Family

// When a family of findings is doubted; see feedback.
const (
	EnoughFeedback     = feedback.Enough
	TolerablePrecision = feedback.Tolerable
)

// Agree reports whether one claim says what the other says; see clash.Agree.
func Agree(a, b *Claim) bool { return clash.Agree(a.Frame(), b.Frame()) }

// ShareName reports an identifier or a proper name that both claims have.
func ShareName(a, b *Claim) bool { return assess.ShareName(a, b) }

// AddOpen adds a new open conflict to families; see feedback.AddOpen.
func AddOpen(families []Family, c Conflict) (added []Family, ok bool) {
	return feedback.AddOpen(families, c)
}

// Families counts conflicts by family; see feedback.Tally.
func Families(conflicts map[string]Conflict) []Family { return feedback.Tally(conflicts) }

// Statuses lists every status.
func Statuses() []Status { return conflict.Statuses() }

// Resolutions lists every way to settle a conflict.
func Resolutions() []Resolution { return conflict.Resolutions() }

// NewConflict returns the conflict between two facts; see conflict.New.
func NewConflict(a, b facts.Fact, f Finding, basis string) Conflict {
	return conflict.New(a, b, f, basis)
}

// ConflictOf reads a conflict from its fact; ok is false if it is none.
func ConflictOf(f facts.Fact) (c Conflict, ok bool) { return conflict.FromFact(f) }

// ConflictID returns the id of the conflict between two lineages.
func ConflictID(a, b string) string { return conflict.ID(a, b) }

// ConflictKey returns the key of the conflict with an id.
func ConflictKey(id string) facts.Key { return conflict.Key(id) }

// IsConflict reports whether a key is that of a conflict.
func IsConflict(k facts.Key) bool { return conflict.IsKey(k) }

// PartyOf returns a fact as a side of a conflict.
func PartyOf(f facts.Fact) Party { return conflict.PartyOf(f) }

// Order returns two facts in the order in which they are the sides of a conflict.
func Order(a, b facts.Fact) (first, second facts.Fact) { return conflict.Order(a, b) }

// Models that judge, and what they say.
type (
	NLI        = judge.NLI
	Tagger     = judge.Tagger
	LLM        = judge.LLM
	Judgement  = judge.Judgement
	Opinion    = judge.Opinion
	Thresholds = judge.Thresholds
)

// FeedbackStep is how many judged findings move the threshold once.
const FeedbackStep = judge.FeedbackStep

// ErrNoVerdict is an answer of a language model without a verdict in it.
var ErrNoVerdict = judge.ErrNoVerdict

// DefaultThresholds returns the thresholds that hold without feedback.
func DefaultThresholds() Thresholds { return judge.DefaultThresholds() }

// ThresholdFact returns the fact that records a threshold; see judge.ThresholdFact.
func ThresholdFact(t Thresholds, feedback int, at time.Time) facts.Fact {
	return judge.ThresholdFact(t, feedback, at)
}

// Judge asks an NLI model about two claims, in both directions.
func Judge(ctx context.Context, nli NLI, a, b *Claim) (Judgement, error) {
	return judge.Judge(ctx, nli, a, b)
}

// AskLLM asks a language model about two claims; see judge.AskLLM.
func AskLLM(ctx context.Context, m LLM, a, b *Claim, committedA, committedB time.Time, score float64) (Opinion, error) {
	return judge.AskLLM(ctx, m, a, b, committedA, committedB, score)
}

// Confirm applies the opinion of a language model to an ambiguous finding; found is
// false if the model sees no contradiction.
func Confirm(f Finding, o Opinion, a, b *Claim) (confirmed Finding, found bool) {
	return judge.Confirm(f, o, a, b)
}
