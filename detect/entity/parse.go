package entity

import (
	"cmp"
	"slices"

	"engram/detect/lexicon"
)

// Entities returns what text is about, in the order in which it stands there;
// of what starts at one place, the longer first. Any text is allowed.
func Entities(text string) []Entity { return Parse(text).Finish() }

// Parse finds the tokens, mentions and values of a text; finish names them.
func Parse(text string) *Parser {
	p := &Parser{Text: text, Lower: lexicon.Lower(text)}
	p.scan()
	p.mentions()
	p.values()
	p.pairs()
	p.states()
	p.uses()
	return p
}

// Finish names the values and puts everything in the order of the text.
func (p *Parser) Finish() []Entity {
	p.nameAll()
	p.conditions()
	for k := range p.Values {
		if p.Values[k].Type != "" {
			p.out = append(p.out, p.Values[k].Entity)
		}
	}
	slices.SortStableFunc(p.out, func(a, b Entity) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Type, b.Type))
	})
	return p.out
}
