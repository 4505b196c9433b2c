package write

import (
	"context"
	"unicode/utf8"

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

	result := DetectResult{Answer: core.AnswerAt(tip), Clashes: []compare.ClashWith{}, Tiers: m.audit.Tiers()[:4]}
	if in.Against != "" {
		other := d.Fact
		other.Claim = facts.FoldSpace(in.Against)
		if c, found := compare.Compare(d.Fact, other); found {
			result.Clash = &c
		}
		return result, nil
	}
	doubted, err := m.audit.Doubted(ctx, tip, nil)
	if err != nil {
		return result, err
	}
	if result.Clashes, err = m.compare.ClashesOf(ctx, tip, d.Fact, "", doubted, m.Reader(manifest, in.AskedBy).MayReadScope); err != nil {
		return result, err
	}
	for i := range result.Clashes {
		if err := m.audit.TellDisputed(ctx, tip, &result.Clashes[i].Fact); err != nil {
			return result, err
		}
	}

	return result, nil
}
