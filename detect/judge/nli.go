package judge

import (
	"context"
	"fmt"

	"engram/detect/claim"
	"engram/detect/entity"
	"engram/detect/finding"
)

// NLI judges whether a text contradicts, implies or leaves open another. The
// three add up to 1. Package model has one.
type NLI interface {
	Entail(ctx context.Context, premise, hypothesis string) (contradiction, entailment, neutral float64, err error)
}

// Tagger finds the names in a text that rules may miss. Package model has one.
type Tagger interface {
	Tag(ctx context.Context, text string) ([]entity.Tag, error)
}

// Judgement is the answer of an NLI model about a pair.
type Judgement struct {
	Contradiction float64 // the mean of both directions: contradicting is mutual
	Entailment    float64 // the lesser of both: to say the same, each has to imply the other
}

// Judge asks the model in both directions.
func Judge(ctx context.Context, nli NLI, a, b *claim.Claim) (Judgement, error) {
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
func (j Judgement) Finding(t Thresholds, a, b *claim.Claim) (finding.Finding, bool) {
	if j.Contradiction <= t.Low {
		return finding.Finding{}, false
	}
	f := finding.Finding{Tier: finding.TierNLI, Verdict: finding.Ambiguous, Score: j.Contradiction, Explanation: "the model holds that the two contradict each other"}
	if j.Contradiction > t.High {
		f.Verdict, f.Newer = course(a, b)
	} else {
		f.Explanation = "the model holds it possible that the two contradict each other"
	}
	f.Severity = finding.SeverityOf(f.Tier, f.Verdict, a.Engineer == b.Engineer)
	return f, true
}

// Corroborates reports whether two agents say the same.
func (j Judgement) Corroborates(t Thresholds, a, b *claim.Claim) bool {
	return j.Entailment > t.Entail && a.Agent != b.Agent
}

// Confirm applies the opinion of a language model to an ambiguous finding; found is
// false if the model sees no contradiction.
func Confirm(f finding.Finding, o Opinion, a, b *claim.Claim) (confirmed finding.Finding, found bool) {
	if !o.Contradicts {
		return finding.Finding{}, false
	}
	f.Tier, f.Explanation = finding.TierLLM, o.Explanation
	f.Verdict, f.Newer = course(a, b)
	f.Severity = finding.SeverityOf(f.Tier, f.Verdict, a.Engineer == b.Engineer)
	return f, true
}

// course tells an evolution by author and time, for tiers that do not know where the
// claims differ.
func course(a, b *claim.Claim) (finding.Verdict, finding.Side) {
	if a.Lineage != b.Lineage && (a.Agent == "" || a.Agent != b.Agent) {
		return finding.Genuine, finding.Neither
	}
	switch a.ValidFrom.Compare(b.ValidFrom) {
	case -1:
		return finding.Evolution, finding.SideB
	case 1:
		return finding.Evolution, finding.SideA
	}
	return finding.Genuine, finding.Neither
}
