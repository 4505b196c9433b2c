package entity

import (
	"unicode"
	"unicode/utf8"

	"engram/detect/lexicon"
)

// Kind says what a token is made of.
type Kind uint8

const (
	Word   Kind = iota // letters, possibly joined: rate, kube-proxy, a.b/c
	Digits             // a number literal without its unit: 1,000 or 1.5
	Dotted             // a version: 1.29.3, v1, v2beta1
	Dated              // 2024-06-01, 2024-06
	Symbol             // punctuation, an operator, or 's
)

// Token is a piece of the text.
type Token struct {
	Start, End  int
	Text, Lower string
	Kind        Kind
	Class       lexicon.Class
	Mention     Type   // what the token mentions, if anything
	name        string // its name then
	Code        bool   // in backticks, or a call
	Glued       bool   // no space before
	ValueIndex  int    // 1 + the index of the value it is part of
	condition   string // of a version that is one: "since 1.28"
}

// wordLen returns the length of the character at i if words are made of it.
func (p *Parser) wordLen(i int) int {
	c := p.At(i)
	switch {
	case lexicon.IsAlnum(c) || c == '_':
		return 1
	case c < utf8.RuneSelf:
		return 0
	}
	r, n := utf8.DecodeRuneInString(p.Text[i:])
	if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) {
		return n
	}
	return 0
}

// value is a value with the tokens it stands on.
type value struct {
	Entity
	First, Last int
	// left is the token before which the words that name the value end.
	Left int
}
