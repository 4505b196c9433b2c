package entity

import (
	"strings"

	"engram/detect/lexicon"
)

// scanDigits adds what begins with a digit at i.
//
//  1. A date or time of day.
//  2. A version, when it has two dots or more, or ends in x; four numbers are
//     an address and stay a word.
//  3. A word, when letters and digits are mixed or zeros lead: 3f2a, 0x1f, 01777.
//  4. Otherwise a number, without the unit that may follow.
func (p *Parser) scanDigits(i int) int {
	if end := p.dateEnd(i); end > i {
		p.add(Dated, i, end)
		return end
	}
	end, dots := i, 0
	for end < len(p.Text) && (lexicon.IsDigit(p.Text[end]) || p.Text[end] == '.' && lexicon.IsDigit(p.At(end+1))) {
		if p.Text[end] == '.' {
			dots++
		}
		end++
	}
	switch {
	case dots == 3 && !lexicon.IsAlnum(p.At(end)) && p.At(end) != '-':
		p.add(Word, i, end)
		return end
	case dots >= 2:
		end = p.versionEnd(end)
		p.add(Dotted, i, end)
		return end
	case p.At(end) == '.' && p.At(end+1) == 'x' && !lexicon.IsAlnum(p.At(end+2)):
		p.add(Dotted, i, end+2)
		return end + 2
	case p.mixed(i, end) || p.At(i) == '0' && end-i > 1 && p.At(i+1) != '.':
		end = p.versionEnd(end)
		p.add(Word, i, end)
		return end
	case p.At(end) == ':' && end-i <= 2 && lexicon.IsDigit(p.At(end+1)) && lexicon.IsDigit(p.At(end+2)):
		p.add(Word, i, end+3)
		return end + 3
	}
	end = p.groups(i, end)
	p.add(Digits, i, end)
	return end
}

// groups extends a number by its groups of thousands: 1,000,000 or 1_000.
func (p *Parser) groups(i, end int) int {
	if end-i > 3 || strings.IndexByte(p.Text[i:end], '.') >= 0 {
		return end
	}
	sep := p.At(end)
	for (sep == ',' || sep == '_') && p.At(end) == sep && lexicon.IsDigit(p.At(end+1)) && lexicon.IsDigit(p.At(end+2)) &&
		lexicon.IsDigit(p.At(end+3)) && !lexicon.IsDigit(p.At(end+4)) {
		end += 4
	}
	if p.At(end) == '.' && lexicon.IsDigit(p.At(end+1)) {
		for end++; lexicon.IsDigit(p.At(end)); end++ {
		}
	}
	return end
}

// mixed reports letters between digits, which durations such as 1h30m have too.
func (p *Parser) mixed(i, end int) bool {
	duration := true
	for j := end; j < end+maxKey && lexicon.IsAlnum(p.At(j)); j++ {
		c := p.At(j)
		if lexicon.IsDigit(c) {
			if !duration {
				return true
			}
			continue
		}
		duration = duration && (c == 'h' || c == 'm' || c == 's')
	}
	return p.At(i) == '0' && p.At(i+1) == 'x'
}

// versionEnd extends a version by its pre-release and build parts.
func (p *Parser) versionEnd(end int) int {
	for end < len(p.Text) && (lexicon.IsAlnum(p.Text[end]) || strings.IndexByte(".-+", p.Text[end]) >= 0 && lexicon.IsAlnum(p.At(end+1))) {
		end++
	}
	return end
}

// dateEnd returns the end of a date in the order of ISO 8601 at i, with the
// time of day if one follows, or i.
func (p *Parser) dateEnd(i int) int {
	number := func(j, n int) bool {
		for k := range n {
			if !lexicon.IsDigit(p.At(j + k)) {
				return false
			}
		}
		return !lexicon.IsDigit(p.At(j + n))
	}
	year := p.At(i) == '1' && p.At(i+1) == '9' || p.At(i) == '2' && p.At(i+1) == '0'
	sep := p.At(i + 4)
	if !year || !number(i, 4) || sep != '-' && sep != '/' && sep != '.' || !number(i+5, 2) || p.Lower[i+5:i+7] > "12" {
		return i
	}
	if p.At(i+7) == sep && number(i+8, 2) {
		end := i + 10
		if p.At(end) == 'T' && lexicon.IsDigit(p.At(end+1)) {
			for end < len(p.Text) && (lexicon.IsDigit(p.Text[end]) || strings.IndexByte("TZ:.+-", p.Text[end]) >= 0 && lexicon.IsAlnum(p.At(end+1)) || p.Text[end] == 'Z') {
				end++
			}
		}
		return end
	}
	if sep == '-' && !lexicon.IsAlnum(p.At(i+7)) && p.At(i+7) != '-' {
		return i + 7
	}
	return i
}

// isVersion reports the shape of v1, v1.29.3, v2beta1 and v0.2.1-rc.1+meta.
func isVersion(s string) bool {
	if len(s) < 2 || s[0] != 'v' || !lexicon.IsDigit(s[1]) || strings.IndexByte(s, '/') >= 0 {
		return false
	}
	for i := 1; i < len(s); i++ {
		switch {
		case lexicon.IsDigit(s[i]):
		case s[i] == '.':
			if !lexicon.IsDigit(s[i+1]) {
				return s[i+1:] == "x"
			}
		default:
			rest := s[i:]
			return rest[0] == '-' || rest[0] == '+' || strings.HasPrefix(rest, "alpha") || strings.HasPrefix(rest, "beta") || strings.HasPrefix(rest, "rc")
		}
	}
	return true
}
