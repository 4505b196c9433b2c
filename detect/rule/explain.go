package rule

import (
	"fmt"
	"slices"
	"strings"

	"engram/detect/claim"
	"engram/detect/finding"
	"engram/detect/lexicon"
)

// mostQuoted is how much of a claim an explanation quotes, in bytes.
const mostQuoted = 60

// explain says what a clash is, in one sentence for a person.
func (p *pair) explain(c clash, f finding.Finding) string {
	here, there := p.a.quote(c.a), p.b.quote(c.b)
	if p.swapped {
		here, there = there, here
	}
	what := c.what
	if what == "" || c.rule == byValue && (!p.shared(what) || lexicon.LookUp(what).Traits&lexicon.Weak != 0) {
		what = p.commonWords(c)
	}
	switch {
	case c.rule == byOrder:
		return fmt.Sprintf("the order is turned around: %q here, %q there", here, there)
	case c.rule == byChange && !c.replaced:
		now, old := p.tell(c.newer == finding.SideA)
		return fmt.Sprintf("%s: %s %s, given up %s", what, p.a.quote(c.a), old, now)
	case c.rule == byDenial:
		lacks, has := p.tell(p.a.ClauseOf(p.a.At(c.a.Start)).Denials > 0)
		return fmt.Sprintf("%s is in use %s, and denied %s", what, has, lacks)
	case c.denied:
		denied, said := p.tell(p.a.deniesAt(c.a))
		return fmt.Sprintf("%q is said %s and denied %s", what, said, denied)
	case f.Newer != finding.Neither && here == there:
		now, old := p.tell(f.Newer == finding.SideA)
		return fmt.Sprintf("%s: %s %s, no longer so %s", what, here, old, now)
	case f.Newer == finding.SideA:
		return fmt.Sprintf("%s changed from %s to %s", what, p.b.quote(c.b), p.a.quote(c.a))
	case f.Newer == finding.SideB:
		return fmt.Sprintf("%s changed from %s to %s", what, p.a.quote(c.a), p.b.quote(c.b))
	}
	return fmt.Sprintf("%s: %s here, %s there", what, here, there)
}

// tell returns what the two claims are called, that of which something is true
// first.
func (p *pair) tell(trueOfA bool) (it, other string) {
	if trueOfA != p.swapped {
		return "here", "there"
	}
	return "there", "here"
}

// deniesAt reports whether there is a denial in a place.
func (c side) deniesAt(at finding.Place) bool {
	for i := range c.Terms {
		if t := &c.Terms[i]; t.Role&claim.Denial != 0 && at.Start <= t.Start && t.End <= at.End {
			return true
		}
	}
	return false
}

// quote returns a place of a claim, shortened between words.
func (c side) quote(at finding.Place) string {
	text := strings.Trim(c.Text[at.Start:at.End], "`\"")
	if len(text) > mostQuoted {
		text = strings.ToValidUTF8(text[:mostQuoted], "")
		text = text[:max(strings.LastIndexByte(text, ' '), mostQuoted/2)] + "…"
	}
	if text == "" {
		return "nothing"
	}
	return strings.ToValidUTF8(text, "")
}

// shared reports whether both claims have all words of a name.
func (p *pair) shared(name string) bool {
	for w := range strings.FieldsSeq(name) {
		if id := lexicon.LookUp(w).ID; p.a.Find(id) < 0 || p.b.Find(id) < 0 {
			return false
		}
	}
	return true
}

// mostNamed is how many words name what both claims speak of.
const mostNamed = 4

// commonWords names what both claims speak of: words of the first, in its clause that
// clashes before others, that the second has too.
func (p *pair) commonWords(c clash) string {
	var words []string
	seen := append(p.a.idsAt(c.a), p.b.idsAt(c.b)...)
	x := p.a.ClauseOf(p.a.At(c.a.Start))
	for _, s := range [...]span{{x.From, x.To}, {0, len(p.a.Terms)}} {
		for i := s.from; i < s.to && len(words) < mostNamed; i++ {
			t := &p.a.Terms[i]
			if (t.Weight >= claim.StrongWeight || t.Traits&lexicon.Quantity != 0) && t.ValueIndex == 0 && !slices.Contains(seen, t.ID) && p.b.Find(t.ID) >= 0 {
				words, seen = append(words, p.a.word(t)), append(seen, t.ID)
			}
		}
	}
	if len(words) == 0 {
		return "the same thing"
	}
	return strings.Join(words, " ")
}

// idsAt returns the meanings of the words in a place.
func (c side) idsAt(at finding.Place) (ids []uint32) {
	for i := range c.Terms {
		if t := &c.Terms[i]; at.Start <= t.Start && t.End <= at.End {
			ids = append(ids, t.ID)
		}
	}
	return ids
}
