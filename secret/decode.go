package secret

import (
	"strings"

	"github.com/zricethezav/gitleaks/v8/detect/codec"
)

// segment is an encoded part of a text and where it stands in the decoded one.
type segment struct{ start, end, decodedStart, decodedEnd int }

// decode decodes what gitleaks's decoder would decode in the text, in place. It
// finds the segments itself, and hands the decoder those alone that may be text:
// its expression takes longer than all the rules.
func decode(text string) (decoded string, segments []segment) {
	var b strings.Builder
	done := 0
	for _, m := range encodings(text) {
		part := text[m.start:m.end]
		if m.kind == base64Kind && !mayBeBase64(part) {
			continue
		}
		plain, found := codec.NewDecoder().Decode(part, nil)
		if len(found) == 0 {
			continue
		}
		b.WriteString(text[done:m.start])
		at := b.Len()
		b.WriteString(plain)
		segments = append(segments, segment{m.start, m.end, at, b.Len()})
		done = m.end
	}
	if len(segments) == 0 {
		return text, nil
	}
	b.WriteString(text[done:])
	return b.String(), segments
}

// encoded turns a span of a decoded text into the one of the text: a segment is
// taken as a whole.
func encoded(segments []segment, s span) span {
	start, end := s.start, s.end
	for _, g := range segments {
		switch shift := g.end - g.decodedEnd; {
		case g.decodedEnd <= s.start:
			start = s.start + shift
		case g.decodedStart <= s.start:
			start = g.start
		}
		switch shift := g.end - g.decodedEnd; {
		case g.decodedEnd < s.end:
			end = s.end + shift
		case g.decodedStart < s.end:
			end = g.end
		}
	}
	return span{start, end, s.rule}
}

// The kinds of encodings, in the order in which one gives way to another.
const (
	base64Kind = iota
	hexKind
	unicodeKind
	percentKind
)

type encoding struct{ start, end, kind int }

// encodings finds what gitleaks takes for encoded. Of two that touch, the one of
// the lower kind waits for a pass that never comes.
func encodings(text string) []encoding {
	var all []encoding
	for i := 0; i < len(text); {
		c := text[i]
		end, kind := 0, 0
		switch {
		case c == '%':
			end, kind = percentEnd(text, i), percentKind
		case c == '\\':
			end, kind = escapesEnd(text, i), unicodeKind
		case isBase64[c]:
			run := i + 1
			for run < len(text) && isBase64[text[run]] {
				run++
			}
			if run-i < 16 {
				// Too short for all but code points, which may begin within it.
				if j := strings.Index(text[i:run], "U+"); j >= 0 {
					if end = codePointsEnd(text, i+j); end > 0 {
						i, kind = i+j, unicodeKind
						break
					}
					i += j + 1
					continue
				}
				i = run
				continue
			}
			if end = codePointsEnd(text, i); end > 0 {
				kind = unicodeKind
				break
			}
			if end = hexEnd(text, i); end > 0 {
				kind = hexKind
				break
			}
			for end, kind = run, base64Kind; end < min(run+2, len(text)) && text[end] == '='; {
				end++
			}
		}
		if end == 0 {
			i++
			continue
		}
		all = append(all, encoding{i, end, kind})
		i = end
	}
	kept := all[:0:0]
	for i, m := range all {
		behind := i > 0 && all[i-1].end == m.start && all[i-1].kind > m.kind
		before := i+1 < len(all) && all[i+1].start == m.end && all[i+1].kind > m.kind
		if !behind && !before {
			kept = append(kept, m)
		}
	}
	return kept
}

var isBase64 = func() (set [256]bool) {
	for c := range set {
		set[c] = isAlnum(byte(c)) || strings.IndexByte("_/+-", byte(c)) >= 0 && c != 0
	}
	return set
}()

func isHexDigit(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isHexAt(text string, at, n int) bool {
	if at+n > len(text) {
		return false
	}
	for i := range n {
		if !isHexDigit(text[at+i]) {
			return false
		}
	}
	return true
}

func hexEnd(text string, at int) int {
	end := at
	for end < len(text) && isHexDigit(text[end]) {
		end++
	}
	if end-at < 32 {
		return 0
	}
	return end
}

// percentEnd is the end of the last %xx of the line.
func percentEnd(text string, at int) int {
	if !isHexAt(text, at+1, 2) {
		return 0
	}
	line := text[at : at+indexAnyOrEnd(text[at:], "\n")]
	for {
		i := strings.LastIndexByte(line, '%')
		if isHexAt(text, at+i+1, 2) {
			return at + i + 3
		}
		line = line[:i]
	}
}

// escapesEnd reads \u0041 and \\u0041, several in a row.
func escapesEnd(text string, at int) (end int) {
	for i := at; ; end = i {
		for n := 0; n < 2 && i < len(text) && text[i] == '\\'; n++ {
			i++
		}
		if i == end || i == at || i >= len(text) || text[i]|0x20 != 'u' || !isHexAt(text, i+1, 4) {
			return end
		}
		i += 5
	}
}

// codePointsEnd reads U+0041 with the blank or the end behind it, several in a row.
func codePointsEnd(text string, at int) (end int) {
	for i := at; strings.HasPrefix(text[i:], "U+") && isHexAt(text, i+2, 4); end = i {
		if i += 6; i == len(text) {
			return i
		}
		if !isSpace(text[i]) {
			break
		}
		i++
	}
	return end
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' && c != '\v' }

// mayBeBase64 says no where the first sixteen characters are not printable text.
func mayBeBase64(part string) bool {
	bits := 0
	for i := range 16 {
		v := 62
		switch c := part[i]; {
		case isUpper(c):
			v = int(c - 'A')
		case isLower(c):
			v = int(c-'a') + 26
		case '0' <= c && c <= '9':
			v = int(c-'0') + 52
		case c == '/' || c == '_':
			v = 63
		}
		if bits = bits<<6 | v; i%4 == 3 {
			for shift := 16; shift >= 0; shift -= 8 {
				if b := bits >> shift & 0xff; b <= 0x08 || b >= 0x7f {
					return false
				}
			}
			bits = 0
		}
	}
	return true
}
