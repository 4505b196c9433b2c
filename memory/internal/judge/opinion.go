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
	a, b            facts.Fact
	at              time.Time
}

// judgedBy begins the basis of what a judge found, and the evidence of what a judge dismissed.
const judgedBy = "judged by "

// aPerson begins the name of a judge that is no agent.
const aPerson = "a person"

// by names the judge.
func (o opinion) by() string { return judgeName(o.agent, o.engineer) }

func judgeName(agent, engineer string) string {
	switch {
	case agent != "":
		return agent
	case engineer != "":
		return aPerson + ", " + engineer
	}
	return aPerson
}

// own reports whether the judge wrote one of the two.
func (o opinion) own() bool {
	return o.agent != "" && (o.agent == o.a.Provenance.Agent || o.agent == o.b.Provenance.Agent)
}

// on returns what the conflict of the pair becomes; old is nil if the pair has none.
//
//  1. A conflict that was found by other means stays open, and one that somebody settled
//     stays settled while the claims are the same.
//  2. Where nobody has judged the claims as they are, the verdict holds. An author's
//     contradiction is in doubt.
//  3. The same judge changes an earlier verdict, a person that of an agent, and anybody that
//     of an author.
//  4. An agent changes neither the verdict of a person nor a disagreement, and an author no
//     verdict of another judge.
//  5. Two judges who disagree leave the pair open and ambiguous, for a person to decide.
func (o opinion) on(old *detect.Conflict) (next detect.Conflict, note string, writes bool) {
	switch {
	case old != nil && old.Status == detect.Open && old.Tier != detect.TierJudged:
		return *old, settleIt(old.Tier, old.ID), false
	case old == nil, old.Status == detect.Closed, !o.about(*old):
		return o.after(old, o.conflict()), o.advice(), true
	case old.Status != detect.Open && !strings.HasPrefix(old.Evidence, judgedBy):
		return *old, "somebody has settled this pair already", false
	}
	judge := judgeOf(*old)
	byPerson := strings.HasPrefix(judge, aPerson)
	agree := o.opens() == (old.Status == detect.Open)
	switch {
	case isDisagreement(*old) && o.agent != "":
		return *old, "two judges disagree; a person decides", false
	case judge == o.by() || o.agent == "" && !byPerson || byAuthor(*old) && !o.own():
		return o.after(old, o.conflict()), "it replaces an earlier verdict", true
	case agree:
		return *old, judge + " gave the same verdict before", false
	case byPerson && o.agent != "":
		return *old, "a person gave another verdict, which an agent cannot change", false
	case o.own():
		return *old, judge + " gave another verdict, which the author of a fact cannot change", false
	}
	explanation := fmt.Sprintf("%s: %s; %s says %s: %s", judge, said(*old), o.by(), o.verdict, o.reason)
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
	reason := o.reason
	if o.own() {
		reason += authorMark
	}
	switch {
	case o.verdict == Evolves:
		c := o.open(detect.Evolution, detect.Low, reason)
		c.Newer = o.newer
		return c
	case o.verdict == Contradicts && o.own():
		return o.open(detect.Ambiguous, detect.Low, reason)
	case o.verdict == Contradicts:
		return o.open(detect.Genuine, detect.Medium, reason)
	}
	c := o.open(detect.Ambiguous, detect.Low, reason)
	c = c.Settle(detect.ByDismissal, "", o.verdict+": "+reason, o.at)
	c.By, c.Engineer, c.Evidence, c.Previous = o.agent, o.engineer, judgedBy+o.by(), ""
	return c
}

func (o opinion) open(verdict detect.Verdict, severity detect.Severity, explanation string) detect.Conflict {
	f := detect.Finding{Tier: detect.TierJudged, Severity: severity, Verdict: verdict, Score: judgedScore, Explanation: explanation}
	c := detect.NewConflict(o.a, o.b, f, judgedBy+o.by())
	c.At = o.at
	return c
}

// judgedScore is the score of a judgement, which states no probability.
const judgedScore = 0.5

// authorMark ends the reason of somebody who wrote one of the two facts.
const authorMark = " (says the author of one)"

func byAuthor(c detect.Conflict) bool {
	return strings.HasSuffix(c.Explanation, authorMark) || strings.HasSuffix(c.Reason, authorMark)
}

// isDisagreement reports whether a judged conflict is that of two judges who disagree: no
// other one is ambiguous, but for that of an author.
func isDisagreement(c detect.Conflict) bool {
	return c.Status == detect.Open && c.Verdict == detect.Ambiguous && !byAuthor(c)
}

// judgeOf names who judged a pair; of two judges who disagree, the later one.
func judgeOf(c detect.Conflict) string {
	if c.Status == detect.Open {
		return strings.TrimPrefix(c.Basis, judgedBy)
	}
	return judgeName(c.By, c.Engineer)
}

// said is the verdict of an earlier judge.
func said(c detect.Conflict) string {
	if c.Status == detect.Open {
		return c.Explanation
	}
	return c.Reason
}
