package entity

import (
	"strings"
	"unicode/utf8"

	"engram/detect/lexicon"
)

// scan cuts the text into tokens.
func (p *Parser) scan() {
	p.Tokens = make([]Token, 0, len(p.Text)/5+4)
	for i := 0; i < len(p.Text); {
		c := p.Text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c == '`':
			p.tick(i)
			i++
		case lexicon.IsDigit(c):
			i = p.scanDigits(i)
		case p.wordLen(i) > 0 || p.pathStart(i) || p.flagStart(i):
			i = p.scanWord(i)
		default:
			i = p.scanSymbol(i)
		}
	}
}

// tick enters or leaves a code span; a backtick without a partner is ignored.
func (p *Parser) tick(i int) {
	switch {
	case p.inCode:
		p.inCode = false
	case !p.noTick && strings.IndexByte(p.Text[i+1:], '`') >= 0:
		p.inCode = true
	default:
		p.noTick = true
	}
}

func (p *Parser) add(k Kind, start, end int) {
	t := Token{Start: start, End: end, Text: p.Text[start:end], Lower: p.Lower[start:end], Kind: k, Code: p.inCode}
	t.Glued = start > 0 && len(p.Tokens) > 0 && p.Tokens[len(p.Tokens)-1].End == start
	if k == Word {
		if strings.Contains(t.Lower, "’") {
			t.Lower = strings.ReplaceAll(t.Lower, "’", "'")
		}
		t.Class = lexicon.Classify(t.Lower)
	}
	p.Tokens = append(p.Tokens, t)
}

// boundary reports whether a word can begin at i with punctuation.
func (p *Parser) boundary(i int) bool {
	c := p.At(i - 1)
	return c == 0 || c == ' ' || c == '\t' || c == '\n' || c == '`' || c == '(' || c == '"' || c == '\'' || c == '='
}

func (p *Parser) pathStart(i int) bool {
	if !p.boundary(i) {
		return false
	}
	rest := p.Text[i:min(i+4, len(p.Text))]
	for _, lead := range [...]string{"/", "./", "~/", "../", "."} {
		if n := len(lead); strings.HasPrefix(rest, lead) && i+n < len(p.Text) && lexicon.IsLetter(p.Text[i+n]) {
			return true
		}
	}
	return false
}

func (p *Parser) flagStart(i int) bool {
	return p.At(i) == '-' && p.boundary(i) && (p.At(i+1) == '-' && lexicon.IsLetter(p.At(i+2)) || p.inCode && lexicon.IsLetter(p.At(i+1)))
}

// scanWord adds the word at i, with what is joined to it.
func (p *Parser) scanWord(i int) int {
	start := i
	n := len(p.Tokens)
	unitPart := n > 0 && p.Tokens[n-1].Kind == Digits && p.Tokens[n-1].End == i
	for i < len(p.Text) && p.wordLen(i) == 0 {
		i++ // the lead of a path or flag
	}
	for i < len(p.Text) {
		if n := p.wordLen(i); n > 0 {
			if i > start && unitPart && lexicon.IsDigit(p.Text[i]) {
				break // 1h30m is 1 h and 30 m
			}
			i += n
			continue
		}
		if strings.HasPrefix(p.Text[i:], "://") {
			i = p.urlEnd(i + 3)
			break
		}
		n := p.joiner(i)
		if n == 0 {
			break
		}
		i += n
	}
	k := Word
	if isVersion(p.Lower[start:i]) {
		k = Dotted
	}
	p.add(k, start, i)
	if strings.HasPrefix(p.Text[i:], "()") {
		p.Tokens[len(p.Tokens)-1].Code = true
		i += 2
	}
	return i
}

// joiner returns the length of what holds two parts of a word together at i.
func (p *Parser) joiner(i int) int {
	n := 1
	switch p.Text[i] {
	case '-', '.', '/', '@', '+':
	case '\'':
	default:
		if !strings.HasPrefix(p.Text[i:], "’") {
			return 0
		}
		n = len("’")
	}
	if p.wordLen(i+n) == 0 {
		return 0
	}
	if (p.Text[i] == '\'' || n > 1) && p.At(i+n) == 's' && p.wordLen(i+n+1) == 0 {
		return 0 // a possessive
	}
	return n
}

// urlEnd returns the end of a URL, without the punctuation of the sentence.
func (p *Parser) urlEnd(i int) int {
	for i < len(p.Text) && strings.IndexByte(" \t\n\r`\"<>)],", p.Text[i]) < 0 {
		i++
	}
	for strings.IndexByte(".;:!?+'", p.Text[i-1]) >= 0 {
		i--
	}
	return i
}

// scanSymbol adds an operator or one character.
func (p *Parser) scanSymbol(i int) int {
	rest := p.Text[i:]
	for _, s := range [...]string{">=", "<=", "->", "=>", "==", "!=", ":=", "'s", "’s", "--"} {
		if strings.HasPrefix(rest, s) {
			p.add(Symbol, i, i+len(s))
			return i + len(s)
		}
	}
	_, n := utf8.DecodeRuneInString(rest)
	p.add(Symbol, i, i+n)
	switch t := &p.Tokens[len(p.Tokens)-1]; t.Text {
	case "–":
		t.Lower = "-"
	case "→":
		t.Lower = "->"
	case "≥":
		t.Lower = ">="
	case "≤":
		t.Lower = "<="
	case "≈":
		t.Lower = "~"
	}
	return i + n
}
