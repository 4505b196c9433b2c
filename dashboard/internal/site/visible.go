package site

import (
	"bytes"
	"fmt"
	"unicode"
)

// hides reports whether a character cannot be seen or makes a text read as another one: controls,
// marks of direction, and what has no width.
func hides(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return false
	case r == 0x200c || r == 0x200d: // joiners, which scripts and emoji need
		return false
	}
	return unicode.IsControl(r) || r == 0x00ad || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e ||
		r >= 0x2060 && r <= 0x2069 || r == 0xfeff || r >= 0xe0000 && r <= 0xe007f
}

// Visible shows hidden characters of a page by their numbers, wherever they stand: texts come from
// anybody who can write to the branch.
func Visible(page []byte) []byte {
	if bytes.IndexFunc(page, hides) < 0 {
		return page
	}
	var b bytes.Buffer
	for _, r := range string(page) {
		if hides(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.Bytes()
}
