package detect

import (
	"context"
	"fmt"
)

// NLI judges whether a text contradicts, implies or leaves open another. The
// three add up to 1. Package model has one.
type NLI interface {
	Entail(ctx context.Context, premise, hypothesis string) (contradiction, entailment, neutral float64, err error)
}

// Tagger finds the names in a text that rules may miss. Package model has one.
type Tagger interface {
	Tag(ctx context.Context, text string) ([]Tag, error)
}

// Tag is a part of a text, in bytes, that a model takes for a name.
type Tag struct {
	Label      string // such as ORG, PRODUCT or MISC
	Start, End int
}

// Thresholds say what the scores of an NLI model mean.
type Thresholds struct {
	High   float64 // contradiction above: a conflict
	Low    float64 // contradiction above: in doubt, for a language model to judge
	Entail float64 // entailment above, both ways: the two say the same
}

// DefaultThresholds are seed 4's.
func DefaultThresholds() Thresholds { return Thresholds{High: 0.85, Low: 0.5, Entail: 0.85} }

// Calibration.
const (
	// FeedbackStep is how many judged findings of the NLI move its threshold once
	// (seed 4, phase 3).
	FeedbackStep = 100
	// calibrationGain and tolerated are the numbers of seed 4's formula.
	calibrationGain = 0.05
	tolerated       = 0.1
	// The threshold stays between these: below, what is in doubt would be a
	// conflict; above, nothing would.
	leastHigh, mostHigh = 0.6, 0.98
)

// Calibrate moves the threshold by what people said of earlier findings, oldest
// first: true where they dismissed one. Each whole FeedbackStep of them moves it
// by 0.05 · (share dismissed − 0.1).
//
// Seed 4 has a minus there. With it, false alarms would lower the threshold and
// so bring more of them; the numbers are the seed's, the sign is the one that
// does what the seed says the formula is for.
func (t Thresholds) Calibrate(dismissed []bool) Thresholds {
	for ; len(dismissed) >= FeedbackStep; dismissed = dismissed[FeedbackStep:] {
		wrong := 0
		for _, d := range dismissed[:FeedbackStep] {
			if d {
				wrong++
			}
		}
		t.High += calibrationGain * (float64(wrong)/FeedbackStep - tolerated)
		t.High = min(max(t.High, leastHigh), mostHigh)
	}
	return t
}

// Judgement is what an NLI model says of a pair.
type Judgement struct {
	Contradiction float64 // the mean of both directions: contradicting is mutual
	Entailment    float64 // the lesser of both: to say the same, each has to imply the other
}

// Judge asks the model in both directions.
func Judge(ctx context.Context, nli NLI, a, b *Claim) (Judgement, error) {
	c1, e1, _, err := nli.Entail(ctx, a.Text, b.Text)
	if err != nil {
		return Judgement{}, fmt.Errorf("compare two claims: %w", err)
	}
	c2, e2, _, err := nli.Entail(ctx, b.Text, a.Text)
	if err != nil {
		return Judgement{}, fmt.Errorf("compare two claims: %w", err)
	}
	return Judgement{Contradiction: (c1 + c2) / 2, Entailment: min(e1, e2)}, nil
}

// Finding is what the judgement amounts to:
//
//  1. Above High: a contradiction, or an evolution where the claims tell.
//  2. Above Low: ambiguous.
//  3. Otherwise nothing.
func (j Judgement) Finding(t Thresholds, a, b *Claim) (Finding, bool) {
	if j.Contradiction <= t.Low {
		return Finding{}, false
	}
	f := Finding{Tier: TierNLI, Verdict: Ambiguous, Score: j.Contradiction, Explanation: "the model holds that the two contradict each other"}
	if j.Contradiction > t.High {
		f.Verdict, f.Newer = course(a, b)
	} else {
		f.Explanation = "the model holds it possible that the two contradict each other"
	}
	f.Severity = severityOf(f.Tier, f.Verdict, a.Engineer == b.Engineer)
	return f, true
}

// Corroborates reports whether two agents say the same.
func (j Judgement) Corroborates(t Thresholds, a, b *Claim) bool {
	return j.Entailment > t.Entail && a.Agent != b.Agent
}

// Confirm is a doubtful finding after a language model was asked about it;
// found is false where it sees no contradiction.
func Confirm(f Finding, o Opinion, a, b *Claim) (confirmed Finding, found bool) {
	if !o.Contradicts {
		return Finding{}, false
	}
	f.Tier, f.Explanation = TierLLM, o.Explanation
	f.Verdict, f.Newer = course(a, b)
	f.Severity = severityOf(f.Tier, f.Verdict, a.Engineer == b.Engineer)
	return f, true
}

// course tells an evolution by who said it when, for tiers that do not see
// where the claims differ.
func course(a, b *Claim) (Verdict, Side) {
	if a.Lineage != b.Lineage && (a.Agent == "" || a.Agent != b.Agent) {
		return Genuine, Neither
	}
	switch a.ValidFrom.Compare(b.ValidFrom) {
	case -1:
		return Evolution, SideB
	case 1:
		return Evolution, SideA
	}
	return Genuine, Neither
}
