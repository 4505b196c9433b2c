package evidence

import (
	"bytes"
	"strings"

	"engram/facts"
)

// Original is the target of a pointer when it was made: lines of a file, a section or
// test of it, or all of it, known by digest, by bytes, or by both.
type Original struct {
	address facts.Address
	first   int // the line that it began at, as far as that is known
	digest  string
	text    []byte
	known   bool     // text is it
	before  *Content // the file that it is from; nil if that is not known
}

// Was returns the target of an address when a pointer with a digest was made. before
// is the file at that time, nil if unknown. If the digest differs from before, the
// digest wins: the target was not committed yet.
func Was(a facts.Address, digest string, before *Content) Original {
	o := Original{address: a, first: a.FirstLine}
	if usable(digest) {
		o.digest = digest
	}
	if before == nil {
		return o
	}
	part, err := Cut(a, before.data)
	if err == nil && (o.digest == "" || Matches(o.digest, part.Text)) {
		o.first, o.text, o.known, o.before = part.First, part.Text, true, before
	}
	return o
}

// At is the original where it was found: of what was known by its digest alone, the
// bytes are known now.
func (o Original) At(s Standing, in *Content) Original {
	o.first, o.before = s.First, in
	if o.known {
		return o
	}
	text := in.data
	if !o.whole() {
		text = in.part(s.First, s.Last)
	}
	o.text, o.known = text, true
	return o
}

// whole reports whether it is all of a file.
func (o Original) whole() bool { return o.address.FirstLine == 0 && o.address.Name == "" }

// Unknown reports whether there is nothing to compare with.
func (o Original) Unknown() bool { return !o.known && o.digest == "" }

// Text returns the bytes; nil if they are unknown.
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

// shortestDigest is how many hexadecimal digits identify a digest.
const shortestDigest = 8

// usable reports whether a digest is of a known algorithm.
func usable(digest string) bool {
	hex, ok := strings.CutPrefix(digest, "sha256:")
	return ok && len(hex) >= shortestDigest && len(hex) <= 64
}

// Matches reports whether a digest, or a prefix of one, is that of some bytes or of
// the same text with other line ends: a checkout may add carriage returns, and the
// last line gets a line end when another follows it.
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

// matchesPlain is Matches for one of many parts, of a text that had plain ends of lines.
func matchesPlain(digest string, part []byte) bool {
	text := uniform(part)
	return strings.HasPrefix(Digest(append(text[:len(text):len(text)], '\n')), digest) || strings.HasPrefix(Digest(text), digest)
}

// uniform is a text with plain ends of lines, the last one without.
func uniform(text []byte) []byte {
	if bytes.IndexByte(text, '\r') >= 0 {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	return bytes.TrimSuffix(text, []byte("\n"))
}
