package evidence

import (
	"bytes"
	"strings"
)

// Original is what a pointer was made of: lines of a file, or all of it, known by
// their digest, by their bytes, or by both.
type Original struct {
	First, Last int // 0 of a whole file
	digest      string
	text        []byte
	known       bool // text is it
}

// Was is what stood at lines of a file (0 and 0 for all of it) when a pointer with a
// digest was made. before is the file as it was then, nil where that is not known. A
// digest that says something else than before does is believed: what was pointed at
// was not committed yet.
func Was(first, last int, digest string, before *Content) Original {
	o := Original{First: first, Last: last}
	if usable(digest) {
		o.digest = digest
	}
	if before == nil {
		return o
	}
	text := before.data
	if first > 0 {
		if text = before.part(first, last); text == nil {
			return o
		}
	}
	if o.digest == "" || Matches(o.digest, text) {
		o.text, o.known = text, true
	}
	return o
}

// WasText is the Original of which the bytes are given.
func WasText(first, last int, text []byte) Original {
	return Original{First: first, Last: last, text: text, known: true}
}

// Unknown reports whether nothing is left to compare with.
func (o Original) Unknown() bool { return !o.known && o.digest == "" }

// Text are its bytes, where they are known.
func (o Original) Text() (text []byte, known bool) { return o.text, o.known }

// is reports whether some bytes are the original, but for how lines end.
func (o Original) is(part []byte) bool {
	if o.known && bytes.Equal(o.text, part) {
		return true
	}
	if o.known {
		return IsText(part) && IsText(o.text) && bytes.Equal(uniform(o.text), uniform(part))
	}
	return Matches(o.digest, part)
}

// shortestDigest is how many hexadecimal digits tell a digest.
const shortestDigest = 8

// usable reports whether a digest is of a kind that is known here.
func usable(digest string) bool {
	hex, ok := strings.CutPrefix(digest, "sha256:")
	return ok && len(hex) >= shortestDigest && len(hex) <= 64
}

// Matches reports whether a digest, or the beginning of one, is that of some bytes,
// or of the same text with other ends of lines: a checkout may have put in carriage
// returns, and a last line gets an end when another follows it.
func Matches(digest string, b []byte) bool {
	if !usable(digest) {
		return false
	}
	if strings.HasPrefix(Digest(b), digest) {
		return true
	}
	if !IsText(b) {
		return false
	}
	text := uniform(b)
	for _, form := range [][]byte{text, append(bytes.Clone(text), '\n')} {
		if !bytes.Equal(form, b) && strings.HasPrefix(Digest(form), digest) {
			return true
		}
		form = bytes.ReplaceAll(form, []byte("\n"), []byte("\r\n"))
		if !bytes.Equal(form, b) && strings.HasPrefix(Digest(form), digest) {
			return true
		}
	}
	return false
}

// uniform is a text with plain ends of lines, the last one without.
func uniform(text []byte) []byte {
	if bytes.IndexByte(text, '\r') >= 0 {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	return bytes.TrimSuffix(text, []byte("\n"))
}
