package detection

import (
	"cmp"
	"context"
	"slices"
	"time"

	"engram/eval/corpus"
	"engram/facts"
	"engram/fixtures"
	"engram/memory"
)

// The labels of pairs, in the order in which reports show them. The first two
// are those of positive pairs, and verdicts of memory.Compare as well.
const (
	LabelContradiction = string(fixtures.Contradiction)
	labelEvolution     = string(fixtures.Evolution)
	labelCompatible    = string(fixtures.Compatible)
	labelParaphrase    = string(fixtures.Paraphrase)
	labelNeutral       = "neutral"    // of general English: neither follows nor is denied
	labelEntailment    = "entailment" // of general English: the second follows from the first
	labelUnrelated     = "unrelated"  // drawn at random
)

func labels() []string {
	return []string{LabelContradiction, labelEvolution, labelCompatible, labelParaphrase, labelNeutral, labelEntailment, labelUnrelated}
}

// pairSuite is pairs of facts with what there is between them.
type pairSuite struct {
	name  string
	about string // one sentence: which pairs, and what is wrong with the positive ones
	pairs []labelledPair
	notes []string // what was omitted of the data, and why
	// graded tells to report by grade too.
	graded bool
	// offered tells to commit them into a memory too.
	offered bool
}

type labelledPair struct {
	id, label string
	subsets   []string // it counts towards these, besides subsetAll
	a, b      facts.Fact
}

func (p labelledPair) positive() bool { return Positive(p.label) }

// Positive reports whether a label says that something is wrong between two facts.
func Positive(label string) bool { return label == LabelContradiction || label == labelEvolution }

// judgement is what the systems said of one pair.
type judgement struct {
	labelledPair
	clash   memory.Clash
	flagged bool // by engram
	naive   bool // flagged by the baseline
	took    time.Duration
}

func (j judgement) wrong() bool { return j.flagged != j.positive() }

// run compares every pair and sums up.
func (s pairSuite) run(ctx context.Context, opts Options) (Suite, error) {
	for _, p := range s.pairs[:min(corpus.WarmUp, len(s.pairs))] {
		opts.Compare(p.a, p.b)
	}
	judged := make([]judgement, len(s.pairs))
	for i, p := range s.pairs {
		if err := ctx.Err(); err != nil {
			return Suite{}, err
		}
		opts.Progress(s.name, i, len(s.pairs))
		j := judgement{labelledPair: p, naive: naivelyFlagged(p.a.Claim, p.b.Claim)}
		began := time.Now()
		j.clash, j.flagged = opts.Compare(p.a, p.b)
		j.took = time.Since(began)
		judged[i] = j
	}
	report := Suite{
		Name: s.name, About: s.about, Notes: append([]string{}, s.notes...), Pairs: len(judged),
		Rows: rowsOf(judged), Labels: labelRows(judged), Tiers: tierRows(judged), Wrong: wrongPairs(judged, opts.Show),
	}
	report.Positives = report.Rows[0].Positives
	report.P50, report.P95 = pairTimes(judged)
	if s.graded {
		list := assess(s.pairs)
		report.Grades, report.Causes = gradeRows(list), causeRows(list)
	}
	if s.offered {
		var err error
		if report.Offered, err = offeredRows(ctx, s.pairs, opts); err != nil {
			return report, err
		}
	}
	return report, nil
}

func pairTimes(judged []judgement) (p50, p95 float64) {
	if len(judged) == 0 {
		return 0, 0
	}
	took := make([]time.Duration, len(judged))
	for i, j := range judged {
		took[i] = j.took
	}
	slices.Sort(took)
	return corpus.In(time.Microsecond, corpus.Percentile(took, 50)), corpus.In(time.Microsecond, corpus.Percentile(took, 95))
}

func wrongPairs(judged []judgement, show bool) []WrongPair {
	list := []WrongPair{}
	for _, j := range judged {
		if !j.wrong() {
			continue
		}
		w := WrongPair{ID: j.id, Label: j.label, Verdict: j.clash.Verdict, Tier: j.clash.Tier}
		if show {
			w.A, w.B, w.Explanation = wrongSide(j.a), wrongSide(j.b), j.clash.Explanation
		}
		list = append(list, w)
	}
	// By label, so that misses and false alarms are apart.
	slices.SortStableFunc(list, func(a, b WrongPair) int {
		return cmp.Compare(slices.Index(labels(), a.Label), slices.Index(labels(), b.Label))
	})
	return list
}

func wrongSide(f facts.Fact) *WrongSide {
	return &WrongSide{Claim: f.Claim, Scope: f.Scope, Agent: f.Provenance.Agent, ValidFrom: f.ValidFrom}
}
