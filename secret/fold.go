package secret

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold returns the text without the characters that nobody sees and that texts
// made of it lose, such as a commit's subject: control characters except line
// breaks and tabs, format characters and all others that are ignored by default.
// Blanks beyond ASCII become spaces. at holds the offset in the text of each byte
// of the folded one; it is nil if the two are the same.
func fold(text string) (folded string, at []int) {
	first := 0
	for first < len(text) {
		if c := text[first]; c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			first++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[first:])
		if folds(text, first, r) {
			break
		}
		first += size
	}
	if first == len(text) {
		return text, nil
	}
	var b strings.Builder
	b.Grow(len(text))
	at = make([]int, first, len(text))
	for i := range at {
		at[i] = i
	}
	b.WriteString(text[:first])
	for i := first; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case !folds(text, i, r):
			b.WriteString(text[i : i+size])
			for n := range size {
				at = append(at, i+n)
			}
		case r != 0x85 && unicode.IsSpace(r) && r > unicode.MaxASCII:
			b.WriteByte(' ')
			at = append(at, i)
		}
		i += size
	}
	return b.String(), at
}

func folds(text string, at int, r rune) bool {
	switch {
	case r == '\r':
		return at+1 == len(text) || text[at+1] != '\n'
	case r < 0x7f:
		return r < ' ' && r != '\n' && r != '\t'
	case r < 0xa0 || r >= 0xe0000 && r < 0xe1000:
		return true
	case r >= 0x2100 && r < 0x2e80 || r > 0x3164 && r < 0xfe00:
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.White_Space)
}

// unfolded turns a span of the folded text into the one of the text itself.
func unfolded(text string, at []int, s span) span {
	end := at[s.end-1] + 1
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return span{at[s.start], end, s.rule}
}
