package rule

import (
	"slices"

	"engram/detect/claim"
	"engram/detect/lexicon"
)

// rest is what one part says and the other claim does not.
type rest struct {
	strong     int // terms that say much, but for what is measured
	owning     int // names that mean one thing anywhere
	literals   int // what stands in quotation marks or backticks
	figures    int
	contrasts  int
	measures   int
	narrowing  int       // terms behind "for", "on", "of": they may narrow what is spoken of
	opposed    int       // terms of which the other has the opposite
	qualified  int       // unmatched ends of oppositions
	directions int       // how many of these may tell two things apart
	heads      [4]uint32 // what the first of the terms stand right before
}

// add counts a term that the other claim lacks.
func (r *rest) add(t *claim.Term, narrows bool, head uint32) {
	switch {
	case t.Role&claim.Numeric != 0 || t.ValueIndex > 0:
		r.figures++
	case t.Traits&lexicon.Quantity != 0:
		r.measures++
	case t.Weight >= claim.StrongWeight:
		if r.strong < len(r.heads) {
			r.heads[r.strong] = head
		}
		r.strong++
		if t.Role&claim.Unique != 0 {
			r.owning++
		}
		if narrows {
			r.narrowing++
		}
	}
	if t.Role&claim.Literal != 0 {
		r.literals++
	}
	if t.Pole != 0 {
		r.qualified++
	}
	if t.Traits&lexicon.Contrast != 0 {
		r.contrasts++
	}
}

// addSubject counts what tells the subject of a clause from that of another.
func (r *rest) addSubject(t *claim.Term) {
	switch {
	case t.Role&claim.Numeric != 0 || t.ValueIndex > 0:
		r.figures++
	case t.Role&claim.Unique != 0:
		r.owning++
	}
}

// special is how much of a rest may tell what is spoken of from something of its
// kind.
func (r *rest) special() int { return r.strong + r.figures + r.owning }

// head returns what term i stands right before, if that is a word of the part.
func (a part) head(i int) uint32 {
	terms := a.claim.Terms
	if i+1 < a.within.to && terms[i+1].Start <= terms[i].End+1 && terms[i+1].Role&(claim.StopWord|claim.Denial|claim.Unasserted) == 0 && terms[i+1].ValueIndex == 0 {
		return terms[i+1].ID
	}
	return 0
}

// shareHead reports that both have a word of their own before one word: audit
// logs and access logs.
func (r *rest) shareHead(s *rest) bool {
	for _, id := range r.heads {
		if id != 0 && slices.Contains(s.heads[:], id) {
			return true
		}
	}
	return false
}

// narrows reports whether term i stands behind a preposition that narrows what
// is spoken of.
func (a part) narrows(i int) bool {
	for j := i - 1; j >= a.within.from && j >= i-3; j-- {
		t := &a.claim.Terms[j]
		if t.Role&claim.StopWord == 0 {
			continue
		}
		switch t.Lower {
		case "for", "of", "per", "during", "under", "when", "if", "in":
			return true
		}
		return false
	}
	return false
}
