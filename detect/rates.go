package detect

import "strconv"

// slashRate reads k/s, req/s, requests/minute, MB/s, or a slash token with time.
func (p *parser) slashRate(j int, left, right string, e *Entity) int {
	t, n := &p.toks[j], 1
	if t.low == "/" {
		if j+1 >= len(p.toks) || !p.toks[j+1].glued {
			return 0
		}
		right, n = p.toks[j+1].low, 2
	}
	per, base := unitOf(right, right, true)
	if base != "s" {
		return 0
	}
	scale, unit := 1.0, "req"
	if left != "" {
		if s := scaleLetter(t.text[:len(left)]); s > 0 && t.glued {
			scale = s
		} else if s, u := unitOf(t.text[:len(left)], left, true); u == "B" || u == "bit" || isMoney(u) {
			scale, unit = s, u
		} else {
			unit = countNoun(left)
		}
	}
	e.Value, e.Unit = e.Value*scale/per, unit+"/s"
	return n
}

// perTime reads "per second" or "/ s" at j: the tokens and the seconds.
func (p *parser) perTime(j int) (int, float64) {
	if j+1 >= len(p.toks) || !p.is(j, "per", "/", "a", "an", "every", "each") {
		return 0, 0
	}
	if p.is(j, "a", "an", "every", "each") && !p.is(j+1, "second", "minute", "hour", "day") {
		return 0, 0
	}
	scale, unit := unitOf(p.toks[j+1].text, p.toks[j+1].low, true)
	if unit != "s" {
		return 0, 0
	}
	return 2, scale
}

// compound adds the following parts of a duration such as 1h30m.
func (p *parser) compound(j int, e *Entity) int {
	n := 0
	for j+1 < len(p.toks) && p.toks[j].kind == digits && p.toks[j].glued && p.toks[j+1].glued {
		scale, unit := unitOf(p.toks[j+1].text, p.toks[j+1].low, true)
		v, err := strconv.ParseFloat(p.toks[j].text, 64)
		if unit != "s" || err != nil {
			break
		}
		e.Value += v * scale
		j, n = j+2, n+2
	}
	return n
}

// near reports whether one of the words stands within three tokens of j.
func (p *parser) near(j int, words ...string) bool {
	for k := j - 6; k <= j+3; k++ {
		if p.is(k, words...) {
			return true
		}
	}
	return false
}

// countNoun gives what a rate counts; requests, queries and calls are one.
func countNoun(w string) string {
	switch w = singular(w); w {
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
func (p *parser) money(i int) string {
	switch {
	case p.is(i, "$"):
		return "USD"
	case p.is(i, "€"):
		return "EUR"
	case p.is(i, "£"):
		return "GBP"
	}
	return ""
}
