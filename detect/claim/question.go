package claim

import (
	"math"
	"strings"
)

// Question returns the words that say what a claim is about, without the values in which
// two claims about one thing may differ: numbers, versions, and things of a kind such as
// databases.
func (c *Claim) Question() string {
	var words []string
	for i := range c.Terms {
		if t := &c.Terms[i]; t.isSubject() {
			words = append(words, strings.ReplaceAll(t.Lower, "-", " "))
		}
	}
	return strings.Join(words, " ")
}

// Kinship says how much two claims have in common of what they are about, 0 to 1: the
// weight of the words that both have, by meaning and values left aside, over the
// geometric mean of the weights of all.
func (c *Claim) Kinship(d *Claim) float64 {
	mine, yours := c.subjects(), d.subjects()
	shared := 0
	for id, weight := range mine {
		shared += min(weight, yours[id])
	}
	if shared == 0 {
		return 0
	}
	return float64(shared) / math.Sqrt(float64(sum(mine)*sum(yours)))
}

// Breadth says how many words of weight a claim is about, values left aside; at least
// leastBreadth, so that a claim of a single word is not taken for a precise one.
func (c *Claim) Breadth() float64 { return max(leastBreadth, float64(sum(c.subjects()))/meanWeight) }

const (
	leastBreadth = 3
	meanWeight   = 2.5
)

func sum(weights map[uint32]int) (all int) {
	for _, weight := range weights {
		all += weight
	}
	return all
}

// subjects returns the weights of the words that say what a claim is about, by meaning.
func (c *Claim) subjects() map[uint32]int {
	weights := make(map[uint32]int)
	for i := range c.Terms {
		if t := &c.Terms[i]; t.isSubject() {
			weights[t.ID] = max(weights[t.ID], int(t.Weight))
		}
	}
	return weights
}

func (t *Term) isSubject() bool {
	return t.ValueIndex == 0 && t.Kinds == 0 && t.Role&(Numeric|StopWord|Denial) == 0
}
