package entity

import (
	"strconv"

	"engram/detect/lexicon"
)

// slashRate reads k/s, req/s, requests/minute, MB/s, or a slash token with time.
func (p *Parser) slashRate(j int, left, right string, e *Entity) int {
	t, n := &p.Tokens[j], 1
	if t.Lower == "/" {
		if j+1 >= len(p.Tokens) || !p.Tokens[j+1].Glued {
			return 0
		}
		right, n = p.Tokens[j+1].Lower, 2
	}
	per, base := unitOf(right, right, true)
	if base != "s" {
		return 0
	}
	scale, unit := 1.0, "req"
	if left != "" {
		if s := scaleLetter(t.Text[:len(left)]); s > 0 && t.Glued {
			scale = s
		} else if s, u := unitOf(t.Text[:len(left)], left, true); u == "B" || u == "bit" || isMoney(u) {
			scale, unit = s, u
		} else {
			unit = countNoun(left)
		}
	}
	e.Value, e.Unit = e.Value*scale/per, unit+"/s"
	return n
}

// perTime reads "per second" or "/ s" at j: the tokens and the seconds.
func (p *Parser) perTime(j int) (int, float64) {
	if j+1 >= len(p.Tokens) || !p.Is(j, "per", "/", "a", "an", "every", "each") {
		return 0, 0
	}
	if p.Is(j, "a", "an", "every", "each") && !p.Is(j+1, "second", "minute", "hour", "day") {
		return 0, 0
	}
	scale, unit := unitOf(p.Tokens[j+1].Text, p.Tokens[j+1].Lower, true)
	if unit != "s" {
		return 0, 0
	}
	return 2, scale
}

// compound adds the following parts of a duration such as 1h30m.
func (p *Parser) compound(j int, e *Entity) int {
	n := 0
	for j+1 < len(p.Tokens) && p.Tokens[j].Kind == Digits && p.Tokens[j].Glued && p.Tokens[j+1].Glued {
		scale, unit := unitOf(p.Tokens[j+1].Text, p.Tokens[j+1].Lower, true)
		v, err := strconv.ParseFloat(p.Tokens[j].Text, 64)
		if unit != "s" || err != nil {
			break
		}
		e.Value += v * scale
		j, n = j+2, n+2
	}
	return n
}

// Near reports whether one of the words stands within three tokens of j.
func (p *Parser) Near(j int, words ...string) bool {
	for k := j - 6; k <= j+3; k++ {
		if p.Is(k, words...) {
			return true
		}
	}
	return false
}

// countNoun gives what a rate counts; requests, queries and calls are one.
func countNoun(w string) string {
	switch w = lexicon.Singular(w); w {
	case "r", "req", "request", "query", "call", "hit", "q":
		return "req"
	case "msg", "message":
		return "message"
	case "op", "operation":
		return "op"
	}
	return w
}

func isMoney(unit string) bool { return unit == "USD" || unit == "EUR" || unit == "GBP" }

// money returns the currency whose sign is token i.
func (p *Parser) money(i int) string {
	switch {
	case p.Is(i, "$"):
		return "USD"
	case p.Is(i, "€"):
		return "EUR"
	case p.Is(i, "£"):
		return "GBP"
	}
	return ""
}
