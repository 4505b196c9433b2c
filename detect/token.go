package detect

import (
	"unicode"
	"unicode/utf8"
)

// kind says what a token is made of.
type kind uint8

const (
	word   kind = iota // letters, possibly joined: rate, kube-proxy, a.b/c
	digits             // a number literal without its unit: 1,000 or 1.5
	dotted             // a version: 1.29.3, v1, v2beta1
	dated              // 2024-06-01, 2024-06
	symbol             // punctuation, an operator, or 's
)

// token is a piece of the text.
type token struct {
	start, end int
	text, low  string
	kind       kind
	class      class
	mention    Type   // what the token mentions, if anything
	name       string // its name then
	code       bool   // in backticks, or a call
	glued      bool   // no space before
	value      int    // 1 + the index of the value it is part of
	condition  string // of a version that is one: "since 1.28"
}

// parser is one run over one text.
type parser struct {
	text, low string
	toks      []token
	out       []Entity // mentions
	vals      []value
	inCode    bool
	noTick    bool // no backtick follows
}

// lower maps ASCII letters only, so that positions stay the same.
func lower(s string) string {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isAlnum(c byte) bool  { return isDigit(c) || isLetter(c) }

// at returns the byte at i, or zero.
func (p *parser) at(i int) byte {
	if i < 0 || i >= len(p.text) {
		return 0
	}
	return p.text[i]
}

// wordLen returns the length of the character at i if words are made of it.
func (p *parser) wordLen(i int) int {
	c := p.at(i)
	switch {
	case isAlnum(c) || c == '_':
		return 1
	case c < utf8.RuneSelf:
		return 0
	}
	r, n := utf8.DecodeRuneInString(p.text[i:])
	if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) {
		return n
	}
	return 0
}

// is reports whether token i is one of these, by its text in lower case.
func (p *parser) is(i int, texts ...string) bool {
	if i < 0 || i >= len(p.toks) {
		return false
	}
	for _, s := range texts {
		if p.toks[i].low == s {
			return true
		}
	}
	return false
}

// has reports whether token i is a word of one of these classes.
func (p *parser) has(i int, c class) bool {
	return i >= 0 && i < len(p.toks) && p.toks[i].class&c != 0
}
