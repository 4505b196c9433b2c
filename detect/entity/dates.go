package entity

import (
	"strings"

	"engram/detect/lexicon"
)

// date finds a date at i: 2024-06-01, 2024-06, Q1 2025, June 2024, 1 June 2024,
// June 1, 2024, "in 2024".
func (p *Parser) date(i int) int {
	t := &p.Tokens[i]
	switch {
	case t.Kind == Dated:
		s := t.Text
		if len(s) >= 10 {
			s = s[:4] + "-" + s[5:7] + "-" + s[8:10]
		}
		return p.put(Entity{Type: Date, Text: s}, i, 1)
	case t.Kind == Word && len(t.Lower) == 2 && t.Lower[0] == 'q' && t.Lower[1] >= '1' && t.Lower[1] <= '4':
		if p.isYear(i + 1) {
			return p.put(Entity{Type: Date, Text: p.Tokens[i+1].Text + "-Q" + t.Lower[1:]}, i, 2)
		}
		if p.Has(i-1, lexicon.Prep) {
			return p.put(Entity{Type: Date, Text: "Q" + t.Lower[1:]}, i, 1)
		}
	case p.isYear(i) && p.Is(i+1, "q1", "q2", "q3", "q4"):
		return p.put(Entity{Type: Date, Text: t.Text + "-Q" + p.Tokens[i+1].Lower[1:]}, i, 2)
	case p.isYear(i) && p.Is(i-1, "in", "since", "by", "until", "before", "after", "during", "early", "late", "mid") &&
		(i+1 == len(p.Tokens) || p.Tokens[i+1].Kind == Symbol || p.Tokens[i+1].Class&(lexicon.Prep|lexicon.Conj|lexicon.ClauseStart|lexicon.Copula) != 0):
		return p.put(Entity{Type: Date, Text: t.Text}, i, 1)
	case t.Kind == Digits && p.month(i+1) != "" && p.day(i) != "" && !p.Tokens[i+1].Glued:
		if p.isYear(i + 2) {
			return p.put(Entity{Type: Date, Text: p.Tokens[i+2].Text + "-" + p.month(i+1) + "-" + p.day(i)}, i, 3)
		}
	case p.month(i) != "":
		return p.monthFirst(i)
	}
	return 0
}

// monthFirst finds June 2024, June 1, 2024 and June 1 2024.
func (p *Parser) monthFirst(i int) int {
	if p.isYear(i + 1) {
		return p.put(Entity{Type: Date, Text: p.Tokens[i+1].Text + "-" + p.month(i)}, i, 2)
	}
	if i+1 < len(p.Tokens) && p.day(i+1) != "" {
		j := i + 2
		if p.Is(j, ",") {
			j++
		}
		if p.isYear(j) {
			return p.put(Entity{Type: Date, Text: p.Tokens[j].Text + "-" + p.month(i) + "-" + p.day(i+1)}, i, j-i+1)
		}
	}
	return 0
}

// isYear reports a number from 1900 to 2099.
func (p *Parser) isYear(i int) bool {
	if i < 0 || i >= len(p.Tokens) || p.Tokens[i].Kind != Digits {
		return false
	}
	s := p.Tokens[i].Text
	return len(s) == 4 && (s[:2] == "19" || s[:2] == "20") && strings.IndexByte(s, '.') < 0
}

// day returns the two digits of a day of the month.
func (p *Parser) day(i int) string {
	if i < 0 || i >= len(p.Tokens) || p.Tokens[i].Kind != Digits {
		return ""
	}
	switch s := p.Tokens[i].Text; {
	case len(s) == 1 && s != "0":
		return "0" + s
	case len(s) == 2 && s[0] > '0' && s <= "31":
		return s
	}
	return ""
}

// month returns the two digits of a month that is written with a capital.
func (p *Parser) month(i int) string {
	if i < 0 || i >= len(p.Tokens) {
		return ""
	}
	t := &p.Tokens[i]
	if t.Kind != Word || len(t.Text) < 3 || t.Text[0] < 'A' || t.Text[0] > 'Z' {
		return ""
	}
	const months = "january february march april may june july august september october november december sept "
	at := strings.Index(months, t.Lower)
	if at < 0 || at > 0 && months[at-1] != ' ' || len(t.Lower) != 3 && months[at+len(t.Lower)] != ' ' {
		return ""
	}
	n := strings.Count(months[:at], " ") + 1
	if n == 13 {
		n = 9
	}
	return string([]byte{'0' + byte(n/10), '0' + byte(n%10)})
}
