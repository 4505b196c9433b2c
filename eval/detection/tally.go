package detection

import (
	"maps"
	"slices"

	"engram/eval/corpus"
)

// tally counts what a system said of some pairs.
type tally struct{ pairs, positives, flagged, right int }

func (t *tally) add(positive, flagged bool) {
	t.pairs++
	if positive {
		t.positives++
	}
	if flagged {
		t.flagged++
	}
	if positive && flagged {
		t.right++
	}
}

func (t tally) precision() float64 { return share(t.right, t.flagged) }

func (t tally) row(subset, system string) Row {
	r := Row{
		Subset: subset, System: system, Pairs: t.pairs, Positives: t.positives, Flagged: t.flagged, Right: t.right,
		Precision: t.precision(), Recall: share(t.right, t.positives),
		FalseAlarms: 1000 * share(t.flagged-t.right, t.pairs-t.positives),
	}
	if sum := r.Precision + r.Recall; sum > 0 {
		r.F1 = 2 * r.Precision * r.Recall / sum
	}
	return r
}

// share is n of all, 0 of nothing.
func share(n, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(n) / float64(all)
}

// rowsOf sums up by subset, in the order in which pairs name them, and system.
func rowsOf(judged []judgement) []Row {
	subsets := []string{corpus.SubsetAll}
	engram, naive := make(map[string]*tally), make(map[string]*tally)
	engram[corpus.SubsetAll], naive[corpus.SubsetAll] = &tally{}, &tally{}
	for _, j := range judged {
		for _, subset := range append([]string{corpus.SubsetAll}, j.subsets...) {
			if engram[subset] == nil {
				engram[subset], naive[subset] = &tally{}, &tally{}
				subsets = append(subsets, subset)
			}
			engram[subset].add(j.positive(), j.flagged)
			naive[subset].add(j.positive(), j.naive)
		}
	}
	slices.Sort(subsets[1:])
	var rows []Row
	for _, subset := range subsets {
		rows = append(rows, engram[subset].row(subset, systemRules), naive[subset].row(subset, systemNaive))
	}
	return rows
}

// labelRows sums up by label. The counts by verdict are the confusion of labels
// and verdicts.
func labelRows(judged []judgement) []LabelRow {
	rows := []LabelRow{}
	for _, label := range labels() {
		row := LabelRow{Label: label, Positive: Positive(label)}
		var flagged, naive int
		verdicts := make(map[string]int)
		for _, j := range judged {
			if j.label != label {
				continue
			}
			row.Pairs++
			if j.flagged {
				flagged++
				verdicts[j.clash.Verdict]++
			}
			if j.naive {
				naive++
			}
		}
		if row.Pairs == 0 {
			continue
		}
		row.Contradiction, row.Evolution = verdicts[LabelContradiction], verdicts[labelEvolution]
		row.Ambiguous = flagged - row.Contradiction - row.Evolution
		row.Flagged, row.Naive = share(flagged, row.Pairs), share(naive, row.Pairs)
		row.Agreement = share(verdicts[label], flagged)
		rows = append(rows, row)
	}
	return rows
}

// tierRows sums up what was flagged by the tier that flagged it.
func tierRows(judged []judgement) []TierRow {
	tiers := make(map[string]tally)
	for _, j := range judged {
		if j.flagged {
			t := tiers[j.clash.Tier]
			t.add(j.positive(), true)
			tiers[j.clash.Tier] = t
		}
	}
	rows := []TierRow{}
	for _, tier := range slices.Sorted(maps.Keys(tiers)) {
		t := tiers[tier]
		rows = append(rows, TierRow{Tier: tier, Flagged: t.flagged, Right: t.right, Precision: t.precision()})
	}
	return rows
}
