package memory

import (
	"engram/detect"
	"engram/facts"
)

// Clash is what is wrong between two facts, as surfaces show it.
type Clash struct {
	Tier     string  `json:"tier"`
	Severity string  `json:"severity"`
	Verdict  string  `json:"verdict"`
	Score    float64 `json:"score"` // 0 to 1: how sure the tier is
	// SpanA and SpanB are the parts of the claims that clash, in bytes; null
	// where the tier sees the claims as a whole.
	SpanA       *Span  `json:"span_a"`
	SpanB       *Span  `json:"span_b"`
	Explanation string `json:"explanation"`
	Newer       string `json:"newer,omitempty"` // "a" or "b", of an evolution
}

// Span is a part of a claim, in bytes.
type Span struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// Compare holds two facts against each other by rules alone: tiers 0, 2 and
// 2b. Neither need be stored anywhere.
func Compare(a, b facts.Fact) (Clash, bool) {
	x, y := detect.Read(a), detect.Read(b)
	f, found := detect.Compare(x, y)
	if !found {
		return Clash{}, false
	}
	return showClash(f, x.Text, y.Text), true
}

func showClash(f detect.Finding, a, b string) Clash {
	newer := map[detect.Side]string{detect.SideA: "a", detect.SideB: "b"}[f.Newer]
	return Clash{
		Tier: string(f.Tier), Severity: string(f.Severity), Verdict: string(f.Verdict), Score: f.Score,
		SpanA: spanOf(f.A, a), SpanB: spanOf(f.B, b), Explanation: f.Explanation, Newer: newer,
	}
}

func spanOf(p detect.Place, text string) *Span {
	if p.Start >= p.End || p.End > len(text) {
		return nil
	}
	return &Span{p.Start, p.End, text[p.Start:p.End]}
}

// Tiers names every tier, in the order in which they are tried.
func Tiers() []string { return namesOf(detect.Tiers()) }

// Statuses names every status of a conflict.
func Statuses() []string { return namesOf(detect.Statuses()) }

// Severities names every severity, the gravest first.
func Severities() []string { return namesOf(detect.Severities()) }

// Verdicts names every verdict.
func Verdicts() []string { return namesOf(detect.Verdicts()) }

// Resolutions names every way to settle a conflict.
func Resolutions() []string { return namesOf(detect.Resolutions()) }

func namesOf[T ~string](list []T) []string {
	names := make([]string, len(list))
	for i, name := range list {
		names[i] = string(name)
	}
	return names
}
