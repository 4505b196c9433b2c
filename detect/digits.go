package detect

import "strings"

// scanDigits adds what begins with a digit at i.
//
//  1. A date or time of day.
//  2. A version, when it has two dots or more, or ends in x; four numbers are
//     an address and stay a word.
//  3. A word, when letters and digits are mixed or zeros lead: 3f2a, 0x1f, 01777.
//  4. Otherwise a number, without the unit that may follow.
func (p *parser) scanDigits(i int) int {
	if end := p.dateEnd(i); end > i {
		p.add(dated, i, end)
		return end
	}
	end, dots := i, 0
	for end < len(p.text) && (isDigit(p.text[end]) || p.text[end] == '.' && isDigit(p.at(end+1))) {
		if p.text[end] == '.' {
			dots++
		}
		end++
	}
	switch {
	case dots == 3 && !isAlnum(p.at(end)) && p.at(end) != '-':
		p.add(word, i, end)
		return end
	case dots >= 2:
		end = p.versionEnd(end)
		p.add(dotted, i, end)
		return end
	case p.at(end) == '.' && p.at(end+1) == 'x' && !isAlnum(p.at(end+2)):
		p.add(dotted, i, end+2)
		return end + 2
	case p.mixed(i, end) || p.at(i) == '0' && end-i > 1 && p.at(i+1) != '.':
		end = p.versionEnd(end)
		p.add(word, i, end)
		return end
	case p.at(end) == ':' && end-i <= 2 && isDigit(p.at(end+1)) && isDigit(p.at(end+2)):
		p.add(word, i, end+3)
		return end + 3
	}
	end = p.groups(i, end)
	p.add(digits, i, end)
	return end
}

// groups extends a number by its groups of thousands: 1,000,000 or 1_000.
func (p *parser) groups(i, end int) int {
	if end-i > 3 || strings.IndexByte(p.text[i:end], '.') >= 0 {
		return end
	}
	sep := p.at(end)
	for (sep == ',' || sep == '_') && p.at(end) == sep && isDigit(p.at(end+1)) && isDigit(p.at(end+2)) &&
		isDigit(p.at(end+3)) && !isDigit(p.at(end+4)) {
		end += 4
	}
	if p.at(end) == '.' && isDigit(p.at(end+1)) {
		for end++; isDigit(p.at(end)); end++ {
		}
	}
	return end
}

// mixed reports letters between digits, which durations such as 1h30m have too.
func (p *parser) mixed(i, end int) bool {
	duration := true
	for j := end; j < end+maxKey && isAlnum(p.at(j)); j++ {
		c := p.at(j)
		if isDigit(c) {
			if !duration {
				return true
			}
			continue
		}
		duration = duration && (c == 'h' || c == 'm' || c == 's')
	}
	return p.at(i) == '0' && p.at(i+1) == 'x'
}

// versionEnd extends a version by its pre-release and build parts.
func (p *parser) versionEnd(end int) int {
	for end < len(p.text) && (isAlnum(p.text[end]) || strings.IndexByte(".-+", p.text[end]) >= 0 && isAlnum(p.at(end+1))) {
		end++
	}
	return end
}

// dateEnd returns the end of a date in the order of ISO 8601 at i, with the
// time of day if one follows, or i.
func (p *parser) dateEnd(i int) int {
	number := func(j, n int) bool {
		for k := range n {
			if !isDigit(p.at(j + k)) {
				return false
			}
		}
		return !isDigit(p.at(j + n))
	}
	year := p.at(i) == '1' && p.at(i+1) == '9' || p.at(i) == '2' && p.at(i+1) == '0'
	sep := p.at(i + 4)
	if !year || !number(i, 4) || sep != '-' && sep != '/' && sep != '.' || !number(i+5, 2) || p.low[i+5:i+7] > "12" {
		return i
	}
	if p.at(i+7) == sep && number(i+8, 2) {
		end := i + 10
		if p.at(end) == 'T' && isDigit(p.at(end+1)) {
			for end < len(p.text) && (isDigit(p.text[end]) || strings.IndexByte("TZ:.+-", p.text[end]) >= 0 && isAlnum(p.at(end+1)) || p.text[end] == 'Z') {
				end++
			}
		}
		return end
	}
	if sep == '-' && !isAlnum(p.at(i+7)) && p.at(i+7) != '-' {
		return i + 7
	}
	return i
}

// isVersion reports the shape of v1, v1.29.3, v2beta1 and v0.2.1-rc.1+meta.
func isVersion(s string) bool {
	if len(s) < 2 || s[0] != 'v' || !isDigit(s[1]) || strings.IndexByte(s, '/') >= 0 {
		return false
	}
	for i := 1; i < len(s); i++ {
		switch {
		case isDigit(s[i]):
		case s[i] == '.':
			if !isDigit(s[i+1]) {
				return s[i+1:] == "x"
			}
		default:
			rest := s[i:]
			return rest[0] == '-' || rest[0] == '+' || strings.HasPrefix(rest, "alpha") || strings.HasPrefix(rest, "beta") || strings.HasPrefix(rest, "rc")
		}
	}
	return true
}
