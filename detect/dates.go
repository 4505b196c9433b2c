package detect

import "strings"

// date finds a date at i: 2024-06-01, 2024-06, Q1 2025, June 2024, 1 June 2024,
// June 1, 2024, "in 2024".
func (p *parser) date(i int) int {
	t := &p.toks[i]
	switch {
	case t.kind == dated:
		s := t.text
		if len(s) >= 10 {
			s = s[:4] + "-" + s[5:7] + "-" + s[8:10]
		}
		return p.put(Entity{Type: Date, Text: s}, i, 1)
	case t.kind == word && len(t.low) == 2 && t.low[0] == 'q' && t.low[1] >= '1' && t.low[1] <= '4':
		if p.isYear(i + 1) {
			return p.put(Entity{Type: Date, Text: p.toks[i+1].text + "-Q" + t.low[1:]}, i, 2)
		}
		if p.has(i-1, prep) {
			return p.put(Entity{Type: Date, Text: "Q" + t.low[1:]}, i, 1)
		}
	case p.isYear(i) && p.is(i+1, "q1", "q2", "q3", "q4"):
		return p.put(Entity{Type: Date, Text: t.text + "-Q" + p.toks[i+1].low[1:]}, i, 2)
	case p.isYear(i) && p.is(i-1, "in", "since", "by", "until", "before", "after", "during", "early", "late", "mid") &&
		(i+1 == len(p.toks) || p.toks[i+1].kind == symbol || p.toks[i+1].class&(prep|conj|starts|be) != 0):
		return p.put(Entity{Type: Date, Text: t.text}, i, 1)
	case t.kind == digits && p.month(i+1) != "" && p.day(i) != "" && !p.toks[i+1].glued:
		if p.isYear(i + 2) {
			return p.put(Entity{Type: Date, Text: p.toks[i+2].text + "-" + p.month(i+1) + "-" + p.day(i)}, i, 3)
		}
	case p.month(i) != "":
		return p.monthFirst(i)
	}
	return 0
}

// monthFirst finds June 2024, June 1, 2024 and June 1 2024.
func (p *parser) monthFirst(i int) int {
	if p.isYear(i + 1) {
		return p.put(Entity{Type: Date, Text: p.toks[i+1].text + "-" + p.month(i)}, i, 2)
	}
	if i+1 < len(p.toks) && p.day(i+1) != "" {
		j := i + 2
		if p.is(j, ",") {
			j++
		}
		if p.isYear(j) {
			return p.put(Entity{Type: Date, Text: p.toks[j].text + "-" + p.month(i) + "-" + p.day(i+1)}, i, j-i+1)
		}
	}
	return 0
}

// isYear reports a number from 1900 to 2099.
func (p *parser) isYear(i int) bool {
	if i < 0 || i >= len(p.toks) || p.toks[i].kind != digits {
		return false
	}
	s := p.toks[i].text
	return len(s) == 4 && (s[:2] == "19" || s[:2] == "20") && strings.IndexByte(s, '.') < 0
}

// day returns the two digits of a day of the month.
func (p *parser) day(i int) string {
	if i < 0 || i >= len(p.toks) || p.toks[i].kind != digits {
		return ""
	}
	switch s := p.toks[i].text; {
	case len(s) == 1 && s != "0":
		return "0" + s
	case len(s) == 2 && s[0] > '0' && s <= "31":
		return s
	}
	return ""
}

// month returns the two digits of a month that is written with a capital.
func (p *parser) month(i int) string {
	if i < 0 || i >= len(p.toks) {
		return ""
	}
	t := &p.toks[i]
	if t.kind != word || len(t.text) < 3 || t.text[0] < 'A' || t.text[0] > 'Z' {
		return ""
	}
	const months = "january february march april may june july august september october november december sept "
	at := strings.Index(months, t.low)
	if at < 0 || at > 0 && months[at-1] != ' ' || len(t.low) != 3 && months[at+len(t.low)] != ' ' {
		return ""
	}
	n := strings.Count(months[:at], " ") + 1
	if n == 13 {
		n = 9
	}
	return string([]byte{'0' + byte(n/10), '0' + byte(n%10)})
}
