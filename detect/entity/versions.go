package entity

import (
	"strconv"
	"strings"

	"engram/detect/lexicon"
)

// version finds a version at i.
//
//  1. v1.29.3 and 1.29.3 by their shape.
//  2. 1.22 or 15 after a product or the word version: Go 1.22, Postgres 15.
//  3. 1.28 after a preposition in a sentence about stages: beta in 1.28.
//
// A version after "since" and the like is a condition and no value.
func (p *Parser) version(i int) int {
	t := &p.Tokens[i]
	if t.Kind != Dotted && (t.Kind != Digits || !p.releaseNumber(i)) {
		return 0
	}
	if t.Kind == Digits && p.Tokens[i].ValueIndex != 0 {
		return 0
	}
	text := strings.TrimPrefix(t.Lower, "v")
	n := 1
	e := Entity{Type: Release, Text: text}
	if p.Is(i+1, "+") && p.Tokens[i+1].Glued {
		n, e.Bound = 2, AtLeast
	}
	product := i - 1
	for product >= 0 && (p.Is(product, "version", "release", "v", "versions") || p.Tokens[product].Class&lexicon.Neg != 0) {
		product--
	}
	if product < i-1 && p.Is(product, "at") { // depends on X at version V
		product--
	}
	if word := p.since(product); word != "" {
		t.condition = word + " " + text
		return n
	}
	if p.productAt(product) {
		if word := p.since(product - 1); word != "" {
			t.condition = word + " " + p.Tokens[product].name + " " + text
			if p.Tokens[product].name == "" {
				t.condition = word + " " + p.Tokens[product].Lower + " " + text
			}
			return n
		}
		e.Name = p.ProductName(product)
	}
	p.put(e, i, n)
	return n
}

// since returns the normal form of a word that makes a version a condition.
func (p *Parser) since(i int) string {
	switch {
	case p.Is(i, "since"), p.Is(i, "of") && p.Is(i-1, "as"), p.Is(i, "in", "from", "with") && p.Is(i-1, "starting", "beginning"):
		return "since"
	case p.Is(i, "until", "till"):
		return "until"
	case p.Is(i, "before"):
		return "before"
	case p.Is(i, "after"):
		return "after"
	}
	return ""
}

// releaseNumber reports whether the number at i is a version by its context.
func (p *Parser) releaseNumber(i int) bool {
	t := &p.Tokens[i]
	if len(t.Text) > 6 || strings.IndexByte(t.Text, ',') >= 0 {
		return false
	}
	if i+1 < len(p.Tokens) {
		next := &p.Tokens[i+1]
		if next.Lower == "%" || next.Glued && next.Kind == Word {
			return false
		}
		if _, unit := unitOf(next.Text, next.Lower, next.Glued); unit != "" {
			return false
		}
	}
	minor := strings.IndexByte(t.Text, '.') > 0
	switch {
	case p.Is(i-1, "version", "release", "versions"), minor && p.Is(i-1, "milestone"):
		return true
	case p.Is(i-1, "is", ":", "=", "to") && p.Is(i-2, "version"):
		return true
	case i == 0:
		return false
	}
	before := &p.Tokens[i-1]
	if before.Mention == Tool && !p.Tokens[i].Glued {
		_, err := strconv.Atoi(t.Text)
		return minor || err == nil && !p.isYear(i) && len(t.Text) < 3 && !p.NounFollows(i)
	}
	if p.Is(i-1, "node", "spring", "swift") && before.Text[0] < 'a' && !p.NounFollows(i) {
		return true
	}
	if !minor {
		return false
	}
	if p.productAt(i-1) && p.SentenceWord(i-1) {
		return true
	}
	if before.Class&lexicon.Prep == 0 && p.since(i-1) == "" {
		return false
	}
	for j := max(i-8, 0); j < min(i+8, len(p.Tokens)); j++ {
		if p.Tokens[j].Class&lexicon.StageVerb != 0 || p.Is(j, "version", "versions", "release", "enabled", "disabled", "support", "default") {
			return true
		}
	}
	return p.since(i-1) != "" && p.since(i-1) != "after"
}

// NounFollows reports a plain word right after i, which i then may count.
func (p *Parser) NounFollows(i int) bool {
	return i+1 < len(p.Tokens) && p.Tokens[i+1].Kind == Word && p.Tokens[i+1].Class == 0 && !p.Tokens[i+1].Code
}

// productAt reports whether token i can name what a version is of.
func (p *Parser) productAt(i int) bool {
	if i < 0 || i >= len(p.Tokens) {
		return false
	}
	t := &p.Tokens[i]
	if t.Kind != Word || t.ValueIndex != 0 {
		return false
	}
	if t.Mention == Tool || t.Mention == Service || t.Mention == URL || t.Mention == Path || t.Code || strings.IndexByte(t.Lower, '-') > 0 {
		return true
	}
	return t.Text[0] >= 'A' && t.Text[0] <= 'Z' && t.Class == 0
}

// SentenceWord reports that the capital of token i is not that of the first
// word of a sentence, which any word has.
func (p *Parser) SentenceWord(i int) bool {
	if p.Tokens[i].Mention == Tool || p.Is(i, "go") {
		return true
	}
	return i > 0 && !p.Is(i-1, ".", ":", "-", "*")
}

// ProductName returns the name of the product that token i names: its standard
// name if it has one, or its text in lower case.
func (p *Parser) ProductName(i int) string {
	t := &p.Tokens[i]
	if t.name != "" {
		return t.name
	}
	return t.Lower
}
