package detect

import (
	"strings"
	"unicode/utf8"
)

// scan cuts the text into tokens.
func (p *parser) scan() {
	p.toks = make([]token, 0, len(p.text)/5+4)
	for i := 0; i < len(p.text); {
		c := p.text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c == '`':
			p.tick(i)
			i++
		case isDigit(c):
			i = p.scanDigits(i)
		case p.wordLen(i) > 0 || p.pathStart(i) || p.flagStart(i):
			i = p.scanWord(i)
		default:
			i = p.scanSymbol(i)
		}
	}
}

// tick enters or leaves a code span; a backtick without a partner is ignored.
func (p *parser) tick(i int) {
	switch {
	case p.inCode:
		p.inCode = false
	case !p.noTick && strings.IndexByte(p.text[i+1:], '`') >= 0:
		p.inCode = true
	default:
		p.noTick = true
	}
}

func (p *parser) add(k kind, start, end int) {
	t := token{start: start, end: end, text: p.text[start:end], low: p.low[start:end], kind: k, code: p.inCode}
	t.glued = start > 0 && len(p.toks) > 0 && p.toks[len(p.toks)-1].end == start
	if k == word {
		if strings.Contains(t.low, "’") {
			t.low = strings.ReplaceAll(t.low, "’", "'")
		}
		t.class = classify(t.low)
	}
	p.toks = append(p.toks, t)
}

// boundary reports whether a word can begin at i with punctuation.
func (p *parser) boundary(i int) bool {
	c := p.at(i - 1)
	return c == 0 || c == ' ' || c == '\t' || c == '\n' || c == '`' || c == '(' || c == '"' || c == '\'' || c == '='
}

func (p *parser) pathStart(i int) bool {
	if !p.boundary(i) {
		return false
	}
	rest := p.text[i:min(i+4, len(p.text))]
	for _, lead := range [...]string{"/", "./", "~/", "../", "."} {
		if n := len(lead); strings.HasPrefix(rest, lead) && i+n < len(p.text) && isLetter(p.text[i+n]) {
			return true
		}
	}
	return false
}

func (p *parser) flagStart(i int) bool {
	return p.at(i) == '-' && p.boundary(i) && (p.at(i+1) == '-' && isLetter(p.at(i+2)) || p.inCode && isLetter(p.at(i+1)))
}

// scanWord adds the word at i, with what is joined to it.
func (p *parser) scanWord(i int) int {
	start := i
	n := len(p.toks)
	unitPart := n > 0 && p.toks[n-1].kind == digits && p.toks[n-1].end == i
	for i < len(p.text) && p.wordLen(i) == 0 {
		i++ // the lead of a path or flag
	}
	for i < len(p.text) {
		if n := p.wordLen(i); n > 0 {
			if i > start && unitPart && isDigit(p.text[i]) {
				break // 1h30m is 1 h and 30 m
			}
			i += n
			continue
		}
		if strings.HasPrefix(p.text[i:], "://") {
			i = p.urlEnd(i + 3)
			break
		}
		n := p.joiner(i)
		if n == 0 {
			break
		}
		i += n
	}
	k := word
	if isVersion(p.low[start:i]) {
		k = dotted
	}
	p.add(k, start, i)
	if strings.HasPrefix(p.text[i:], "()") {
		p.toks[len(p.toks)-1].code = true
		i += 2
	}
	return i
}

// joiner returns the length of what holds two parts of a word together at i.
func (p *parser) joiner(i int) int {
	n := 1
	switch p.text[i] {
	case '-', '.', '/', '@', '+':
	case '\'':
	default:
		if !strings.HasPrefix(p.text[i:], "’") {
			return 0
		}
		n = len("’")
	}
	if p.wordLen(i+n) == 0 {
		return 0
	}
	if (p.text[i] == '\'' || n > 1) && p.at(i+n) == 's' && p.wordLen(i+n+1) == 0 {
		return 0 // a possessive
	}
	return n
}

// urlEnd returns the end of a URL, without the punctuation of the sentence.
func (p *parser) urlEnd(i int) int {
	for i < len(p.text) && strings.IndexByte(" \t\n\r`\"<>)],", p.text[i]) < 0 {
		i++
	}
	for strings.IndexByte(".;:!?+'", p.text[i-1]) >= 0 {
		i--
	}
	return i
}

// scanSymbol adds an operator or one character.
func (p *parser) scanSymbol(i int) int {
	rest := p.text[i:]
	for _, s := range [...]string{">=", "<=", "->", "=>", "==", "!=", ":=", "'s", "’s", "--"} {
		if strings.HasPrefix(rest, s) {
			p.add(symbol, i, i+len(s))
			return i + len(s)
		}
	}
	_, n := utf8.DecodeRuneInString(rest)
	p.add(symbol, i, i+n)
	switch t := &p.toks[len(p.toks)-1]; t.text {
	case "–":
		t.low = "-"
	case "→":
		t.low = "->"
	case "≥":
		t.low = ">="
	case "≤":
		t.low = "<="
	case "≈":
		t.low = "~"
	}
	return i + n
}
