package detect

import (
	"strconv"
	"strings"
)

// version finds a version at i.
//
//  1. v1.29.3 and 1.29.3 by their shape.
//  2. 1.22 or 15 after a product or the word version: Go 1.22, Postgres 15.
//  3. 1.28 after a preposition in a sentence about stages: beta in 1.28.
//
// A version after "since" and the like is a condition and no value.
func (p *parser) version(i int) int {
	t := &p.toks[i]
	if t.kind != dotted && (t.kind != digits || !p.releaseNumber(i)) {
		return 0
	}
	if t.kind == digits && p.toks[i].value != 0 {
		return 0
	}
	text := strings.TrimPrefix(t.low, "v")
	n := 1
	e := Entity{Type: Release, Text: text}
	if p.is(i+1, "+") && p.toks[i+1].glued {
		n, e.Bound = 2, AtLeast
	}
	product := i - 1
	for product >= 0 && (p.is(product, "version", "release", "v", "versions") || p.toks[product].class&neg != 0) {
		product--
	}
	if product < i-1 && p.is(product, "at") { // depends on X at version V
		product--
	}
	if word := p.since(product); word != "" {
		t.condition = word + " " + text
		return n
	}
	if p.productAt(product) {
		if word := p.since(product - 1); word != "" {
			t.condition = word + " " + p.toks[product].name + " " + text
			if p.toks[product].name == "" {
				t.condition = word + " " + p.toks[product].low + " " + text
			}
			return n
		}
		e.Name = p.productName(product)
	}
	p.put(e, i, n)
	return n
}

// since returns the normal form of a word that makes a version a condition.
func (p *parser) since(i int) string {
	switch {
	case p.is(i, "since"), p.is(i, "of") && p.is(i-1, "as"), p.is(i, "in", "from", "with") && p.is(i-1, "starting", "beginning"):
		return "since"
	case p.is(i, "until", "till"):
		return "until"
	case p.is(i, "before"):
		return "before"
	case p.is(i, "after"):
		return "after"
	}
	return ""
}

// releaseNumber reports whether the number at i is a version by its context.
func (p *parser) releaseNumber(i int) bool {
	t := &p.toks[i]
	if len(t.text) > 6 || strings.IndexByte(t.text, ',') >= 0 {
		return false
	}
	if i+1 < len(p.toks) {
		next := &p.toks[i+1]
		if next.low == "%" || next.glued && next.kind == word {
			return false
		}
		if _, unit := unitOf(next.text, next.low, next.glued); unit != "" {
			return false
		}
	}
	minor := strings.IndexByte(t.text, '.') > 0
	switch {
	case p.is(i-1, "version", "release", "versions"), minor && p.is(i-1, "milestone"):
		return true
	case p.is(i-1, "is", ":", "=", "to") && p.is(i-2, "version"):
		return true
	case i == 0:
		return false
	}
	before := &p.toks[i-1]
	if before.mention == Tool && !p.toks[i].glued {
		_, err := strconv.Atoi(t.text)
		return minor || err == nil && !p.isYear(i) && len(t.text) < 3 && !p.nounFollows(i)
	}
	if p.is(i-1, "node", "spring", "swift") && before.text[0] < 'a' && !p.nounFollows(i) {
		return true
	}
	if !minor {
		return false
	}
	if p.productAt(i-1) && p.sentenceWord(i-1) {
		return true
	}
	if before.class&prep == 0 && p.since(i-1) == "" {
		return false
	}
	for j := max(i-8, 0); j < min(i+8, len(p.toks)); j++ {
		if p.toks[j].class&rated != 0 || p.is(j, "version", "versions", "release", "enabled", "disabled", "support", "default") {
			return true
		}
	}
	return p.since(i-1) != "" && p.since(i-1) != "after"
}

// nounFollows reports a plain word right after i, which i then may count.
func (p *parser) nounFollows(i int) bool {
	return i+1 < len(p.toks) && p.toks[i+1].kind == word && p.toks[i+1].class == 0 && !p.toks[i+1].code
}

// productAt reports whether token i can name what a version is of.
func (p *parser) productAt(i int) bool {
	if i < 0 || i >= len(p.toks) {
		return false
	}
	t := &p.toks[i]
	if t.kind != word || t.value != 0 {
		return false
	}
	if t.mention == Tool || t.mention == Service || t.mention == URL || t.mention == Path || t.code || strings.IndexByte(t.low, '-') > 0 {
		return true
	}
	return t.text[0] >= 'A' && t.text[0] <= 'Z' && t.class == 0
}

// sentenceWord reports that the capital of token i is not that of the first
// word of a sentence, which any word has.
func (p *parser) sentenceWord(i int) bool {
	if p.toks[i].mention == Tool || p.is(i, "go") {
		return true
	}
	return i > 0 && !p.is(i-1, ".", ":", "-", "*")
}

func (p *parser) productName(i int) string {
	t := &p.toks[i]
	if t.name != "" {
		return t.name
	}
	return t.low
}
