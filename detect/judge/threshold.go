package judge

import (
	"fmt"
	"time"

	"engram/detect/conflict"
	"engram/facts"
)

// ThresholdFact is what the threshold of the NLI is after so many judged
// findings, the last of which was judged at a moment.
func ThresholdFact(t Thresholds, feedback int, at time.Time) facts.Fact {
	f := facts.Fact{
		Key:   facts.Key{Namespace: "calibration", Category: "detection", Identifier: "nli-threshold"},
		Claim: fmt.Sprintf("After %d judged findings the NLI flags contradictions above %.3f.", feedback, t.High),
		Type:  facts.Inference, Lineage: facts.DerivedULID(time.UnixMilli(0), "lineage", "nli-threshold"), ValidFrom: at,
		Provenance: facts.Provenance{Agent: conflict.Auditor, Source: facts.SourceTool, CreatedAt: at},
	}
	f.ID = facts.DerivedULID(at, "version", string(facts.Marshal(f)))
	return f
}

// Thresholds say what the scores of an NLI model mean.
type Thresholds struct {
	High   float64 // contradiction above: a conflict
	Low    float64 // contradiction above: in doubt, for a language model to judge
	Entail float64 // entailment above, both ways: the two say the same
}

// DefaultThresholds returns the thresholds of the consistency plan.
func DefaultThresholds() Thresholds { return Thresholds{High: 0.85, Low: 0.5, Entail: 0.85} }

// Calibration.
const (
	// FeedbackStep is how many judged findings of the NLI move its threshold once
	// (the consistency plan, phase 3).
	FeedbackStep = 100
	// calibrationGain and tolerated are the constants of the plan's formula.
	calibrationGain = 0.05
	tolerated       = 0.1
	// The threshold stays between these: below, what is in doubt would be a
	// conflict; above, nothing would.
	leastHigh, mostHigh = 0.6, 0.98
)

// Calibrate adjusts the threshold to feedback on earlier findings, oldest first: true
// for a dismissed one. Each whole FeedbackStep of them moves it
// by 0.05 · (share dismissed − 0.1).
//
// The consistency plan has a minus there, with which false alarms would lower the
// threshold and so cause more of them. The constants are the plan's; the sign is the
// one that serves its stated purpose.
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
