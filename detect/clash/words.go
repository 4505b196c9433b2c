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
			if opposed(t, u) && p.a.deniedAt(i) == p.b.deniedAt(j) {
				p.propose(candidate{family: Opposite, a: span{i, i + 1}, b: span{j, j + 1}})
			}
			if kind, ok := commonKind(t, u); ok && !(p.a.match[i] == sameMeaning && p.b.match[j] == sameMeaning) {
				p.propose(candidate{
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

// polarity proposes the clauses that have most in common of those of which just one
// denies.
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
				best.extra = float32(max(x.Denials, y.Denials))
			}
		}
	}
	if most > 0 {
		p.propose(best)
	}
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
				if p.common(x, y) > 0 {
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
		case "i", "my", "usually", "anyway", "handy", "without", "we", "myself", "directly", "straight", "skip", "skipped":
			return true
		}
	}
	return false
}
