package entity

import (
	"math"
	"strings"
)

// written reads a number in words: a thousand, two hundred and fifty, twenty-five.
func (p *Parser) written(i int) (float64, int) {
	total, part, n := 0.0, 0.0, 0
	for j := i; j < len(p.Tokens) && j < i+8; j++ {
		w := p.Tokens[j].Lower
		if p.Tokens[j].Kind != Word || p.Tokens[j].Code {
			break
		}
		scale := scaleWord(w)
		v, ok := smallNumber(w)
		switch {
		case n == 0 && (w == "a" || w == "an") && j+1 < len(p.Tokens) && (scaleWord(p.Tokens[j+1].Lower) > 0 || p.Is(j+1, "dozen")):
			part = 1
		case n == 0 && w == "half" && p.Is(j+1, "a", "an"):
			return 0.5, 2
		case w == "dozen" && part < 20:
			part = 12 * max(part, 1)
		case ok && (n == 0 || fits(part, v)):
			part += v
		case scale == 100 && n > 0:
			part *= 100
		case scale > 0 && n > 0:
			total, part = total+max(part, 1)*scale, 0
		case w == "and" && n > 0 && part+total >= 100 && j+1 < len(p.Tokens) && isSmall(p.Tokens[j+1].Lower):
			continue
		default:
			return total + part, n
		}
		n = j - i + 1
	}
	return total + part, n
}

// fits reports whether v continues a number in words: two hundred + fifty.
func fits(part, v float64) bool {
	rest := math.Mod(part, 100)
	return rest == 0 || rest >= 20 && math.Mod(rest, 10) == 0 && v > 0 && v < 10
}

func isSmall(w string) bool {
	_, ok := smallNumber(w)
	return ok
}

// smallNumber returns the value of a number word below one hundred.
func smallNumber(w string) (float64, bool) {
	const names = " zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen "
	if len(w) < 3 || len(w) > 12 {
		return 0, false
	}
	tens, unit, joined := strings.Cut(w, "-")
	if v := tensOf(tens); v > 0 {
		if !joined {
			return v, true
		}
		u, ok := smallNumber(unit)
		return v + u, ok && u > 0 && u < 10
	}
	if w == "dozen" {
		return 12, true
	}
	if w[0] < 'e' || w[0] > 'z' || joined || strings.IndexByte("zotfsen", w[0]) < 0 {
		return 0, false
	}
	at := strings.Index(names, w)
	if at < 1 || names[at-1] != ' ' || names[at+len(w)] != ' ' {
		return 0, false
	}
	return float64(strings.Count(names[:at], " ") - 1), true
}

func tensOf(w string) float64 {
	switch w {
	case "twenty":
		return 20
	case "thirty":
		return 30
	case "forty":
		return 40
	case "fifty":
		return 50
	case "sixty":
		return 60
	case "seventy":
		return 70
	case "eighty":
		return 80
	case "ninety":
		return 90
	}
	return 0
}
