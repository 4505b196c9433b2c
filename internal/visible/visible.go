// Package visible knows which characters of a text nobody sees, and removes them, finds
// them or shows them. It is pure.
package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// hidden reports whether nobody sees a character: control characters, format characters
// (soft hyphen, zero-width characters, bidirectional controls, tags), variation selectors,
// and whatever else Unicode does not print or says to ignore. Blanks are not hidden.
func hidden(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' && r != '\n' && r != '\t' || r == 0x7f
	case r < 0xa0 || r >= 0xe0000 && r < 0xe1000:
		return true
	case r >= 0x4e00 && r < 0xa000 || r >= 0xac00 && r <= 0xd7a3: // Han and Hangul, for speed
		return false
	case !unicode.IsPrint(r):
		return !unicode.Is(unicode.Zs, r)
	}
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Text returns s, lines and tabs included, without hidden characters: the form in which a
// text of several lines is shown.
func Text(s string) string {
	return strings.Map(func(r rune) rune {
		if hidden(r) {
			return -1
		}
		return r
	}, s)
}

// Line returns s as one line without hidden characters and with single spaces: the form in
// which a text becomes part of a commit message.
func Line(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case hidden(r):
			return -1
		}
		return r
	}, s)), " ")
}

// Fold returns s as a reader may take it: without hidden characters and combining marks,
// with the plain letters in place of accented, full-width and styled ones, and with spaces
// in place of blanks beyond ASCII. at holds the offset in s of each byte of the folded text;
// it is nil if the two are equal.
func Fold(s string) (folded string, at []int) {
	first := 0
	for first < len(s) {
		if c := s[first]; c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			first++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[first:])
		if _, same := foldedRune(s, first, r); !same {
			break
		}
		first += size
	}
	if first == len(s) {
		return s, nil
	}
	var b strings.Builder
	b.Grow(len(s))
	at = make([]int, first, len(s))
	for i := range at {
		at[i] = i
	}
	b.WriteString(s[:first])
	for i := first; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		plain, same := foldedRune(s, i, r)
		if same {
			b.WriteString(s[i : i+size])
			for n := range size {
				at = append(at, i+n)
			}
		} else {
			b.WriteString(plain)
			for range len(plain) {
				at = append(at, i)
			}
		}
		i += size
	}
	return b.String(), at
}

// foldedRune is what becomes of the character r of a text; same means that it stays.
func foldedRune(s string, at int, r rune) (plain string, same bool) {
	switch {
	case r == '\r':
		return "", at+1 < len(s) && s[at+1] == '\n'
	case r < utf8.RuneSelf:
		return "", !hidden(r)
	case r == utf8.RuneError:
		return "", true
	case hidden(r):
		return "", false
	case unicode.Is(unicode.Zs, r):
		return " ", false
	case r >= 0x2e80 && r < 0xfe00:
		return "", true
	case unicode.In(r, unicode.Mn, unicode.Me):
		return "", false
	}
	for _, c := range norm.NFKD.PropertiesString(s[at:]).Decomposition() {
		if c >= utf8.RuneSelf {
			break
		}
		plain += string(rune(c))
	}
	plain = strings.TrimSpace(plain) // an accent that stands alone is a space with an accent
	return plain, plain == ""
}
