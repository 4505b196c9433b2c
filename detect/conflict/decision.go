package conflict

import (
	"strings"

	"engram/detect/finding"
	"engram/facts"
)

// The verdicts of an agent or a person on a pair of facts.
const (
	SaysContradicts = "contradicts" // both cannot hold
	SaysSame        = "same"        // both say the same
	SaysEvolves     = "evolves"     // one is the newer state of the other
	SaysCompatible  = "compatible"  // both hold
)

// JudgedBy begins the basis of an open conflict of tier judged, and the evidence of a
// dismissed one. The judge's name follows.
const JudgedBy = "judged by "

// Discount says why the decision of an agent counts less.
type Discount string

// The reasons.
const (
	AuthorDecides   Discount = "author"   // the agent wrote one of the two facts
	DisputedDecides Discount = "disputed" // most of the agent's own facts are disputed
)

// Mark returns what the reason of such a decision ends in.
func (d Discount) Mark() string {
	switch d {
	case AuthorDecides:
		return " (says the author of one)"
	case DisputedDecides:
		return " (says an agent whose facts are mostly disputed)"
	}
	return ""
}

// readFeedback reads a tag that tells for what the decision about the conflict counts. It
// ignores what no version writes: statistics name families, and somebody may have edited the
// tag.
func (c *Conflict) readFeedback(name, value string) {
	switch {
	case name == "family" && strings.Trim(value, "abcdefghijklmnopqrstuvwxyz ") == "":
		c.Family = value
	case name == "grade" && value == string(finding.Likely):
		c.Grade = finding.Likely
	case name == "discount" && Discount(value).Mark() != "":
		c.Discount = Discount(value)
	}
}

// discountOld sets the discount of a verdict that was written before the tag existed.
func (c *Conflict) discountOld() {
	mark := AuthorDecides.Mark()
	if c.Discount == "" && (strings.HasSuffix(c.Explanation, mark) || strings.HasSuffix(c.Reason, mark)) {
		c.Discount = AuthorDecides
	}
}

// IsDisagreement reports whether two judges disagree: no other judged conflict is open and
// ambiguous, except that of a judge who counts less.
func (c Conflict) IsDisagreement() bool {
	return c.Tier == finding.TierJudged && c.Status == Open && c.Verdict == finding.Ambiguous && c.Discount == ""
}

// Decision is what somebody decided about a finding.
type Decision struct {
	Verdict string // of a judge; "" if the conflict was settled
	Right   bool   // there was a contradiction, or an update
	Agent   string // "" for a person
	Author  bool   // the agent wrote one of the two facts
	// Corrected: nobody said so, but a side was retired, or changed so that the two no longer
	// clash.
	Corrected bool
}

// NoClash is why a conflict is closed if a side has changed and the two no longer clash.
const NoClash = "the two do not clash any more"

// corrected reports whether an open conflict ended because somebody retired or changed a side.
func (c Conflict) corrected() bool {
	return c.Status == Closed && c.Tier != finding.TierJudged && (c.Reason == NoClash || strings.HasSuffix(c.Reason, " is "+string(facts.Retired)))
}

// Decision returns what somebody decided about the finding; ok is false if nobody did. A
// disagreement of two judges decides nothing, and neither does engram.
func (c Conflict) Decision() (d Decision, ok bool) {
	d = Decision{Agent: c.By, Author: c.Discount == AuthorDecides, Right: c.Status != Dismissed}
	judged := c.Tier == finding.TierJudged
	switch {
	case c.corrected():
		return Decision{Right: true, Corrected: true}, true
	case c.Status == Closed, c.IsDisagreement(), c.Status == Open && !judged, c.By == Auditor:
		return Decision{}, false
	case c.Status == Open:
		if d.Agent = strings.TrimPrefix(c.Basis, JudgedBy); IsPerson(d.Agent) {
			d.Agent = ""
		}
		d.Verdict = SaysContradicts
		if c.Verdict == finding.Evolution {
			d.Verdict = SaysEvolves
		}
	case c.Status == Dismissed && judged && strings.HasPrefix(c.Evidence, JudgedBy):
		d.Verdict, _, _ = strings.Cut(c.Reason, ":")
	}
	return d, true
}

// aPerson begins the name of a judge that is no agent.
const aPerson = "a person"

// JudgeName names a judge: the agent or, without one, a person.
func JudgeName(agent, engineer string) string {
	switch {
	case agent != "":
		return agent
	case engineer != "":
		return aPerson + ", " + engineer
	}
	return aPerson
}

// IsPerson reports whether JudgeName named a person.
func IsPerson(name string) bool { return name == aPerson || strings.HasPrefix(name, aPerson+", ") }
