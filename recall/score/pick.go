package score

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"engram/internal/terms"
)

// Lambda is the share of the score in maximal marginal relevance; the rest is novelty
// (§5.2).
const Lambda = 0.7

// Quotas are the largest shares of a budget that types may take while others have candidates
// left. Types that are not named have no quota.
type Quotas map[Type]float64

// QuotasOf leave room for every type; constraints have none. A question for a reason leaves more
// to decisions, which are short.
func QuotasOf(reason bool) Quotas {
	if reason {
		return Quotas{ToolResult: 0.25, Dialogue: 0.3, ToolCall: 0.1, Fact: 0.3, View: 0.15, Note: 0.1, Decision: 0.6}
	}
	return Quotas{ToolResult: 0.6, Dialogue: 0.6, ToolCall: 0.3, Fact: 0.3, View: 0.25, Note: 0.2}
}

// Scored is a candidate with its score.
type Scored struct {
	Candidate
	Factors Factors
	// Similarity is the largest to what was picked before it, 0 to 1.
	Similarity float64
}

// Rank scores candidates and orders them by maximal marginal relevance: each next one is that
// whose score, less what it repeats of those before, is the largest. Those whose score is 0
// are left out, and at most `most` are returned. Equal ones stand by their ids.
func Rank(candidates []Candidate, t Task, omit Omit, most int) []Scored {
	list := make([]Scored, 0, len(candidates))
	best := 0.0
	for _, c := range candidates {
		f := Of(c, t, omit)
		if f.Score > 0 {
			list = append(list, Scored{Candidate: c, Factors: f})
			best = max(best, f.Score)
		}
	}
	slices.SortFunc(list, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Factors.Score, a.Factors.Score), b.At.Compare(a.At), cmp.Compare(a.ID, b.ID))
	})
	bags := bagsOf(list)
	var last dense // the one that was picked last
	for i := range min(most, len(list)) {
		next, highest := i, math.Inf(-1)
		for j := i; j < len(list); j++ {
			list[j].Similarity = max(list[j].Similarity, last.cosine(bags[j]))
			// Scores are taken relative to the best, so that both sides lie within 0 and 1.
			if value := Lambda*list[j].Factors.Score/best - (1-Lambda)*list[j].Similarity; value > highest {
				next, highest = j, value
			}
		}
		chosen, words := list[next], bags[next]
		copy(list[i+1:next+1], list[i:next])
		copy(bags[i+1:next+1], bags[i:next])
		list[i], bags[i] = chosen, words
		last.set(words)
	}
	return list[:min(most, len(list))]
}

// Pack takes candidates in their order while they fit into a budget of tokens. A type that has
// used up its quota waits until the others have had their turn. The result keeps the order.
func Pack(list []Scored, budget int, quotas Quotas) []Scored {
	used := make(map[Type]int)
	taken := make([]bool, len(list))
	left := budget
	for _, strict := range []bool{true, false} {
		for i := range list {
			c := &list[i]
			quota, limited := quotas[c.Type]
			switch {
			case taken[i] || c.Tokens > left:
			case strict && limited && i > 0 && float64(used[c.Type]+c.Tokens) > quota*float64(budget):
			default:
				taken[i] = true
				left -= c.Tokens
				used[c.Type] += c.Tokens
			}
		}
	}
	var packed []Scored
	for i := range list {
		if taken[i] {
			packed = append(packed, list[i])
		}
	}
	return packed
}

// bag is a text as a vector of its terms, of length 1.
type bag struct {
	terms  []uint32 // numbers of terms
	counts []float32
}

// bagsOf numbers the terms of all candidates.
func bagsOf(list []Scored) []bag {
	var analyzer terms.Analyzer
	numbers := make(map[string]uint32)
	bags := make([]bag, len(list))
	for i := range list {
		var found []uint32
		for _, term := range analyzer.Terms(terms.Truncate(list[i].Text)) {
			number, ok := numbers[term]
			if !ok {
				number = uint32(len(numbers))
				numbers[strings.Clone(term)] = number
			}
			found = append(found, number)
		}
		slices.Sort(found)
		bags[i] = newBag(found)
	}
	return bags
}

// newBag counts sorted numbers.
func newBag(sorted []uint32) (b bag) {
	squares := float32(0)
	for start := 0; start < len(sorted); {
		end := start + 1
		for end < len(sorted) && sorted[end] == sorted[start] {
			end++
		}
		n := float32(end - start)
		b.terms, b.counts = append(b.terms, sorted[start]), append(b.counts, n)
		squares += n * n
		start = end
	}
	for i := range b.counts {
		b.counts[i] /= float32(math.Sqrt(float64(squares)))
	}
	return b
}

// dense is a bag with a place for each number.
type dense []float32

func (d *dense) set(b bag) {
	clear(*d)
	for i, term := range b.terms {
		if int(term) >= len(*d) {
			*d = append(*d, make([]float32, int(term)+1-len(*d))...)
		}
		(*d)[term] = b.counts[i]
	}
}

func (d dense) cosine(b bag) float64 {
	sum := float32(0)
	for i, term := range b.terms {
		if int(term) < len(d) {
			sum += d[term] * b.counts[i]
		}
	}
	return float64(sum)
}
