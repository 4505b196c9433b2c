package retrieval

import (
	"math"
	"slices"
	"time"

	"engram/eval/corpus"
)

// depth is how far down an answer is looked at.
const depth = 10

// outcome is one answer, judged.
type outcome struct {
	recall [depth]float64 // recall[k-1]: share of the relevant items among the first k
	hit    [depth]float64 // hit[k-1]: 1 if any relevant item is among the first k
	mrr    float64        // 1/rank of the first relevant item among the first ten
	ndcg   float64        // with binary relevance, among the first ten
	first  int            // rank of the first relevant item, 0 if not among the first ten
	tokens float64
	took   time.Duration
}

// judge compares a ranked list with what is relevant (Manning, Raghavan and
// Schütze, Introduction to Information Retrieval, 2008, §8.4; the discount of
// nDCG is 1/log2(rank+1)). An item that is listed twice counts once.
func judge(ranked, relevant []string) outcome {
	var o outcome
	seen := make(map[string]bool)
	var found, gain, ideal float64
	for rank := 1; rank <= depth; rank++ {
		discount := 1 / math.Log2(float64(rank)+1)
		if rank <= len(relevant) {
			ideal += discount
		}
		if rank <= len(ranked) {
			item := ranked[rank-1]
			if !seen[item] && slices.Contains(relevant, item) {
				found++
				gain += discount
				if o.first == 0 {
					o.first, o.mrr = rank, 1/float64(rank)
				}
			}
			seen[item] = true
		}
		o.recall[rank-1] = found / float64(len(relevant))
		o.hit[rank-1] = min(1, found)
	}
	o.ndcg = gain / ideal
	return o
}

// summary is the mean of outcomes, and the percentiles of their times.
func summary(system, subset string, outcomes []outcome) Row {
	r := Row{System: system, Subset: subset, Questions: len(outcomes), Hit: make([]float64, depth)}
	if len(outcomes) == 0 {
		return r
	}
	n := float64(len(outcomes))
	took := make([]time.Duration, 0, len(outcomes))
	for _, o := range outcomes {
		r.Recall1 += o.recall[0] / n
		r.Recall5 += o.recall[4] / n
		r.Recall10 += o.recall[9] / n
		for k := range depth {
			r.Hit[k] += o.hit[k] / n
		}
		r.MRR += o.mrr / n
		r.NDCG += o.ndcg / n
		r.Tokens += o.tokens / n
		took = append(took, o.took)
	}
	slices.Sort(took)
	r.P50, r.P95 = corpus.In(time.Millisecond, corpus.Percentile(took, 50)), corpus.In(time.Millisecond, corpus.Percentile(took, 95))
	return r
}
