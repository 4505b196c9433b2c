// Package jsontext reads JSON where it stands: it finds fields and elements by skipping the
// others, and decodes only what is asked for.
package jsontext

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
	"unicode/utf8"
)

// Value is a JSON value as it stands in a record. The texts that are read are valid JSON
// (or the beginning of it), so looking for a field is skipping the others.
type Value []byte

// Fields yields the fields of an object; nothing for other values. Names with escapes are
// yielded as they are written.
func (v Value) Fields() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		i := space(v, 0)
		if i >= len(v) || v[i] != '{' {
			return
		}
		for i = space(v, i+1); i < len(v) && v[i] == '"'; {
			end := skip(v, i)
			if end-i < 2 {
				return
			}
			name := string(v[i+1 : end-1])
			if i = space(v, end); i >= len(v) || v[i] != ':' {
				return
			}
			start := space(v, i+1)
			if i = skip(v, start); !yield(name, v[start:i]) {
				return
			}
			if i = space(v, i); i < len(v) && v[i] == ',' {
				i = space(v, i+1)
			}
		}
	}
}

// Elements yields the elements of an array with the offset of each; nothing for other values.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		i := space(v, 0)
		if i >= len(v) || v[i] != '[' {
			return
		}
		for i = space(v, i+1); i < len(v) && v[i] != ']' && v[i] != ','; {
			end := skip(v, i)
			if end == i || !yield(i, v[i:end]) {
				return
			}
			if i = space(v, end); i < len(v) && v[i] == ',' {
				i = space(v, i+1)
			}
		}
	}
}

// At returns the value at a path of names; nil if there is none.
func (v Value) At(path ...string) Value {
	for _, name := range path {
		var found Value
		for key, field := range v.Fields() {
			if key == name {
				found = field
			}
		}
		if v = found; v == nil {
			return nil
		}
	}
	return v
}

// Is reports whether a value begins with a character: '{' for objects, '[' for arrays,
// '"' for strings, 't' for true.
func (v Value) Is(c byte) bool { return len(v) > 0 && v[0] == c }

// Text returns a string; "" for other values.
func (v Value) Text() string {
	if !v.Is('"') || len(v) < 2 {
		return ""
	}
	if inner := v[1 : len(v)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var text string
	if json.Unmarshal(v, &text) != nil {
		return ""
	}
	return text
}

// Number returns an integer; 0 for other values.
func (v Value) Number() int64 {
	if v == nil {
		return 0
	}
	n, err := strconv.ParseFloat(string(v[:min(len(v), 40)]), 64)
	if err != nil || n < -1<<53 || n > 1<<53 {
		return 0
	}
	return int64(n)
}

// Verbatim returns a value as it is written. What is not UTF-8 is replaced: an event's
// Text is UTF-8.
func (v Value) Verbatim() string { return string(bytes.ToValidUTF8(v, []byte("\uFFFD"))) }

func space(v Value, i int) int {
	for i < len(v) && (v[i] == ' ' || v[i] == '\n' || v[i] == '\t' || v[i] == '\r') {
		i++
	}
	return i
}

// skip returns where the value that begins at i ends.
func skip(v Value, i int) int {
	if i >= len(v) {
		return i
	}
	switch v[i] {
	case '"':
		return skipString(v, i)
	case '{', '[':
		depth := 0
		for i < len(v) {
			switch v[i] {
			case '"':
				i = skipString(v, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
		return i
	}
	for i < len(v) && bytes.IndexByte([]byte(",]} \n\t\r"), v[i]) < 0 {
		i++
	}
	return i
}

// skipString returns where the string that begins at i ends. Each byte is looked at once
// or twice, however many escapes there are.
func skipString(v Value, i int) int {
	for i++; i < len(v); i++ {
		switch v[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(v)
}
