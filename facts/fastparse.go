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
	f := Fact{
		Key:        r.key("key: "),
		ID:         r.value("id: "),
		Lineage:    r.value("lineage: "),
		Claim:      r.value("claim: "),
		Detail:     r.text("detail: "),
		Kind:       Kind(r.value("kind: ")),
		Type:       Type(r.value("type: ")),
		Scope:      r.value("scope: "),
		Reach:      Reach(r.value("reach: ")),
		Branch:     r.value("branch: "),
		For:        r.key("for: "),
		Confidence: r.number("confidence: "),
		Tags:       r.tags(),
		Pointers:   r.pointers(),
		ValidFrom:  r.time("valid_from: "),
		ValidUntil: r.time("valid_until: "),
		TTL:        r.value("ttl: "),
		Durability: Durability(r.value("durability: ")),
		Operation:  Operation(r.value("operation: ")),
		Supersedes: r.value("supersedes: "),
		Provenance: r.provenance(),
	}
	return f, r.ok && r.rest == "" && len(b) > 0
}

// canonicalReader takes the fields of a file in their fixed order. A field
// that is absent reads as zero; one that is not canonical clears ok.
type canonicalReader struct {
	rest string
	ok   bool
}

// line takes the next line if it begins with prefix, and returns what follows.
func (r *canonicalReader) line(prefix string) (string, bool) {
	if !r.ok || !strings.HasPrefix(r.rest, prefix) {
		return "", false
	}
	end := strings.IndexByte(r.rest, '\n')
	if end < len(prefix) {
		r.ok = false
		return "", false
	}
	value := r.rest[len(prefix):end]
	r.rest = r.rest[end+1:]
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

func (r *canonicalReader) value(prefix string) string {
	raw, found := r.line(prefix)
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

func (r *canonicalReader) key(prefix string) Key {
	s := r.value(prefix)
	if s == "" {
		return Key{}
	}
	k, err := ParseKey(s)
	r.ok = r.ok && err == nil
	return k
}

func (r *canonicalReader) text(prefix string) string {
	if !r.head(prefix + "|-") {
		s := r.value(prefix)
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

func (r *canonicalReader) number(prefix string) *float64 {
	raw, found := r.line(prefix)
	if !found {
		return nil
	}
	n, err := strconv.ParseFloat(raw, 64)
	// Only the one canonical spelling: others are the YAML library's to judge.
	r.ok = r.ok && err == nil && strconv.FormatFloat(n, 'f', -1, 64) == raw && !math.IsNaN(n) && !math.IsInf(n, 0)
	return &n
}

func (r *canonicalReader) time(prefix string) time.Time {
	raw, found := r.line(prefix)
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

func (r *canonicalReader) provenance() Provenance {
	if !r.head("provenance:") {
		return Provenance{}
	}
	p := Provenance{
		Agent:     r.value("  agent: "),
		Engineer:  r.value("  engineer: "),
		Source:    Source(r.value("  source: ")),
		Evidence:  r.value("  evidence: "),
		CreatedAt: r.time("  created_at: "),
	}
	r.ok = r.ok && (p.Agent != "" || p.Engineer != "" || p.Source != "" || p.Evidence != "" || !p.CreatedAt.IsZero())
	return p
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
