package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Find returns the first hidden character of s and how many characters are before it. A
// character that a script or an emoji needs is not counted as hidden:
//
//  1. one variation selector for emoji behind a symbol, or behind a digit of a keycap;
//  2. a joiner between two symbols of one emoji;
//  3. a joiner or non-joiner behind a letter of a script whose letters join.
func Find(s string) (r rune, before int, found bool) {
	for i, c := range s {
		if suspect(s, i, c) {
			return c, utf8.RuneCountInString(s[:i]), true
		}
	}
	return 0, 0, false
}

// Show writes the characters that Find finds as <U+200B>, each in its place.
func Show(s string) string {
	if _, _, found := Find(s); !found {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if suspect(s, i, r) {
			fmt.Fprintf(&b, "<%U>", r)
		} else {
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// ShowJSON is Show for encoded JSON, which stays JSON: escapes of control characters are
// visible as they are.
func ShowJSON(encoded []byte) []byte {
	for _, c := range encoded {
		if c >= 0x7f {
			return []byte(Show(string(encoded)))
		}
	}
	return encoded
}

const (
	textSelector, emojiSelector = 0xfe0e, 0xfe0f
	nonJoiner, joiner           = 0x200c, 0x200d
)

// suspect reports whether s has a hidden character at i that neither a script nor an
// emoji needs.
func suspect(s string, i int, r rune) bool {
	if !hidden(r) {
		return false
	}
	if r != textSelector && r != emojiSelector && r != nonJoiner && r != joiner {
		return true
	}
	before, size := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
	switch r {
	case textSelector, emojiSelector: // 1
		keycap := strings.ContainsRune("0123456789#*", before) && after == 0x20e3
		return !keycap && !(before > unicode.MaxLatin1 && isSymbol(before)) && before != '©' && before != '®'
	case joiner:
		if before == emojiSelector {
			before, _ = utf8.DecodeLastRuneInString(s[:i-size])
		}
		if isSymbol(before) && isSymbol(after) { // 2
			return false
		}
	}
	return !unicode.In(before, joining...) // 3
}

func isSymbol(r rune) bool {
	return r > unicode.MaxLatin1 && (unicode.In(r, unicode.So, unicode.Sk, unicode.Sm) || r == 0x203c || r == 0x2049 || r == 0x3030)
}

// joining are the scripts in whose words joiners and non-joiners are letters' neighbours.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
	unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}
