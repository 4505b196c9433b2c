package claim

import (
	"strings"

	"engram/detect/entity"
	"engram/detect/lexicon"
)

// given returns the conditions of the form "with the flag set" among some tokens:
// "with", a few words for a thing, and a word that says that it is there or on.
func (p *reader) given(lo, hi int) (list []string) {
	for i := lo; i < hi; i++ {
		if !p.Is(i, "with") {
			continue
		}
		words := []string{"when"}
		for j := i + 1; j < hi && j <= i+5 && p.Tokens[j].Kind != entity.Symbol; j++ {
			if p.Is(j, "set", "enabled", "disabled", "given", "present", "passed", "on", "off") {
				if len(words) > 1 {
					list = append(list, strings.Join(append(words, p.Tokens[j].Lower), " "))
				}
				break
			}
			if !p.Has(j, lexicon.Filler|lexicon.Prep) {
				words = append(words, p.Tokens[j].Lower)
			}
		}
	}
	return list
}

// GivenAt returns these conditions of the clause at a byte of the text.
func (c *Claim) GivenAt(start int) []Condition {
	if len(c.Clauses) == 0 {
		return nil
	}
	return c.ClauseOf(c.At(start)).given
}
