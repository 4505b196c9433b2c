package terms

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold lower-cases s and writes accented letters without their accents, so that
// either spelling finds the other.
func fold(s string) string {
	s = strings.ToLower(s)
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= 0x300 && r <= 0x36f: // an accent of its own
		case r == 'ß':
			b.WriteString("ss")
		case r == 'æ':
			b.WriteString("ae")
		case r == 'œ':
			b.WriteString("oe")
		case r == 'þ':
			b.WriteString("th")
		default:
			b.WriteRune(withoutAccent(r))
		}
	}
	return b.String()
}

// The letters with a stroke that Unicode does not take for an accent, although people
// omit it as well, and what they write instead.
const (
	strokeLetters = "ðđøħıłŧ"
	plainLetters  = "ddohilt"
)

// lastCyrillic ends the Cyrillic letters of today's alphabets with a block of their own.
const lastCyrillic = 0x45f

// withoutAccent is the letter that Unicode composes an accented Latin or Cyrillic
// letter of (its canonical decomposition).
func withoutAccent(r rune) rune {
	if at := slices.Index([]rune(strokeLetters), r); at >= 0 {
		return rune(plainLetters[at])
	}
	if !unicode.Is(unicode.Latin, r) && (!unicode.Is(unicode.Cyrillic, r) || r > lastCyrillic) {
		return r
	}
	if parts := norm.NFD.PropertiesString(string(r)).Decomposition(); parts != nil {
		r, _ = utf8.DecodeRune(parts)
	}
	return r
}
