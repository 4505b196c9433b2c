package session

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"unicode/utf8"
)

// Restore returns the bytes of a record from its events; the first one has the
// source. artifact returns the content of an artifact by its digest.
func Restore(events []Event, artifact func(digest string) ([]byte, error)) ([]byte, error) {
	if len(events) == 0 || events[0].Source == nil {
		return nil, fmt.Errorf("restore a record: its first event is missing")
	}
	source := events[0].Source
	var raw []byte
	from := 0
	for _, c := range source.Cuts {
		if c.At < from || c.At > len(source.Raw) {
			return nil, fmt.Errorf("restore the record of event %s: a cut is at %d of %d", events[0].ID, c.At, len(source.Raw))
		}
		var part []byte
		switch {
		case c.Digest != "":
			var err error
			if part, err = artifact(c.Digest); err != nil {
				return nil, fmt.Errorf("restore the record of event %s: %w", events[0].ID, err)
			}
		case c.Event >= 0 && c.Event < len(events):
			part = []byte(events[c.Event].Text)
		default:
			return nil, fmt.Errorf("restore the record of event %s: it has no event %d", events[0].ID, c.Event)
		}
		raw = append(append(raw, source.Raw[from:c.At]...), write(c.Form, part)...)
		from = c.At
		if bytes.HasPrefix(source.Raw[from:], []byte(`""`)) {
			from += 2
		}
	}
	return append(raw, source.Raw[from:]...), nil
}

// formOf returns the form in which a token is written; "" if no form gives it.
func formOf(token []byte, text string) Form {
	for _, f := range []Form{AsString, AsASCII, AsHTML} {
		if bytes.Equal(write(f, []byte(text)), token) {
			return f
		}
	}
	return ""
}

// write writes a content in a form.
func write(f Form, content []byte) []byte {
	switch f {
	case AsString:
		return quote(content, false)
	case AsASCII:
		return quote(content, true)
	case AsHTML:
		b, _ := json.Marshal(string(content)) // a string cannot fail
		return b
	case AsBase64:
		b := append(make([]byte, 0, base64.StdEncoding.EncodedLen(len(content))+2), '"')
		return append(base64.StdEncoding.AppendEncode(b, content), '"')
	}
	return content
}

const hexDigits = "0123456789abcdef"

// quote writes a JSON string as JSON.stringify does, or as Python's json module does.
func quote(text []byte, ascii bool) []byte {
	b := append(make([]byte, 0, len(text)+len(text)/8+2), '"')
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\b':
			b = append(b, `\b`...)
		case c == '\f':
			b = append(b, `\f`...)
		case c < ' ', ascii && c == 0x7f:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		case c < utf8.RuneSelf || !ascii:
			b = append(b, c)
		default:
			r, size := utf8.DecodeRune(text[i:])
			b = appendEscaped(b, r)
			i += size
			continue
		}
		i++
	}
	return append(b, '"')
}

// appendEscaped appends a character as \u escapes.
func appendEscaped(b []byte, r rune) []byte {
	unit := func(u rune) {
		b = append(b, '\\', 'u', hexDigits[u>>12&15], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
	}
	if r > 0xffff {
		r -= 0x10000
		unit(0xd800 + r>>10)
		r = 0xdc00 + r&0x3ff
	}
	unit(r)
	return b
}

// span is a part of a record.
type span struct{ start, end int }

// tokens yields the strings of valid JSON, with their quotes, and the given spans, in
// order. Strings within such a span are not yielded.
func tokens(raw []byte, spans map[int]int) iter.Seq[span] {
	return func(yield func(span) bool) {
		for i := 0; i < len(raw); {
			if end, ok := spans[i]; ok && len(spans) > 0 {
				if !yield(span{i, end}) {
					return
				}
				i = end
				continue
			}
			if raw[i] != '"' {
				i++
				continue
			}
			end := stringEnd(raw, i)
			if !yield(span{i, end}) {
				return
			}
			i = end
		}
	}
}

// stringEnd returns where the string that begins at start ends.
func stringEnd(raw []byte, start int) int {
	for i := start + 1; i < len(raw); i++ {
		n := bytes.IndexAny(raw[i:], `"\`)
		if n < 0 {
			break
		}
		if i += n; raw[i] == '"' {
			return i + 1
		}
		i++ // the escaped character
	}
	return len(raw)
}

// Rewrite changes the record of a source, such as to take something out of it, and moves
// its cuts along. change must neither make nor remove empty strings. It reports whether
// the record changed.
func (s *Source) Rewrite(change func(raw []byte) []byte) bool {
	raw := change(s.Raw)
	if bytes.Equal(raw, s.Raw) {
		return false
	}
	before, after := empties(s.Raw), empties(raw)
	cuts := slices.Clone(s.Cuts)
	for i, c := range cuts {
		if at := slices.Index(before, c.At); at >= 0 && at < len(after) {
			cuts[i].At = after[at]
		}
	}
	s.Raw, s.Cuts = raw, cuts
	return true
}

// empties returns where the empty strings of a record are.
func empties(raw []byte) (list []int) {
	for token := range tokens(raw, nil) {
		if token.end-token.start == 2 {
			list = append(list, token.start)
		}
	}
	return list
}
