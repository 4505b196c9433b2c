package clash

import (
	"slices"

	"engram/detect/frame"
	"engram/detect/lexicon"
)

// words proposes what clashes by single words:
//
//  1. Opposite: two ends of an opposition, neither or both denied.
//  2. Alternative: two of a kind.
//  3. Polarity: one clause denies, and the one that is most like it does not.
//  4. Policy: a demand or a ban, and how somebody does it.
func (p *pair) words() {
	for i := range p.a.Tokens {
		t := &p.a.Tokens[i]
		if t.Value > 0 || len(t.Opposed)+len(t.Kinds) == 0 {
			continue
		}
		for j := range p.b.Tokens {
			u := &p.b.Tokens[j]
			if u.Value > 0 || t.Stem == u.Stem {
				continue
			}
			if opposed(t, u) && p.a.switched(i) && p.b.switched(j) && p.a.deniedAt(i) == p.b.deniedAt(j) {
				p.propose(candidate{family: Opposite, a: span{i, i + 1}, b: span{j, j + 1}})
			}
			if kind, ok := commonKind(t, u); ok && !(p.a.match[i] == sameMeaning && p.b.match[j] == sameMeaning) {
				p.proposeNamed(candidate{
					family: Alternative, a: span{i, i + 1}, b: span{j, j + 1}, what: lexicon.KindOf(kind),
					told: p.a.match[i] == sameMeaning || p.b.match[j] == sameMeaning,
				})
			}
		}
	}
	p.polarity()
	p.policy()
}

func opposed(t, u *frame.Token) bool {
	for _, x := range t.Opposed {
		if slices.Contains(u.Opposed, -x) {
			return true
		}
	}
	return false
}

// switched reports that "on" and "off" at token i are states, and no prepositions.
func (s side) switched(i int) bool {
	switch s.Lower(i) {
	case "on", "off", "over":
		switch s.Lower(i - 1) {
		case "turned", "switched", "is", "are", "stays", "set", "defaults", "be", "remains", "been":
			return s.Lower(i+1) != "the" && s.Lower(i+1) != "a"
		}
		return s.Lower(i+1) == "by" && s.Lower(i+2) == "default"
	}
	return true
}

func commonKind(t, u *frame.Token) (kind int16, ok bool) {
	if t.ID == u.ID {
		return 0, false
	}
	for _, x := range t.Kinds {
		if slices.Contains(u.Kinds, x) {
			return x, true
		}
	}
	return 0, false
}

// deniedAt reports a denial close before a token, or anywhere in its clause if that
// is short.
func (s side) deniedAt(i int) bool {
	for j := i - 1; j >= 0 && j >= i-4 && s.Tokens[j].Clause == s.Tokens[i].Clause; j-- {
		if s.Tokens[j].Role&frame.Denies != 0 {
			return true
		}
	}
	return false
}

// polarity proposes two clauses, only one of which denies: of all such pairs the one with
// most in common. The places are the denial, and the word of the other claim that stands for
// what is denied.
func (p *pair) polarity() {
	var best candidate
	most := float32(0)
	for i := range p.a.Clauses {
		x := &p.a.Clauses[i]
		for j := range p.b.Clauses {
			y := &p.b.Clauses[j]
			if x.Denials%2 == y.Denials%2 {
				continue
			}
			if shared := p.common(x, y); shared > most {
				most = shared
				best = candidate{family: Polarity, a: span{x.From, x.To}, b: span{y.From, y.To}}
				if x.Denials > 0 {
					best.a, best.b = p.a.denial(x, y, best.b)
				} else {
					best.b, best.a = p.b.denial(y, x, best.a)
				}
				best.extra = when(p.a.denials()%2 == p.b.denials()%2)
			}
		}
	}
	if most > 0 {
		p.propose(best)
	}
}

// denials counts those of a claim.
func (s side) denials() (n int) {
	for _, c := range s.Clauses {
		n += c.Denials
	}
	return n
}

// denial returns the place of the denial in clause x, and in clause y of the other claim
// what stands for the word that is denied.
func (s side) denial(x, y *frame.Clause, fallback span) (at, other span) {
	for i := x.From; i < x.To; i++ {
		if s.Tokens[i].Role&frame.Denies == 0 {
			continue
		}
		at, other = span{i, i + 1}, fallback
		best := float32(0)
		for j := max(x.From, i-5); j < min(x.To, i+6); j++ {
			if k := s.partner[j]; k >= y.From && k < y.To && s.match[j]*s.Tokens[j].Weight > best {
				best, other = s.match[j]*s.Tokens[j].Weight, span{k, k + 1}
			}
		}
		return at, other
	}
	return fallback, fallback
}

// common is the weight of what two clauses have in common.
func (p *pair) common(x, y *frame.Clause) (shared float32) {
	for i := x.From; i < x.To; i++ {
		if j := p.a.partner[i]; j >= y.From && j < y.To {
			shared += p.a.match[i] * p.a.Tokens[i].Weight
		}
	}
	return shared
}

// policy proposes a clause that demands or bans beside one that tells of what somebody
// did or does.
func (p *pair) policy() {
	for i := range p.a.Clauses {
		x := &p.a.Clauses[i]
		for j := range p.b.Clauses {
			y := &p.b.Clauses[j]
			if p.a.demands(x) && p.b.practises(y) || p.a.practises(x) && p.b.demands(y) {
				if p.common(x, y) > 1.5 {
					p.propose(candidate{family: Policy, a: span{x.From, x.To}, b: span{y.From, y.To}})
				}
			}
		}
	}
}

func (s side) demands(c *frame.Clause) bool {
	for i := c.From; i < c.To; i++ {
		switch s.Tokens[i].Lower {
		case "must", "mustn't", "never", "only", "forbidden", "required", "requires", "mandatory", "nobody", "banned", "always", "shall", "prohibited", "every":
			return true
		}
	}
	return false
}

func (s side) practises(c *frame.Clause) bool {
	for i := c.From; i < c.To; i++ {
		switch s.Tokens[i].Lower {
		case "i", "my", "usually", "anyway", "handy", "myself", "directly", "straight", "skip", "skipped", "bypass", "instead":
			return true
		}
	}
	return false
}
