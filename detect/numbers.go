package detect

import (
	"math"
	"strconv"
	"strings"
)

// number finds a number with its unit at i.
func (p *parser) number(i int) int {
	amount, n := p.amount(i)
	if n == 0 {
		return 0
	}
	t := &p.toks[i]
	glue := t.glued && i > 0 && !p.is(i-1, "=", ":", "(", "[", "~", "<", ">", ">=", "<=", "$", "€", "£", "-", "->", "\"", "'", "@", ",", "+")
	if glue || p.toks[i].value != 0 || p.has(i-1, label) && t.kind == digits && p.labelled(i) || p.is(i-1, "#", "§") {
		return n
	}
	e := Entity{Type: Number, Value: amount, Unit: "count"}
	m := p.unit(i+n, &e)
	if money := p.money(i - 1); m == 0 && money != "" {
		e.Unit = money
	}
	if m == 0 && e.Unit == "count" && !p.countable(i, n) {
		return n
	}
	if p.is(i-1, "half") && e.Unit == "s" {
		e.Value /= 2
	}
	if e.Value = round(e.Value); math.IsInf(e.Value, 0) {
		return n
	}
	p.put(e, i, n+m)
	if amount < 0 || isMoney(e.Unit) && p.money(i-1) != "" {
		v := &p.vals[len(p.vals)-1]
		v.Start, v.left = p.toks[i-1].start, min(v.left, i-1)
	}
	return n + m
}

// labelled reports that a number after a word such as tier or issue names one
// of many rather than saying how many.
func (p *parser) labelled(i int) bool {
	return !p.toks[i].glued && !strings.HasPrefix(p.low[p.toks[i].end:], "%") && !p.is(i-1, "level")
}

// countable reports whether a number without a unit says a quantity: not an
// ordinal, an item of a list, or one of two parts of something else.
func (p *parser) countable(i, n int) bool {
	next := i + n
	if next < len(p.toks) && p.toks[next].glued {
		switch t := &p.toks[next]; {
		case t.kind == word, t.kind == digits:
			return false // 1st, 5foo
		case t.low == "/" && next+1 < len(p.toks) && p.toks[next+1].glued:
			return p.toks[next+1].kind == word && !p.toks[i].glued
		case t.low == ":" && next+1 < len(p.toks) && p.toks[next+1].glued && p.toks[next+1].kind == digits:
			return false
		case t.low == ")" && !p.is(i-1, ":", "=", "is") && i < 2, t.low == "." && i == 0:
			return false // 1) and 1. begin items
		}
	}
	if p.toks[i].kind == word && p.toks[i].low == "one" {
		return false
	}
	return true
}

// amount reads a number in digits or words at i, with its scale, and the
// tokens it takes.
func (p *parser) amount(i int) (amount float64, n int) {
	t := &p.toks[i]
	if t.kind != digits {
		return p.written(i)
	}
	s := t.text
	if strings.IndexByte(s, ',') >= 0 || strings.IndexByte(s, '_') >= 0 {
		s = strings.NewReplacer(",", "", "_", "").Replace(s)
	}
	amount, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, 0
	}
	n = 1
	if i+1 < len(p.toks) {
		next := &p.toks[i+1]
		if scale := scaleWord(next.low); scale > 0 && !next.glued {
			return amount * scale, 2
		}
		if scale := scaleLetter(next.text); scale > 0 && next.glued {
			return amount * scale, 2
		}
	}
	if p.is(i-1, "-") && p.toks[i].glued && (i < 2 || !p.toks[i-1].glued || p.is(i-2, "=", ":", "(")) {
		amount = -amount
	}
	return amount, n
}

// scaleWord returns what a written scale multiplies by, or zero.
func scaleWord(w string) float64 {
	switch w {
	case "hundred":
		return 100
	case "thousand":
		return 1e3
	case "million":
		return 1e6
	case "billion":
		return 1e9
	}
	return 0
}

// scaleLetter is scaleWord for a letter that is glued to the number. A lone m
// is minutes, and G and above are bytes.
func scaleLetter(s string) float64 {
	switch s {
	case "k", "K":
		return 1e3
	case "M":
		return 1e6
	}
	return 0
}
