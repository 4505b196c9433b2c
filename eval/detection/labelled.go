package detection

import "engram/facts"

// Labelled is a pair of facts with what is known of it.
type Labelled struct {
	Suite    string
	A, B     facts.Fact
	Positive bool
}

// LabelledPairs returns the pairs of the public suites of technical text: structured
// facts and rules, edits of documents, and facts drawn at random.
func LabelledPairs(data string) (pairs []Labelled, err error) {
	for _, load := range []func(string) (pairSuite, error){loadStructured, loadReworded, loadEdits, loadRulePairs, loadUnrelated} {
		s, err := load(data)
		if err != nil {
			return nil, err
		}
		for _, p := range s.pairs {
			pairs = append(pairs, Labelled{Suite: s.name, A: p.a, B: p.b, Positive: p.positive()})
		}
	}
	return pairs, nil
}
