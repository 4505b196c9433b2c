package claim

import (
	"strconv"
	"strings"

	"engram/detect/entity"
	"engram/detect/lexicon"
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
func (p *reader) moreValues(r *Reading, first []int) {
	for i := range p.Tokens {
		t := &p.Tokens[i]
		switch {
		case t.Mention == entity.URL:
			if port := portOf(t.Text); port > 0 {
				p.addValue(r, first, i, entity.Entity{Type: entity.Port, Value: port})
			}
		case p.oneOfNoun(i):
			p.addValue(r, first, i, entity.Entity{Type: entity.Number, Value: 1, Unit: "count", Name: lexicon.Singular(p.Tokens[i+1].Lower)})
		case p.clock(i):
			p.addValue(r, first, i, entity.Entity{Type: entity.Date, Text: t.Text + ":" + p.Tokens[i+2].Text})
		case t.Kind == entity.Word && t.ValueIndex == 0 && numberedName(t.Lower) > 0:
			n := numberedName(t.Lower)
			p.addValue(r, first, i, entity.Entity{Type: entity.Release, Name: t.Lower[:n], Text: t.Lower[n:]})
		case t.Kind != entity.Digits && t.Kind != entity.Dotted || t.ValueIndex > 0 && !p.bare(t.ValueIndex-1):
		case strings.IndexByte(t.Text, '.') > 0:
			if name := p.versioned(i); name != "" {
				e := entity.Entity{Type: entity.Release, Name: name, Text: strings.TrimPrefix(t.Lower, "v")}
				if t.ValueIndex > 0 {
					e.Old = p.Values[t.ValueIndex-1].Old
				}
				p.addValue(r, first, i, e)
			}
		case p.portLike(i):
			port, _ := strconv.ParseFloat(t.Text, 64)
			p.addValue(r, first, i, entity.Entity{Type: entity.Port, Value: port})
		}
	}
}

// bare reports whether value k is a number without a unit.
func (p *reader) bare(k int) bool {
	return p.Values[k].Type == entity.Number && p.Values[k].Unit == "count" || p.Values[k].Type == ""
}

// timesOnly reports a number of times that the extractor took for a name because
// it stands behind a participle: "retried 5 times".
func (p *reader) timesOnly(k int) bool {
	return p.Values[k].Type == "" && p.Is(p.Values[k].Last, "times")
}

// addValue makes token i a value, in place of the number that it may be.
func (p *reader) addValue(r *Reading, first []int, i int, e entity.Entity) {
	t := &p.Tokens[i]
	e.Start, e.End = t.Start, t.End
	s := Value{Entity: e, From: first[i], To: first[i+1]}
	s.Near, s.Far = s.From, s.To
	if k := t.ValueIndex - 1; k >= 0 {
		old := &r.Values[k]
		s.Near, s.Far, s.Conditions, s.Clause = old.Near, old.Far, old.Conditions, old.Clause
		*old = s
		return
	}
	for s.Clause+1 < len(r.Clauses) && r.Clauses[s.Clause].To <= s.From {
		s.Clause++
	}
	c := &r.Clauses[s.Clause]
	s.Near, s.Far, s.Conditions = c.From, c.To, c.Conditions
	r.Values = append(r.Values, s)
	if t.Mention != entity.URL {
		r.Terms[s.From].ValueIndex, r.Terms[s.From].Weight = int16(len(r.Values)), 0
	}
	c.Features |= HasValue
}

// versioned returns the name right before the number at i, if a version may
// follow it.
func (p *reader) versioned(i int) string {
	if i+1 < len(p.Tokens) && (p.HasUnit(i+1) || p.NounFollows(i)) {
		return ""
	}
	j := i - 1
	for j >= 0 && (p.Is(j, `"`, "'", "=", "==", "@", "version", "release", "to", "v") || p.Tokens[j].ValueIndex > 0 && p.Values[p.Tokens[j].ValueIndex-1].Old || p.Is(j, "from") && p.Changed(j)) {
		j--
	}
	if j < 0 || p.Tokens[j].Kind != entity.Word || p.Tokens[j].Class&^lexicon.Change != 0 {
		return ""
	}
	if p.Tokens[j].Class&lexicon.Change != 0 {
		return "version"
	}
	e := lexicon.LookUp(p.Tokens[j].Lower)
	if e.Traits&(lexicon.Quantity|lexicon.Weak|lexicon.SingleValued) != 0 {
		return ""
	}
	return p.ProductName(j)
}

// clock reports a time of day of which token i is the hour.
func (p *reader) clock(i int) bool {
	return p.twoDigits(i) && p.Is(i+1, ":") && p.Tokens[i+1].Glued && p.twoDigits(i+2) && p.Tokens[i+2].Glued
}

func (p *reader) twoDigits(i int) bool {
	return i < len(p.Tokens) && len(p.Tokens[i].Text) == 2 && lexicon.IsDigit(p.Tokens[i].Text[0]) && lexicon.IsDigit(p.Tokens[i].Text[1])
}

// numberedName returns how many letters stand before at least four digits, if
// that is all a word is made of.
func numberedName(w string) int {
	n := 0
	for n < len(w) && w[n] >= 'a' && w[n] <= 'z' {
		n++
	}
	for i := n; i < len(w); i++ {
		if !lexicon.IsDigit(w[i]) {
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
	n, err := strconv.Atoi(p.Tokens[i].Text)
	if err != nil || n < 1024 || n > 65535 || n > 1900 && n < 2100 || p.HasUnit(i+1) || p.NounFollows(i) {
		return false
	}
	switch {
	case p.Is(i-1, "on", "binds", "bind", "-p", "off"):
		return true
	case p.Is(i-1, "to"):
		return p.Near(i-2, "binds", "bind", "bound", "listen", "listens", "port")
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

// oneOfNoun reports "one" at token i as a number of the noun behind it, right behind
// a verb: needs one approval; not one of them, one another, one or more.
func (p *reader) oneOfNoun(i int) bool {
	if !p.Is(i, "one") || p.Tokens[i].ValueIndex != 0 || !p.NounFollows(i) || i == 0 || lexicon.LookUp(p.Tokens[i+1].Lower).Traits&lexicon.Weak != 0 {
		return false
	}
	return p.Is(i-1, "need", "needs", "require", "requires", "takes", "allows", "gets")
}
