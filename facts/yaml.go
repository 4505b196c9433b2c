package facts

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Marshal writes a fact in canonical YAML, docs/format.md §4: fixed order of
// fields, only what was stated, one way to write each value. It never fails;
// Validate says whether the fact should be written at all.
func Marshal(f Fact) []byte {
	b := make([]byte, 0, 1024)
	for _, field := range f.fields() {
		b = appendValue(b, "", field)
	}
	return appendUnknown(b, "", f.Unknown)
}

func appendValue(b []byte, indent string, f field) []byte {
	switch v := f.value.(type) {
	case *string:
		return appendField(b, indent, f.name, *v)
	case *lines:
		return appendText(b, f.name, string(*v))
	case *Key:
		return appendField(b, indent, f.name, v.String())
	case **float64:
		if n := *v; n != nil {
			b = append(append(b, f.name...), ": "...)
			b = append(strconv.AppendFloat(b, *n, 'f', -1, 64), '\n')
		}
	case *[]string:
		return appendTags(b, *v)
	case *[]Pointer:
		return appendPointers(b, *v)
	case *time.Time:
		return appendTime(b, indent, f.name, *v)
	case *Provenance:
		return appendProvenance(b, v)
	}
	return b
}

func appendTags(b []byte, tags []string) []byte {
	if len(tags) == 0 {
		return b
	}
	b = append(b, "tags:\n"...)
	for _, tag := range tags {
		b = append(b, "  - "...)
		b = append(appendString(b, tag), '\n')
	}
	return b
}

func appendPointers(b []byte, pointers []Pointer) []byte {
	if len(pointers) == 0 {
		return b
	}
	b = append(b, "pointers:\n"...)
	for _, p := range pointers {
		b = append(b, "  - ref: "...)
		b = append(appendString(b, p.Ref), '\n')
		b = appendField(b, "    ", "digest", p.Digest)
		b = appendUnknown(b, "    ", p.Unknown)
	}
	return b
}

func appendProvenance(b []byte, p *Provenance) []byte {
	const head = "provenance:\n"
	start := len(b)
	b = append(b, head...)
	for _, field := range p.fields() {
		b = appendValue(b, "  ", field)
	}
	b = appendUnknown(b, "  ", p.Unknown)
	if len(b) == start+len(head) {
		return b[:start]
	}
	return b
}

func appendField(b []byte, indent, name, value string) []byte {
	if value == "" {
		return b
	}
	b = append(append(append(b, indent...), name...), ": "...)
	return append(appendString(b, value), '\n')
}

func appendTime(b []byte, indent, name string, t time.Time) []byte {
	if t.IsZero() {
		return b
	}
	b = append(append(append(b, indent...), name...), ": "...)
	return append(t.UTC().Truncate(timePrecision).AppendFormat(b, timeLayout), '\n')
}

// appendText writes a text that may have lines: as a literal block where that
// reads back exactly, quoted otherwise.
func appendText(b []byte, name, text string) []byte {
	if !blockSafe(text) {
		return appendField(b, "", name, text)
	}
	b = append(append(b, name...), ": |-\n"...)
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			b = append(append(b, "  "...), line...)
		}
		b = append(b, '\n')
	}
	return b
}

func appendUnknown(b []byte, indent string, unknown []Unknown) []byte {
	for _, u := range unknown {
		b = append(appendString(append(b, indent...), u.Name), ':')
		b = append(append(b, strings.ReplaceAll(hang(u.YAML), "\n", "\n"+indent)...), '\n')
	}
	return b
}

// appendString writes s plain where every YAML reader, of version 1.1 or 1.2,
// takes that for the same string, and double-quoted otherwise.
func appendString(b []byte, s string) []byte {
	if plainSafe(s) {
		return append(b, s...)
	}
	return appendQuoted(b, s)
}

func appendQuoted(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"', r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case !printable(r):
			b = append(b, '\\', 'U')
			for shift := 28; shift >= 0; shift -= 4 {
				b = append(b, hex[r>>shift&15])
			}
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// printable reports whether r may stand in a YAML file as it is and is read
// back as it is. Bidirectional controls may not: they make a file read to a
// person as what it is not.
func printable(r rune) bool {
	switch {
	case r < 0x7f:
		return r >= ' '
	case r <= 0xa0, r == 0x2028, r == 0x2029, r == 0xfeff, r >= 0xfff0 && r <= 0xffff:
		return false
	case unicode.Is(unicode.Bidi_Control, r):
		return false
	}
	return true
}

// plainSafe reports whether s may be written without quotes. It says no more
// often than YAML requires, so that the rule fits in a few lines.
func plainSafe(s string) bool {
	if s == "" || strings.HasSuffix(s, " ") || strings.HasSuffix(s, ":") || len(s) <= 5 && reserved(s) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s)
	if !(first >= 'a' && first <= 'z' || first >= 'A' && first <= 'Z' || first >= '0' && first <= '9' || first > 0x7f && unicode.IsLetter(first)) {
		return false
	}
	numeric := first <= '9'
	previous := rune(0)
	for _, r := range s {
		if !printable(r) || r == utf8.RuneError || previous == ':' && r == ' ' || previous == ' ' && r == '#' {
			return false
		}
		numeric = numeric && strings.ContainsRune("0123456789abcdefABCDEFxXoOtTzZ_+-.: ", r)
		previous = r
	}
	return !numeric
}

// reserved reports the words that a YAML 1.1 or 1.2 reader takes for something
// other than a string.
func reserved(s string) bool {
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return true
	}
	return false
}

// blockSafe reports whether s has lines and a literal block with the indicator
// "|-" reads back as exactly s.
func blockSafe(s string) bool {
	if !strings.Contains(s, "\n") || strings.HasPrefix(s, "\n") || strings.HasSuffix(s, "\n") || !utf8.ValidString(s) {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" && strings.TrimSpace(line) == "" {
			return false
		}
	}
	if s[0] == ' ' || s[0] == '\t' {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && !printable(r) }) < 0
}
