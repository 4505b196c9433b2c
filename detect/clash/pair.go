package clash

import (
	"slices"
	"strings"

	"engram/detect/finding"
	"engram/detect/frame"
	"engram/detect/lexicon"
)

// span is a range of tokens.
type span struct{ from, to int }

// side is one of the claims of a pair.
type side struct {
	*frame.Frame
	match   []float32 // of each token: how well the other claim has it, 0 to 1
	partner []int     // the token of the other claim that it matches best, or -1
}

// candidate is two places that may clash.
type candidate struct {
	family Family
	a, b   span
	// told tells that the other claim gives the value of one side too, as one of several.
	told bool
	what string // names the slot, if the words around do not
	// extra is what only this family knows: of values, that the other claim gives this one
	// as past; of names, how surely they are owners; of order, how much of it is turned
	// around; of lists, the members in common; of polarity and quantifiers, whether the
	// claims deny differently.
	extra       float32
	probability float64
}

// pair is two claims in the order of their texts.
type pair struct {
	a, b       side
	known      Context
	candidates []candidate
	equal      int // quantities that both give
}

// mostCandidates bounds the work for long claims.
const mostCandidates = 64

func newPair(a, b *frame.Frame, known Context) *pair {
	p := &pair{a: side{Frame: a}, b: side{Frame: b}, known: known}
	p.matchTokens()
	p.quantities()
	p.words()
	p.names()
	p.order()
	p.sets()
	p.propose(candidate{family: Rest, a: p.a.wholeClause(), b: p.b.wholeClause()})
	return p
}

func (p *pair) propose(c candidate) {
	if len(p.candidates) < mostCandidates {
		p.candidates = append(p.candidates, c)
	}
}

// The strengths of a match.
const (
	sameMeaning = 1
	partMeaning = 0.8
	nearMeaning = 0.6
)

func (p *pair) matchTokens() {
	p.a.match, p.a.partner = make([]float32, len(p.a.Tokens)), make([]int, len(p.a.Tokens))
	p.b.match, p.b.partner = make([]float32, len(p.b.Tokens)), make([]int, len(p.b.Tokens))
	for i := range p.a.partner {
		p.a.partner[i] = -1
	}
	for j := range p.b.partner {
		p.b.partner[j] = -1
	}
	for i := range p.a.Tokens {
		t := &p.a.Tokens[i]
		if t.Role&frame.Content == 0 || t.Value > 0 {
			continue
		}
		for j := range p.b.Tokens {
			u := &p.b.Tokens[j]
			if u.Role&frame.Content == 0 || u.Value > 0 {
				continue
			}
			m := strength(t, u)
			if m > p.a.match[i] {
				p.a.match[i], p.a.partner[i] = m, j
			}
			if m > p.b.match[j] {
				p.b.match[j], p.b.partner[j] = m, i
			}
		}
	}
}

// strength tells how near two tokens are in meaning.
func strength(t, u *frame.Token) float32 {
	switch {
	case t.Stem == u.Stem || t.ID == u.ID:
		return sameMeaning
	case t.Role&frame.Code != 0 && u.Role&frame.Code != 0 && len(t.Parts) > 0 && len(u.Parts) > 0:
		return 0 // two identifiers
	case slices.Contains(t.Parts, u.Stem) || slices.Contains(u.Parts, t.Stem):
		return partMeaning
	case t.Role&u.Role&frame.Proper != 0:
		return 0
	}
	for _, x := range t.Topics {
		if slices.Contains(u.Topics, x) {
			return nearMeaning
		}
	}
	if beginsWith(t.Lower, u.Lower) || beginsWith(u.Lower, t.Lower) {
		return nearMeaning
	}
	return 0
}

// beginsWith reports a word that begins with another one: sshd, thumbnailer.
func beginsWith(long, short string) bool {
	return len(short) > 2 && len(long) > len(short) && len(long) <= len(short)+4 && (len(short) > 3 || len(long) == 4) && strings.HasPrefix(long, short)
}

// place returns the bytes of a span.
func (s side) place(at span) finding.Place {
	if at.from >= at.to {
		return finding.Place{}
	}
	return finding.Place{Start: s.Tokens[at.from].Start, End: s.Tokens[at.to-1].End}
}

// wholeClause returns the clause that has most in common with the other claim.
func (s side) wholeClause() span {
	best, at := float32(-1), span{0, len(s.Tokens)}
	for _, c := range s.Clauses {
		shared := float32(0)
		for i := c.From; i < c.To; i++ {
			shared += s.match[i] * s.Tokens[i].Weight
		}
		if shared > best {
			best, at = shared, span{c.From, c.To}
		}
	}
	return at
}

// clauseOf returns the clause around a span.
func (s side) clauseOf(at span) frame.Clause {
	if len(s.Clauses) == 0 {
		return frame.Clause{}
	}
	return s.Clauses[s.Tokens[at.from].Clause]
}

// coverage is the share of the weight of tokens that the other claim has, the span
// itself set aside, and that weight.
func (s side) coverage(from, to int, aside span) (share, weight float32) {
	var shared float32
	for i := max(from, 0); i < min(to, len(s.Tokens)); i++ {
		if i >= aside.from && i < aside.to {
			continue
		}
		t := &s.Tokens[i]
		weight += t.Weight
		shared += t.Weight * s.match[i]
	}
	if weight == 0 {
		return 0, 0
	}
	return shared / weight, weight
}

// newer returns the side that tells of a change, if the other does not.
func (p *pair) newer(c candidate) finding.Side {
	a, b := p.a.changes(c.a), p.b.changes(c.b)
	switch {
	case a && !b:
		return finding.SideA
	case b && !a:
		return finding.SideB
	}
	return finding.Neither
}

// changes reports a sentence that tells of a change around a span.
func (s side) changes(at span) bool {
	c := s.clauseOf(at)
	for i := max(c.From-6, 0); i < min(c.To+6, len(s.Tokens)); i++ {
		t := &s.Tokens[i]
		switch {
		case t.Part&lexicon.Evolving == 0, t.Lower == "since" && !s.dated(i), t.Lower == "was", t.Lower == "were", t.Lower == "used", t.Lower == "instead", t.Lower == "doesn't", t.Lower == "until":
		default:
			return true
		}
	}
	return false
}

// dated reports that "since" at token i begins a date, and not a reason.
func (s side) dated(i int) bool {
	if i+1 >= len(s.Tokens) {
		return false
	}
	switch next := &s.Tokens[i+1]; next.Lower {
	case "then", "last", "version", "release":
		return true
	default:
		return next.Value > 0 || s.startsSentence(i)
	}
}
