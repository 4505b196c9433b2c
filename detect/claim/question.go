package claim

import "strings"

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
// weight of the words of the shorter one that the other has too, values left aside.
func (c *Claim) Kinship(d *Claim) float64 {
	mine, yours := c.subjects(), d.subjects()
	var shared, a, b int
	for id, weight := range mine {
		a += weight
		if yours[id] > 0 {
			shared += min(weight, yours[id])
		}
	}
	for _, weight := range yours {
		b += weight
	}
	if least := min(a, b); least > 0 {
		return float64(shared) / float64(least)
	}
	return 0
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
