package claim

import (
	"slices"

	"engram/detect/entity"
	"engram/detect/lexicon"
)

// reader reads a claim of which the entities are found.
type reader struct {
	*entity.Parser
	// conditional is set if there is a condition: if, when, unless.
	conditional bool
}

// maxRead is the longest text that is read for comparing, in bytes: twice what a
// claim may have. It bounds the work of comparing.
const maxRead = 1000

// read prepares a claim for comparing. The parser has found its values.
func (p *reader) read(scope string) Reading {
	if len(p.Text) > maxRead || p.markup() {
		return Reading{}
	}
	p.conditional = slices.ContainsFunc(p.Tokens, func(t entity.Token) bool { return t.Class&lexicon.When != 0 })
	r := Reading{Terms: make([]Term, 0, len(p.Tokens))}
	first := make([]int, len(p.Tokens)+1) // the first term of each token
	start := 0
	for i := range p.Tokens {
		first[i] = len(r.Terms)
		if p.ends(i) {
			p.addClause(&r, start, i, first)
			start = i + 1
			continue
		}
		p.terms(&r, i)
	}
	first[len(p.Tokens)] = len(r.Terms)
	p.addClause(&r, start, len(p.Tokens), first)
	p.stated(&r, first)
	r.index(scope)
	return r
}
