package entity

import (
	"math"
	"strconv"
	"strings"

	"engram/detect/lexicon"
)

// number finds a number with its unit at i.
func (p *Parser) number(i int) int {
	amount, n := p.amount(i)
	if n == 0 {
		return 0
	}
	t := &p.Tokens[i]
	glue := t.Glued && i > 0 && !p.Is(i-1, "=", ":", "(", "[", "~", "<", ">", ">=", "<=", "$", "€", "£", "-", "->", "\"", "'", "@", ",", "+")
	if glue || p.Tokens[i].ValueIndex != 0 || p.Has(i-1, lexicon.Label) && t.Kind == Digits && p.labelled(i) || p.Is(i-1, "#", "§") {
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
	if p.Is(i-1, "half") && e.Unit == "s" {
		e.Value /= 2
	}
	if e.Value = round(e.Value); math.IsInf(e.Value, 0) {
		return n
	}
	p.put(e, i, n+m)
	if amount < 0 || isMoney(e.Unit) && p.money(i-1) != "" {
		v := &p.Values[len(p.Values)-1]
		v.Start, v.Left = p.Tokens[i-1].Start, min(v.Left, i-1)
	}
	return n + m
}

// labelled reports that a number after a word such as tier or issue names one
// of many rather than saying how many.
func (p *Parser) labelled(i int) bool {
	return !p.Tokens[i].Glued && !strings.HasPrefix(p.Lower[p.Tokens[i].End:], "%") && !p.Is(i-1, "level")
}

// countable reports whether a number without a unit says a quantity: not an
// ordinal, an item of a list, or one of two parts of something else.
func (p *Parser) countable(i, n int) bool {
	next := i + n
	if next < len(p.Tokens) && p.Tokens[next].Glued {
		switch t := &p.Tokens[next]; {
		case t.Kind == Word, t.Kind == Digits:
			return false // 1st, 5foo
		case t.Lower == "/" && next+1 < len(p.Tokens) && p.Tokens[next+1].Glued:
			return p.Tokens[next+1].Kind == Word && !p.Tokens[i].Glued
		case t.Lower == ":" && next+1 < len(p.Tokens) && p.Tokens[next+1].Glued && p.Tokens[next+1].Kind == Digits:
			return false
		case t.Lower == ")" && !p.Is(i-1, ":", "=", "is") && i < 2, t.Lower == "." && i == 0:
			return false // 1) and 1. begin items
		}
	}
	if p.Tokens[i].Kind == Word && p.Tokens[i].Lower == "one" {
		return false
	}
	return true
}

// amount reads a number in digits or words at i, with its scale, and the
// tokens it takes.
func (p *Parser) amount(i int) (amount float64, n int) {
	t := &p.Tokens[i]
	if t.Kind != Digits {
		return p.written(i)
	}
	s := t.Text
	if strings.IndexByte(s, ',') >= 0 || strings.IndexByte(s, '_') >= 0 {
		s = strings.NewReplacer(",", "", "_", "").Replace(s)
	}
	amount, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, 0
	}
	n = 1
	if i+1 < len(p.Tokens) {
		next := &p.Tokens[i+1]
		if scale := scaleWord(next.Lower); scale > 0 && !next.Glued {
			return amount * scale, 2
		}
		if scale := scaleLetter(next.Text); scale > 0 && next.Glued {
			return amount * scale, 2
		}
	}
	if p.Is(i-1, "-") && p.Tokens[i].Glued && (i < 2 || !p.Tokens[i-1].Glued || p.Is(i-2, "=", ":", "(")) {
		amount = -amount
	}
	return amount, n
}
