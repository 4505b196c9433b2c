// Package finding says what is wrong between two claims, by whatever means it was
// found: by rules, by a model, or by a merge.
package finding

import (
	"cmp"
	"slices"
	"strings"
)

// Tier is the means by which a contradiction was found.
type Tier string

// The tiers, in the order in which they are tried.
const (
	TierEntity     Tier = "tier0_entity"       // one scope, one entity, values that exclude each other
	TierNumeric    Tier = "tier2_numeric"      // numbers that differ after conversion, of what is plainly the same
	TierTemporal   Tier = "tier2_temporal"     // claims about when, or about a stage of life
	TierCrossScope Tier = "tier2b_cross_scope" // any of these across scopes
	TierNLI        Tier = "tier1_nli"          // a cross-encoder
	TierLLM        Tier = "tier3_llm"          // a language model
	TierMerge      Tier = "merge"              // two versions of one key that a merge found
	TierJudged     Tier = "judged"             // an agent or a person read both
)

// Tiers lists every tier.
func Tiers() []Tier {
	return []Tier{TierEntity, TierNumeric, TierTemporal, TierCrossScope, TierNLI, TierLLM, TierMerge, TierJudged}
}

// Severity is how much a contradiction matters.
type Severity string

// The severities.
const (
	High   Severity = "high"
	Medium Severity = "medium"
	Low    Severity = "low"
)

// Severities lists every severity, the gravest first.
func Severities() []Severity { return []Severity{High, Medium, Low} }

// CompareSeverity orders severities, the gravest first.
func CompareSeverity(a, b Severity) int {
	return cmp.Compare(slices.Index(Severities(), a), slices.Index(Severities(), b))
}

// Verdict says what kind of contradiction it is.
type Verdict string

// The verdicts.
const (
	Genuine   Verdict = "contradiction" // both claim to hold, and cannot
	Evolution Verdict = "evolution"     // one is plainly the newer state of the other
	Ambiguous Verdict = "ambiguous"     // it may be either, or no contradiction
)

// Verdicts lists every verdict.
func Verdicts() []Verdict { return []Verdict{Genuine, Evolution, Ambiguous} }

// Grade is how strong a finding is.
type Grade string

// The grades, the strongest first.
const (
	Contradiction Grade = "contradiction" // precise enough to open a conflict
	Likely        Grade = "likely"        // shown, and put before somebody who can judge
	Related       Grade = "related"       // undecided: about one thing, and may clash
)

// Side names one of the two claims of a pair.
type Side int

// The sides. The zero Side is neither.
const (
	Neither Side = iota
	SideA
	SideB
)

// Place is a part of a claim, in bytes.
type Place struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Finding is a contradiction between two claims.
type Finding struct {
	Tier     Tier
	Severity Severity
	Verdict  Verdict
	Grade    Grade
	// Family is the kind of clash: "slot", "number", "polarity". Statistics of how
	// often findings are right are kept by family.
	Family string
	// Score is how sure the tier is, 0 to 1: the probability that a model gives,
	// and for rules how often they were right (docs/detection.md).
	Score float64
	// A and B are the parts of the claims that clash; empty if the tier compares
	// whole claims.
	A, B Place
	// Explanation is one sentence for a person, in which "here" is the first of
	// the two: "port: 5432 here, 6432 there".
	Explanation string
	// Newer is the newer side of an evolution.
	Newer Side
}

// SeverityOf returns the severity of a finding. An ambiguous finding of the rules counts
// as one that nobody confirmed.
//
//  1. Rules (tiers 0, 2, 2b): high.
//  2. NLI above the threshold: high between engineers, medium within one's own.
//  3. Confirmed by a language model: medium.
//  4. Escalated and not confirmed, or an evolution: low.
//  5. Two versions of one key in which the rules find nothing: medium.
func SeverityOf(tier Tier, verdict Verdict, sameEngineer bool) Severity {
	switch {
	case verdict != Genuine:
		return Low
	case tier == TierMerge, tier == TierLLM, tier == TierJudged, tier == TierNLI && sameEngineer:
		return Medium
	}
	return High
}

// Evolve makes a finding the evolution towards a side.
func (f Finding) Evolve(newer Side) Finding {
	f.Verdict, f.Newer, f.Severity = Evolution, newer, Low
	return f
}

// Swap exchanges the sides of a finding.
func (f Finding) Swap() Finding {
	f.A, f.B = f.B, f.A
	switch f.Newer {
	case SideA:
		f.Newer = SideB
	case SideB:
		f.Newer = SideA
	}
	return f
}

// longestWord bounds a word of an explanation, in characters.
const longestWord = 48

// ShortWords shortens the words of an explanation that are longer than any that a person
// reads: paths, addresses, and claims in scripts that do without spaces.
func ShortWords(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		if runes := []rune(w); len(runes) > longestWord {
			words[i] = string(runes[:longestWord-1]) + "…"
		}
	}
	return strings.Join(words, " ")
}
