package clash

import "engram/detect/frame"

// best returns the candidate that decides, the first of equals, with its probability.
func (p *pair) best(m *Model) candidate {
	var best candidate
	features, deciding := make(Features, 0, featureCount), make(Features, featureCount)
	var most float64
	for i, c := range p.candidates {
		features = p.describe(features[:0], c)
		if score := m.choose(features); i == 0 || score > most {
			best, most = c, score
			copy(deciding, features)
		}
	}
	best.probability = m.Probability(deciding)
	for _, c := range p.candidates {
		if least := p.plain(c); least > best.probability {
			best, best.probability = c, least
		}
	}
	return best
}

// The share of both claims from which on they say the same but for what clashes, and the
// probability that this has at least. It opens a conflict only if one claim denies the
// other: "backups are encrypted", "the backups are not encrypted".
const (
	plainCoverage     = 0.75
	plainProbability  = 0.5
	deniedCoverage    = 0.95
	deniedProbability = 0.8
)

// plain is the least probability of claims that say nothing but what clashes, for those
// too short to say more: "sessions last an hour", "a session is valid for 30 minutes".
func (p *pair) plain(c candidate) float64 {
	switch c.family {
	case Rest, Quantifier, Policy, List, Identifier:
		return 0
	case Name: // two products, of whatever kinds
		if len(p.a.Tokens[c.a.from].Kinds) == 0 || len(p.b.Tokens[c.b.from].Kinds) == 0 {
			return 0
		}
	}
	all := p.covered(span{0, len(p.a.Tokens)}, span{0, len(p.b.Tokens)}, c)
	switch {
	case all.other < plainCoverage || c.told || p.apart(c):
		return 0
	case c.family == Polarity && all.other >= deniedCoverage && p.a.denials()+p.b.denials() == 1 && all.shared > 1:
		return deniedProbability
	}
	return plainProbability
}

// agreeing is the share of one claim that the other has if they agree.
const agreeing = 0.75

// Agree reports whether nothing in two claims can clash and one says what the other says. A
// claim in other words, or about something else, need not agree.
func Agree(a, b *frame.Frame) bool {
	if a.Text == b.Text {
		return true
	}
	p := newPair(a, b, Context{})
	for _, c := range p.candidates {
		if c.family != Rest {
			return false
		}
	}
	return p.covered(span{0, len(a.Tokens)}, span{0, len(b.Tokens)}, p.candidates[0]).better >= agreeing
}

// Description is what is known of a candidate; Apart is that of Clash.
type Description struct {
	Features Features
	Apart    bool
}

// Described describes all candidates between two claims, for making a model; none if the
// claims are not about one thing.
func Described(a, b *frame.Frame, known Context) []Description {
	if a.Text == b.Text || !meets(a.Keys, b.Keys) {
		return nil
	}
	if b.Text < a.Text {
		a, b = b, a
	}
	p := newPair(a, b, known)
	all := make([]Description, 0, len(p.candidates))
	for _, c := range p.candidates {
		all = append(all, Description{p.describe(nil, c), p.apart(c)})
	}
	return all
}

// FeatureNames returns the names of the features, for reports about a model.
func FeatureNames() []string { return featureNames() }
