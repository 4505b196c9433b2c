package detect

import (
	"cmp"
	"slices"
)

// finish names the values and puts everything in the order of the text.
func (p *parser) finish() []Entity {
	p.nameAll()
	p.conditions()
	for k := range p.vals {
		if p.vals[k].Type != "" {
			p.out = append(p.out, p.vals[k].Entity)
		}
	}
	slices.SortStableFunc(p.out, func(a, b Entity) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Type, b.Type))
	})
	return p.out
}
