package detection

import "engram/facts"

// Negatives returns the pairs of the public suites that do not contradict each other:
// other facts of one subject, paraphrases, edits that change no meaning, and facts drawn
// at random.
func Negatives(data string) (pairs [][2]facts.Fact, err error) {
	for _, load := range []func(string) (pairSuite, error){loadStructured, loadEdits, loadRulePairs, loadUnrelated} {
		s, err := load(data)
		if err != nil {
			return nil, err
		}
		for _, p := range s.pairs {
			if !p.positive() {
				pairs = append(pairs, [2]facts.Fact{p.a, p.b})
			}
		}
	}
	return pairs, nil
}
