package clash

import (
	"fmt"
	"strings"

	"engram/detect/lexicon"
)

// mostQuoted is how much of a claim an explanation quotes, in bytes.
const mostQuoted = 60

// explain says what a clash is: "rate limit: 1000 req/s here, 2000 req/s there".
func (p *pair) explain(c candidate, swapped bool) string {
	here, there := p.a.quote(c.a), p.b.quote(c.b)
	if swapped {
		here, there = there, here
	}
	if c.family == Order {
		return fmt.Sprintf("the order of %s is turned around: %q here, %q there", p.slot(c), here, there)
	}
	return fmt.Sprintf("%s: %s here, %s there", p.slot(c), here, there)
}

// quote returns a place of a claim, shortened between words.
func (s side) quote(at span) string {
	place := s.place(at)
	text := strings.Trim(strings.Join(strings.Fields(s.Text[place.Start:place.End]), " "), " `\".,;:")
	if len(text) > mostQuoted {
		text = strings.ToValidUTF8(text[:mostQuoted], "")
		text = text[:max(strings.LastIndexByte(text, ' '), mostQuoted/2)] + "…"
	}
	if text = strings.ToValidUTF8(text, ""); text == "" {
		return "nothing"
	}
	return text
}

// mostNamed is how many words name a slot.
const mostNamed = 4

// slot names what the values are of: the words around the place that both claims have.
func (p *pair) slot(c candidate) string {
	if c.what != "" && c.family == Name {
		return c.what
	}
	var words []string
	for _, at := range [...]span{around(c.a), {0, len(p.a.Tokens)}} {
		for i := max(at.from, 0); i < min(at.to, len(p.a.Tokens)) && len(words) < mostNamed; i++ {
			t := &p.a.Tokens[i]
			if t.Weight < 0.3 || p.a.match[i] < nearMeaning || i >= c.a.from && i < c.a.to && c.a.to-c.a.from < 4 || t.Part&lexicon.Framing != 0 || contains(words, t.Lower) {
				continue
			}
			words = append(words, t.Text)
		}
		if len(words) > 0 {
			return strings.Join(words, " ")
		}
	}
	if c.what != "" {
		return c.what
	}
	return string(c.family)
}

func contains(words []string, lower string) bool {
	for _, w := range words {
		if strings.EqualFold(w, lower) {
			return true
		}
	}
	return false
}
