package detect

import "strings"

// given returns the conditions of the form "with the flag set" among some tokens:
// "with", a few words for a thing, and a word that says that it is there or on.
func (p *reader) given(lo, hi int) (list []string) {
	for i := lo; i < hi; i++ {
		if !p.is(i, "with") {
			continue
		}
		words := []string{"when"}
		for j := i + 1; j < hi && j <= i+5 && p.toks[j].kind != symbol; j++ {
			if p.is(j, "set", "enabled", "disabled", "given", "present", "passed", "on", "off") {
				if len(words) > 1 {
					list = append(list, strings.Join(append(words, p.toks[j].low), " "))
				}
				break
			}
			if !p.has(j, fill|prep) {
				words = append(words, p.toks[j].low)
			}
		}
	}
	return list
}

// givenAt returns these conditions of the clause at a byte of the text.
func (c *Claim) givenAt(start int) []condition {
	if len(c.read.clauses) == 0 {
		return nil
	}
	return c.read.clauseOf(c.read.at(start)).given
}
