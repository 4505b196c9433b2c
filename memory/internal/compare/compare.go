// Package compare finds the facts that a fact may contradict, and compares each pair by the
// rules and, if they are configured, by models. It decides nothing about conflicts; package
// audit does.
package compare

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"engram/detect"
	"engram/facts"
	"engram/memory/internal/core"
)

// Comparer compares facts of a memory.
type Comparer struct{ *core.Memory }

// New returns the Comparer of a memory.
func New(m *core.Memory) *Comparer { return &Comparer{m} }

// Compare compares two facts by the rules alone: tiers 0, 2 and 2b. Neither fact needs to be
// stored.
func Compare(a, b facts.Fact) (core.Clash, bool) {
	x, y := detect.Read(a), detect.Read(b)
	f, found := detect.Compare(x, y)
	if !found {
		return core.Clash{}, false
	}
	return ShowClash(f, x.Text, y.Text), true
}

// ShowClash returns a finding in the form of results; a and b are the claims.
func ShowClash(f detect.Finding, a, b string) core.Clash {
	newer := map[detect.Side]string{detect.SideA: "a", detect.SideB: "b"}[f.Newer]
	return core.Clash{
		Tier: string(f.Tier), Severity: string(f.Severity), Verdict: string(f.Verdict), Score: f.Score,
		SpanA: spanOf(f.A, a), SpanB: spanOf(f.B, b), Explanation: f.Explanation, Newer: newer,
	}
}

func spanOf(p detect.Place, text string) *core.Span {
	if p.Start >= p.End || p.End > len(text) {
		return nil
	}
	return &core.Span{Start: p.Start, End: p.End, Text: text[p.Start:p.End]}
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

// ClashWith is a clash of a claim with a stored fact. SpanA is a span of the claim.
type ClashWith struct {
	core.Clash
	Fact core.Fact `json:"fact"`
}

// ClashesOf compares a fact with the facts on the tip of a scope that shows admits, except the
// one at its own key, by the rules alone and without the families that are doubted. The most
// severe clashes come first.
func (m *Comparer) ClashesOf(ctx context.Context, tip string, f facts.Fact, blob string, doubted map[string]bool, shows func(scope string) bool) ([]ClashWith, error) {
	e, list := m.NewExaminer(m.Moment()), []ClashWith{}
	e.Doubted = doubted
	if err := e.CompareWithAll(ctx, tip, &core.AnalyzedFact{Fact: f, Blob: blob, Claim: detect.Read(f)}); err != nil {
		return list, err
	}
	for _, c := range e.Clashes {
		if other := c.Second.Fact; other.Key != f.Key && shows(other.Scope) {
			list = append(list, ClashWith{ShowClash(c.Finding, f.Claim, other.Claim), core.Show(other, other.Window(), e.Now)})
		}
	}
	slices.SortStableFunc(list, func(a, b ClashWith) int {
		return detect.CompareSeverity(detect.Severity(a.Severity), detect.Severity(b.Severity))
	})
	return list, nil
}

// MaxPerFact is the maximum number of conflicts of one fact that an audit opens: settling
// that many usually settles the others.
const MaxPerFact = 10

// Found returns the clashes as conflicts: one for each pair of lineages (the most severe if
// tiers disagree) and at most MaxPerFact for one fact. The result is sorted by id.
func (e *Examiner) Found() []detect.Conflict {
	byID := make(map[string]detect.Conflict)
	for _, c := range e.Clashes {
		next := detect.NewConflict(c.First.Fact, c.Second.Fact, c.Finding, c.Basis)
		if old, twice := byID[next.ID]; !twice || detect.CompareSeverity(next.Severity, old.Severity) < 0 {
			byID[next.ID] = next
		}
	}
	all := slices.SortedFunc(maps.Values(byID), func(a, b detect.Conflict) int {
		return cmp.Or(detect.CompareSeverity(a.Severity, b.Severity), cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	count := make(map[facts.Key]int)
	list := slices.DeleteFunc(all, func(c detect.Conflict) bool {
		count[c.A.Key]++
		count[c.B.Key]++
		return count[c.A.Key] > MaxPerFact || count[c.B.Key] > MaxPerFact
	})
	e.Skipped.Surplus = len(byID) - len(list)
	slices.SortFunc(list, func(a, b detect.Conflict) int { return cmp.Compare(a.ID, b.ID) })
	return list
}
