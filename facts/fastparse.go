package facts

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// parseCanonical reads exactly what Marshal writes, about ten times faster than
// the YAML library (bench_test.go), and says no to anything else, unknown
// fields included. Reading 100,000 facts into an index is where it matters.
// Tests and FuzzParse keep it equal to parseYAML.
func parseCanonical(b []byte) (Fact, bool) {
	r := canonicalReader{rest: string(b), ok: true}
	var f Fact
	for _, field := range f.fields() {
		r.read("", field)
	}
	return f, r.ok && r.rest == "" && len(b) > 0
}

// canonicalReader takes the fields of a file in their fixed order. A field
// that is absent reads as zero; one that is not canonical clears ok.
type canonicalReader struct {
	rest string
	ok   bool
}

// read takes the line, or the lines, of a field.
func (r *canonicalReader) read(indent string, f field) {
	switch v := f.value.(type) {
	case *string:
		*v = r.value(indent, f.name, ": ")
	case *lines:
		*v = lines(r.text(f.name))
	case *Key:
		*v = r.key(f.name)
	case **float64:
		*v = r.number(f.name)
	case *[]string:
		*v = r.tags()
	case *[]Pointer:
		*v = r.pointers()
	case *time.Time:
		*v = r.time(indent, f.name)
	case *Provenance:
		r.provenance(v)
	}
}

// line takes the next line if it begins with prefix, and returns what follows.
func (r *canonicalReader) line(prefix ...string) (string, bool) {
	rest := r.rest
	for _, p := range prefix {
		if !r.ok || !strings.HasPrefix(rest, p) {
			return "", false
		}
		rest = rest[len(p):]
	}
	value, after, ended := strings.Cut(rest, "\n")
	if !ended {
		r.ok = false
		return "", false
	}
	r.rest = after
	return value, true
}

// head takes the next line if it is the name of a list or mapping.
func (r *canonicalReader) head(name string) bool {
	rest, found := strings.CutPrefix(r.rest, name+"\n")
	if found {
		r.rest = rest
	}
	return found
}

func (r *canonicalReader) value(prefix ...string) string {
	raw, found := r.line(prefix...)
	if !found {
		return ""
	}
	if plainSafe(raw) {
		return raw
	}
	s, ok := unquote(raw)
	r.ok = r.ok && ok
	return s
}

func (r *canonicalReader) key(name string) Key {
	s := r.value(name, ": ")
	if s == "" {
		return Key{}
	}
	k, err := ParseKey(s)
	r.ok = r.ok && err == nil
	return k
}

func (r *canonicalReader) text(name string) string {
	if !r.head(name + ": |-") {
		s := r.value(name, ": ")
		r.ok = r.ok && !blockSafe(s)
		return s
	}
	var lines []string
	for r.ok {
		if line, found := r.line("  "); found {
			lines = append(lines, line)
			r.ok = r.ok && line != ""
		} else if rest, found := strings.CutPrefix(r.rest, "\n"); found {
			lines, r.rest = append(lines, ""), rest
		} else {
			break
		}
	}
	s := strings.Join(lines, "\n")
	r.ok = r.ok && blockSafe(s)
	return s
}

func (r *canonicalReader) number(name string) *float64 {
	raw, found := r.line(name, ": ")
	if !found {
		return nil
	}
	n, err := strconv.ParseFloat(raw, 64)
	// Only the one canonical spelling: others are the YAML library's to judge.
	r.ok = r.ok && err == nil && strconv.FormatFloat(n, 'f', -1, 64) == raw && !math.IsNaN(n) && !math.IsInf(n, 0)
	return &n
}

func (r *canonicalReader) time(indent, name string) time.Time {
	raw, found := r.line(indent, name, ": ")
	if !found {
		return time.Time{}
	}
	t, err := time.Parse(timeLayout, raw)
	r.ok = r.ok && err == nil && t.Format(timeLayout) == raw && plausibleYear(t)
	return t
}

func (r *canonicalReader) tags() (tags []string) {
	if !r.head("tags:") {
		return nil
	}
	for r.ok && strings.HasPrefix(r.rest, "  - ") {
		tags = append(tags, r.value("  - "))
	}
	r.ok = r.ok && len(tags) > 0
	return tags
}

func (r *canonicalReader) pointers() (pointers []Pointer) {
	if !r.head("pointers:") {
		return nil
	}
	for r.ok && strings.HasPrefix(r.rest, "  - ref: ") {
		pointers = append(pointers, Pointer{Ref: r.value("  - ref: "), Digest: r.value("    digest: ")})
	}
	r.ok = r.ok && len(pointers) > 0
	return pointers
}

func (r *canonicalReader) provenance(p *Provenance) {
	if !r.head("provenance:") {
		return
	}
	before := len(r.rest)
	for _, field := range p.fields() {
		r.read("  ", field)
	}
	r.ok = r.ok && len(r.rest) < before
}

// unquote is the inverse of appendQuoted, for strings that need their quotes.
func unquote(raw string) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return "", false
	}
	s := raw[1 : len(raw)-1]
	if strings.IndexByte(s, '\\') >= 0 {
		// The escapes that appendQuoted writes mean the same in Go.
		unescaped, err := strconv.Unquote(raw)
		if err != nil {
			return "", false
		}
		s = unescaped
	}
	// Comparing with what Marshal would have written settles every odd case.
	return s, s != "" && string(appendString(nil, s)) == raw
}
