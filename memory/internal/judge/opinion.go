package judge

import (
	"fmt"
	"strings"
	"time"

	"engram/detect"
	"engram/facts"
)

// opinion is a verdict on a pair, with who says it.
type opinion struct {
	Verdict
	by, engineer string
	own          bool // the judge wrote one of the two
	a, b         facts.Fact
	at           time.Time
}

// judgedBy begins the basis of what a judge found.
const judgedBy = "judged by "

// on returns what the conflict of the pair becomes; old is nil if the pair has none.
//
//  1. A conflict that was found otherwise, or settled by a person, stays as it is.
//  2. The same judge changes an earlier verdict, and anybody that of an author.
//  3. Two judges who disagree leave the pair open and ambiguous, for a person.
//  4. Otherwise the verdict holds. An author's contradiction is in doubt.
func (o opinion) on(old *detect.Conflict) (next detect.Conflict, note string, writes bool) {
	fresh := old == nil || old.A != detect.PartyOf(o.a) || old.B != detect.PartyOf(o.b) || old.Status == detect.Closed
	switch {
	case fresh:
		return o.after(old, o.conflict()), "", true
	case old.Tier != detect.TierJudged && old.Status == detect.Open:
		return *old, "the conflict was found by other means; a judgement does not settle it", false
	case old.Tier != detect.TierJudged:
		return *old, "somebody has settled this pair", false
	case judgeOf(*old) == o.by || byAuthor(*old):
		return o.after(old, o.conflict()), "it replaces an earlier verdict", true
	case o.opens() == (old.Status == detect.Open):
		return *old, judgeOf(*old) + " said the same", false
	case o.own:
		return *old, judgeOf(*old) + " judged otherwise, and the author of a fact does not overrule that", false
	}
	c := o.open(detect.Ambiguous, detect.Low, fmt.Sprintf("%s: %s; %s says %s: %s", judgeOf(*old), said(*old), o.by, o.Verdict.Verdict, facts.FoldSpace(o.Reason)))
	return o.after(old, c), "two judges disagree; a person decides", true
}

func (o opinion) opens() bool {
	return o.Verdict.Verdict == Contradicts || o.Verdict.Verdict == Evolves
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
	reason := facts.FoldSpace(o.Reason)
	switch o.Verdict.Verdict {
	case Contradicts:
		if o.own {
			return o.open(detect.Ambiguous, detect.Low, reason+authorMark)
		}
		return o.open(detect.Genuine, detect.Medium, reason)
	case Evolves:
		c := o.open(detect.Evolution, detect.Low, reason)
		c.Newer = detect.SideB
		if o.Newer == o.a.Key.String() {
			c.Newer = detect.SideA
		}
		return c
	}
	if o.own {
		reason += authorMark
	}
	c := o.open(detect.Ambiguous, detect.Low, reason)
	c = c.Settle(detect.ByDismissal, "", o.Verdict.Verdict+": "+reason, o.at)
	c.By, c.Engineer, c.Evidence, c.Previous = o.by, o.engineer, judgedBy+o.by, ""
	return c
}

func (o opinion) open(verdict detect.Verdict, severity detect.Severity, explanation string) detect.Conflict {
	f := detect.Finding{Tier: detect.TierJudged, Severity: severity, Verdict: verdict, Score: judgedScore, Explanation: explanation}
	c := detect.NewConflict(o.a, o.b, f, judgedBy+o.by)
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

// judgeOf names who judged a pair.
func judgeOf(c detect.Conflict) string {
	if c.Status == detect.Open {
		return strings.TrimPrefix(c.Basis, judgedBy)
	}
	return c.By
}

// said is what an earlier judge found.
func said(c detect.Conflict) string {
	if c.Status == detect.Open {
		return c.Explanation
	}
	return c.Reason
}
