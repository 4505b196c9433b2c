package detect

import (
	"strconv"
	"strings"
)

// moreValues finds values that are good enough to compare in a claim that is
// otherwise much like another, but too uncertain to be keys.
//
//  1. Versions of what is named right before them: axum 0.6, sqlx = "0.7.3".
//  2. Names that end in a year or a longer number: ES2017.
//  3. Ports without the word: serves HTTP on 8080, binds 9191, -p 9009.
//  4. Times of day: 02:00.
//  5. Ports in URLs: http://127.0.0.1:8001/.
//  6. The word one as a number: needs one approval.
func (p *reader) moreValues(r *reading, first []int) {
	for i := range p.toks {
		t := &p.toks[i]
		switch {
		case t.mention == URL:
			if port := portOf(t.text); port > 0 {
				p.addValue(r, first, i, Entity{Type: Port, Value: port})
			}
		case p.oneOfNoun(i):
			p.addValue(r, first, i, Entity{Type: Number, Value: 1, Unit: "count", Name: singular(p.toks[i+1].low)})
		case p.clock(i):
			p.addValue(r, first, i, Entity{Type: Date, Text: t.text + ":" + p.toks[i+2].text})
		case t.kind == word && t.value == 0 && numberedName(t.low) > 0:
			n := numberedName(t.low)
			p.addValue(r, first, i, Entity{Type: Release, Name: t.low[:n], Text: t.low[n:]})
		case t.kind != digits && t.kind != dotted || t.value > 0 && !p.bare(t.value-1):
		case strings.IndexByte(t.text, '.') > 0:
			if name := p.versioned(i); name != "" {
				e := Entity{Type: Release, Name: name, Text: strings.TrimPrefix(t.low, "v")}
				if t.value > 0 {
					e.Old = p.vals[t.value-1].Old
				}
				p.addValue(r, first, i, e)
			}
		case p.portLike(i):
			port, _ := strconv.ParseFloat(t.text, 64)
			p.addValue(r, first, i, Entity{Type: Port, Value: port})
		}
	}
}

// bare reports whether value k is a number without a unit.
func (p *reader) bare(k int) bool {
	return p.vals[k].Type == Number && p.vals[k].Unit == "count" || p.vals[k].Type == ""
}

// timesOnly reports a number of times that the extractor took for a name because
// it stands behind a participle: "retried 5 times".
func (p *reader) timesOnly(k int) bool { return p.vals[k].Type == "" && p.is(p.vals[k].last, "times") }

// addValue makes token i a value, in place of the number that it may be.
func (p *reader) addValue(r *reading, first []int, i int, e Entity) {
	t := &p.toks[i]
	e.Start, e.End = t.start, t.end
	s := stated{Entity: e, from: first[i], to: first[i+1]}
	s.near, s.far = s.from, s.to
	if k := t.value - 1; k >= 0 {
		old := &r.values[k]
		s.near, s.far, s.conditions, s.clause = old.near, old.far, old.conditions, old.clause
		*old = s
		return
	}
	for s.clause+1 < len(r.clauses) && r.clauses[s.clause].to <= s.from {
		s.clause++
	}
	c := &r.clauses[s.clause]
	s.near, s.far, s.conditions = c.from, c.to, c.conditions
	r.values = append(r.values, s)
	if t.mention != URL {
		r.terms[s.from].value, r.terms[s.from].weight = int16(len(r.values)), 0
	}
	c.signs |= hasValue
}

// versioned returns the name right before the number at i, if a version may
// follow it.
func (p *reader) versioned(i int) string {
	if i+1 < len(p.toks) && (p.hasUnit(i+1) || p.nounFollows(i)) {
		return ""
	}
	j := i - 1
	for j >= 0 && (p.is(j, `"`, "'", "=", "==", "@", "version", "release", "to", "v") || p.toks[j].value > 0 && p.vals[p.toks[j].value-1].Old || p.is(j, "from") && p.changed(j)) {
		j--
	}
	if j < 0 || p.toks[j].kind != word || p.toks[j].class&^change != 0 {
		return ""
	}
	if p.toks[j].class&change != 0 {
		return "version"
	}
	e := lookUp(p.toks[j].low)
	if e.traits&(quantity|weak|single) != 0 {
		return ""
	}
	return p.productName(j)
}

// clock reports a time of day of which token i is the hour.
func (p *reader) clock(i int) bool {
	return p.twoDigits(i) && p.is(i+1, ":") && p.toks[i+1].glued && p.twoDigits(i+2) && p.toks[i+2].glued
}

func (p *reader) twoDigits(i int) bool {
	return i < len(p.toks) && len(p.toks[i].text) == 2 && isDigit(p.toks[i].text[0]) && isDigit(p.toks[i].text[1])
}

// numberedName returns how many letters stand before at least four digits, if
// that is all a word is made of.
func numberedName(w string) int {
	n := 0
	for n < len(w) && w[n] >= 'a' && w[n] <= 'z' {
		n++
	}
	for i := n; i < len(w); i++ {
		if !isDigit(w[i]) {
			return 0
		}
	}
	if n < 2 || len(w)-n < 4 {
		return 0
	}
	return n
}

// portLike reports a number that is most likely a port by its size and the word
// before it.
func (p *reader) portLike(i int) bool {
	n, err := strconv.Atoi(p.toks[i].text)
	if err != nil || n < 1024 || n > 65535 || n > 1900 && n < 2100 || p.hasUnit(i+1) || p.nounFollows(i) {
		return false
	}
	switch {
	case p.is(i-1, "on", "binds", "bind", "-p", "off"):
		return true
	case p.is(i-1, "to"):
		return p.near(i-2, "binds", "bind", "bound", "listen", "listens", "port")
	}
	return false
}

// portOf returns the port of a URL, or zero.
func portOf(url string) float64 {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	_, port, _ := strings.Cut(host, ":")
	n, err := strconv.Atoi(port)
	if err != nil || n < 1 || n > 65535 {
		return 0
	}
	return float64(n)
}
