package detect

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// mostQuoted is how much of a claim an explanation quotes, in bytes.
const mostQuoted = 60

// explain says what a clash is, in one sentence for a person.
func (p *pair) explain(c clash, f Finding) string {
	here, there := p.a.quote(c.a), p.b.quote(c.b)
	if p.swapped {
		here, there = there, here
	}
	what := c.what
	if what == "" || c.rule == byValue && (!p.shared(what) || lookUp(what).traits&weak != 0) {
		what = p.subject(c)
	}
	switch {
	case c.rule == byOrder:
		return fmt.Sprintf("the order is turned around: %q here, %q there", here, there)
	case c.rule == byChange && !c.replaced:
		now, old := p.tell(c.newer == SideA)
		return fmt.Sprintf("%s: %s %s, given up %s", what, p.a.quote(c.a), old, now)
	case c.rule == byDenial:
		lacks, has := p.tell(p.a.read.clauseOf(p.a.read.at(c.a.Start)).denials > 0)
		return fmt.Sprintf("%s is in use %s, and denied %s", what, has, lacks)
	case c.denied:
		denied, said := p.tell(p.a.denies(c.a))
		return fmt.Sprintf("%q is said %s and denied %s", what, said, denied)
	case f.Newer != Neither && here == there:
		now, old := p.tell(f.Newer == SideA)
		return fmt.Sprintf("%s: %s %s, no longer so %s", what, here, old, now)
	case f.Newer == SideA:
		return fmt.Sprintf("%s changed from %s to %s", what, p.b.quote(c.b), p.a.quote(c.a))
	case f.Newer == SideB:
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

// denies reports whether there is a denial in a place.
func (c side) denies(at Place) bool {
	for i := range c.read.terms {
		if t := &c.read.terms[i]; t.role&denial != 0 && at.Start <= t.start && t.end <= at.End {
			return true
		}
	}
	return false
}

// quote returns a place of a claim, shortened between words.
func (c side) quote(at Place) string {
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
		if id := lookUp(w).id; p.a.read.find(id) < 0 || p.b.read.find(id) < 0 {
			return false
		}
	}
	return true
}

// mostNamed is how many words name what both claims speak of.
const mostNamed = 4

// subject names what both claims speak of: words of the first, in its clause that
// clashes before others, that the second has too.
func (p *pair) subject(c clash) string {
	var words []string
	seen := append(p.a.idsAt(c.a), p.b.idsAt(c.b)...)
	x := p.a.read.clauseOf(p.a.read.at(c.a.Start))
	for _, s := range [...]span{{x.from, x.to}, {0, len(p.a.read.terms)}} {
		for i := s.from; i < s.to && len(words) < mostNamed; i++ {
			t := &p.a.read.terms[i]
			if (t.weight >= strongWeight || t.traits&quantity != 0) && t.value == 0 && !slices.Contains(seen, t.id) && p.b.read.find(t.id) >= 0 {
				words, seen = append(words, p.a.word(t)), append(seen, t.id)
			}
		}
	}
	if len(words) == 0 {
		return "the same thing"
	}
	return strings.Join(words, " ")
}

// idsAt returns the meanings of the words in a place.
func (c side) idsAt(at Place) (ids []uint32) {
	for i := range c.read.terms {
		if t := &c.read.terms[i]; at.Start <= t.start && t.end <= at.End {
			ids = append(ids, t.id)
		}
	}
	return ids
}

// spoken makes words of a name.
func spoken(name, of string) string {
	return strings.ReplaceAll(join(of, name), "_", " ")
}

// kindName returns the name of a kind of alternatives.
func kindName(kind uint64) string {
	switch kind {
	case pathKind:
		return "path"
	case teamKind:
		return "team"
	}
	at := bits.TrailingZeros64(kind)
	for line := range strings.Lines(alternatives) {
		if at--; at < 0 {
			name, _, _ := strings.Cut(line, ":")
			return name
		}
	}
	return ""
}
