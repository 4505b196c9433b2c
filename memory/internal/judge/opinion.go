package judge

import (
	"fmt"
	"strings"
	"time"

	"engram/detect"
	"engram/facts"
)

// opinion is a verdict on a pair, with the judge and the facts in the order of the conflict.
type opinion struct {
	verdict, reason string
	newer           detect.Side // of Evolves
	agent, engineer string      // the judge; without an agent it is a person
	disputed        bool        // most facts of the agent are disputed
	a, b            facts.Fact
	family          string // of what the rules find, if they find something
	grade           detect.Grade
	at              time.Time
}

// by names the judge.
func (o opinion) by() string { return detect.JudgeName(o.agent, o.engineer) }

// own reports whether the judge wrote one of the two.
func (o opinion) own() bool {
	return o.agent != "" && (o.agent == o.a.Provenance.Agent || o.agent == o.b.Provenance.Agent)
}

// discount says why the verdict counts less.
func (o opinion) discount() detect.Discount {
	switch {
	case o.own():
		return detect.AuthorDecides
	case o.disputed:
		return detect.DisputedDecides
	}
	return ""
}

// on returns what the conflict of the pair becomes; old is nil if the pair has none.
//
//  1. A conflict that was found by other means stays open, and one that somebody settled
//     stays settled while the claims are the same.
//  2. Where nobody has judged the claims as they are, the verdict holds. The contradiction of
//     a judge who counts less (an author, an agent whose facts are mostly disputed) is in doubt.
//  3. The same judge changes an earlier verdict, a person that of an agent, and anybody that
//     of a judge who counts less.
//  4. An agent changes neither the verdict of a person nor a disagreement, and a judge who
//     counts less no verdict of another judge.
//  5. Two judges who disagree leave the pair open and ambiguous, for a person to decide, or
//     until one of them says what the other does.
func (o opinion) on(old *detect.Conflict) (next detect.Conflict, note string, writes bool) {
	switch {
	case old != nil && old.Status == detect.Open && old.Tier != detect.TierJudged:
		return *old, settleIt(old.Tier, old.ID), false
	case old == nil, old.Status == detect.Closed, !o.about(*old):
		return o.after(old, o.conflict()), o.advice(), true
	case old.Status != detect.Open && !strings.HasPrefix(old.Evidence, detect.JudgedBy):
		return *old, "somebody has settled this pair already", false
	}
	judge := judgeOf(*old)
	byPerson := detect.IsPerson(judge)
	agree := o.opens() == (old.Status == detect.Open)
	switch {
	case old.IsDisagreement() && o.givesWay(*old):
		return o.after(old, o.conflict()), "the two judges agree now", true
	case old.IsDisagreement() && o.agent != "":
		return *old, "two judges disagree; a person decides", false
	case judge == o.by() || o.agent == "" && !byPerson || old.Discount != "" && o.discount() == "":
		return o.after(old, o.conflict()), "it replaces an earlier verdict", true
	case agree:
		return *old, judge + " gave the same verdict before", false
	case byPerson && o.agent != "":
		return *old, "a person gave another verdict, which an agent cannot change", false
	case o.own():
		return *old, judge + " gave another verdict, which the author of a fact cannot change", false
	case o.disputed:
		return *old, judge + " gave another verdict, which an agent whose facts are mostly disputed cannot change", false
	}
	explanation := judge + ": " + said(*old) + objection(o.by()) + o.verdict + ": " + o.reason
	return o.after(old, o.open(detect.Ambiguous, detect.Low, explanation)), "two judges disagree; a person decides", true
}

// settleIt says that a verdict does not settle a conflict, and what does.
func settleIt(found detect.Tier, id string) string {
	by := "the rules"
	switch found {
	case detect.TierNLI, detect.TierLLM:
		by = "a model"
	case detect.TierMerge:
		by = "a merge"
	}
	return fmt.Sprintf("%s found this conflict; settle it with `engram resolve %s`", by, id[:8])
}

// objection is what stands in a disagreement between the words of the first judge and the
// verdict of the second.
func objection(second string) string { return "; " + second + " says " }

// givesWay reports whether one of two judges who disagree now says what the other says.
func (o opinion) givesWay(old detect.Conflict) bool {
	first, rest, _ := strings.Cut(old.Explanation, ": ")
	second := judgeOf(old)
	i := strings.LastIndex(rest, objection(second))
	if i < 0 {
		return false
	}
	verdict, _, _ := strings.Cut(rest[i+len(objection(second)):], ":")
	secondOpens := verdict == Contradicts || verdict == Evolves
	return o.by() == second && o.opens() != secondOpens || o.by() == first && o.opens() == secondOpens
}

// about reports whether a conflict is about the claims as they are.
func (o opinion) about(c detect.Conflict) bool {
	return c.A.Digest == detect.PartyOf(o.a).Digest && c.B.Digest == detect.PartyOf(o.b).Digest
}

func (o opinion) opens() bool { return o.verdict == Contradicts || o.verdict == Evolves }

// advice says what the verdict leaves to do.
func (o opinion) advice() string {
	switch o.verdict {
	case Same:
		return "both facts stand; retire the one that says less"
	case Evolves:
		return "an update; somebody has to confirm it"
	}
	return ""
}

// after makes c the version that follows old.
func (o opinion) after(old *detect.Conflict, c detect.Conflict) detect.Conflict {
	if old == nil {
		return c
	}
	return c.After(*old)
}

// conflict is the pair's conflict by this verdict alone.
func (o opinion) conflict() detect.Conflict {
	discount := o.discount()
	reason := o.reason + discount.Mark()
	switch {
	case o.verdict == Evolves:
		c := o.open(detect.Evolution, detect.Low, reason)
		c.Newer, c.Discount = o.newer, discount
		return c
	case o.verdict == Contradicts && discount != "":
		c := o.open(detect.Ambiguous, detect.Low, reason)
		c.Discount = discount
		return c
	case o.verdict == Contradicts:
		return o.open(detect.Genuine, detect.Medium, reason)
	}
	c := o.open(detect.Ambiguous, detect.Low, reason)
	c = c.Settle(detect.ByDismissal, "", o.verdict+": "+reason, o.at)
	c.By, c.Engineer, c.Evidence, c.Previous, c.Discount = o.agent, o.engineer, detect.JudgedBy+o.by(), "", discount
	return c
}

func (o opinion) open(verdict detect.Verdict, severity detect.Severity, explanation string) detect.Conflict {
	f := detect.Finding{Tier: detect.TierJudged, Severity: severity, Verdict: verdict, Score: judgedScore, Explanation: explanation, Family: o.family, Grade: o.grade}
	c := detect.NewConflict(o.a, o.b, f, detect.JudgedBy+o.by())
	c.At = o.at
	return c
}

// judgedScore is the score of a judgement, which states no probability.
const judgedScore = 0.5

// judgeOf names who judged a pair; of two judges who disagree, the later one.
func judgeOf(c detect.Conflict) string {
	if c.Status == detect.Open {
		return strings.TrimPrefix(c.Basis, detect.JudgedBy)
	}
	return detect.JudgeName(c.By, c.Engineer)
}

// said is the verdict of an earlier judge.
func said(c detect.Conflict) string {
	if c.Status == detect.Open {
		return c.Explanation
	}
	return c.Reason
}
