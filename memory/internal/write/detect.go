package write

import (
	"context"
	"slices"
	"unicode/utf8"

	"engram/detect"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// DetectInput is a claim that is not written yet, and what it is compared with: another
// claim, or the memory.
type DetectInput struct {
	Claim   string
	Scope   string `json:"scope,omitempty" flag:"scope,s,PATH" help:"topic PATH of the claim"`
	Key     string `json:"key,omitempty" flag:"key,k,KEY" help:"KEY of the fact that the claim would be the next version of"`
	Against string `json:"against,omitempty" flag:"against,,CLAIM" help:"compare with this CLAIM instead of the memory"`
	AskedBy string // the agent that reads; "" whom the memory was opened for
}

// DetectResult is what a claim would contradict.
type DetectResult struct {
	core.Answer
	Tiers []string `json:"tiers"`
	// Clashes are against the memory, the gravest first; Clash against the other
	// claim, null if both can hold.
	Clashes []compare.ClashWith `json:"clashes"`
	Clash   *core.Clash         `json:"clash"`
}

// Detect reports what a claim would contradict, by the rules alone. It writes nothing.
func (m *Writer) Detect(ctx context.Context, in DetectInput) (DetectResult, error) {
	d, err := m.DraftOf(CommitInput{Claim: in.Claim, Scope: in.Scope, Key: in.Key})
	if err != nil {
		return DetectResult{}, err
	}
	if d.Fact.Claim == "" {
		return DetectResult{}, core.UsageErrorf(hint.New("say in a sentence or two what holds"), "the claim is empty")
	}
	if n := utf8.RuneCountInString(d.Fact.Claim); n > facts.MaxClaim {
		return DetectResult{}, core.UsageErrorf(hint.New("say it in a sentence or two"), "the claim has %d characters; at most %d fit", n, facts.MaxClaim)
	}
	now := m.Moment()
	d.Fact.ValidFrom, d.Fact.Provenance.CreatedAt = now, now
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return DetectResult{}, err
	}
	reads := m.Reader(manifest, in.AskedBy)
	result := DetectResult{Answer: core.AnswerAt(tip), Clashes: []compare.ClashWith{}, Tiers: m.audit.Tiers()[:4]}
	if in.Against != "" {
		other := d.Fact
		other.Claim = facts.FoldSpace(in.Against)
		if c, found := compare.Compare(d.Fact, other); found {
			result.Clash = &c
		}
		return result, nil
	}
	e := m.compare.NewExaminer(now)
	claim := &core.AnalyzedFact{Fact: d.Fact, Blob: "", Claim: detect.Read(d.Fact)}
	if err := e.CompareWithAll(ctx, tip, claim); err != nil {
		return result, err
	}
	for _, c := range e.Clashes {
		if c.Second.Fact.Key == d.Fact.Key || !reads.MayReadScope(c.Second.Fact.Scope) {
			continue
		}
		shown := core.Show(c.Second.Fact, c.Second.Fact.Window(), now)
		result.Clashes = append(result.Clashes, compare.ClashWith{Clash: compare.ShowClash(c.Finding, c.First.Fact.Claim, c.Second.Fact.Claim), Fact: shown})
	}
	for i := range result.Clashes {
		if err := m.audit.TellDisputed(ctx, tip, &result.Clashes[i].Fact); err != nil {
			return result, err
		}
	}
	slices.SortStableFunc(result.Clashes, func(a, b compare.ClashWith) int {
		return detect.CompareSeverity(detect.Severity(a.Severity), detect.Severity(b.Severity))
	})
	return result, nil
}
