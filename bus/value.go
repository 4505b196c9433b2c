package bus

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// field is a field of a mapping.
type field struct {
	name     string
	required bool
	value    value
}

// value is a part of a message, bound to the variable that holds it.
type value interface {
	// read sets the variable, or adds a problem to the reader. A required text must not
	// be empty.
	read(r *reader, n *yaml.Node, path string, required bool)
	// inline returns the value as YAML on one line, in a list or mapping in flow style
	// if flow. "" means that there is nothing to write.
	inline(flow bool) string
	empty() bool
}

// reader collects the problems of a message.
type reader struct{ problems []Problem }

func (r *reader) add(n *yaml.Node, path, format string, args ...any) {
	r.problems = append(r.problems, Problem{Line: n.Line, Path: path, Text: fmt.Sprintf(format, args...)})
}

// mapping is a value with fields. In flow style it is written on one line.
type mapping struct {
	fields  func() []field
	flow    bool
	absent  bool     // the variable is nil; fields allocates it
	pointer *Pointer // that the mapping describes, or nil
}

func (m mapping) empty() bool { return m.absent }

// read reads the fields in the order of the text. A field whose value is null counts as
// omitted.
func (m mapping) read(r *reader, n *yaml.Node, path string, _ bool) {
	if n.Kind != yaml.MappingNode {
		r.add(n, path, "is %s; a mapping of fields to values is expected", whatIs(n))
		return
	}
	known := m.fields()
	seen := make(map[string]bool, len(known))
	for i := 0; i < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		at := slices.IndexFunc(known, func(f field) bool { return f.name == name.Value })
		switch {
		case name.Kind != yaml.ScalarNode || at < 0:
			r.add(name, inside(path, abridged(name.Value)), "is not a known field; the fields are %s", namesOf(known))
			r.problems[len(r.problems)-1].surplus = true
		case seen[name.Value]:
			r.add(name, inside(path, name.Value), "is given twice")
		case !isNull(value):
			known[at].value.read(r, value, inside(path, name.Value), known[at].required)
			seen[name.Value] = true
		}
	}
	for _, f := range known {
		if f.required && !seen[f.name] {
			r.add(n, inside(path, f.name), "is missing")
		}
	}
}

func (m mapping) inline(bool) string {
	var parts []string
	for _, f := range m.fields() {
		if f.required || !f.value.empty() {
			parts = append(parts, f.name+": "+f.value.inline(true))
		}
	}
	if len(parts) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

func namesOf(known []field) string {
	names := make([]string, len(known))
	for i, f := range known {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}

// list is a value with items. In flow style it is written on one line.
type list struct {
	flow   bool
	most   int // items; 0 means that the limits of the agent bound them
	length func() int
	at     func(i int) value
	resize func(n int) // keeps the first items; the slice is not nil afterwards
}

func listOf[T any](items *[]T, most int, item func(*T) value) list {
	return list{
		most:   most,
		length: func() int { return len(*items) },
		at:     func(i int) value { return item(&(*items)[i]) },
		resize: func(n int) { *items = append(make([]T, 0, n), (*items)[:min(n, len(*items))]...)[:n] },
	}
}

func (l list) empty() bool { return l.length() == 0 }

func (l list) read(r *reader, n *yaml.Node, path string, _ bool) {
	if n.Kind != yaml.SequenceNode {
		r.add(n, path, "is %s; a list is expected", whatIs(n))
		return
	}
	l.resize(len(n.Content))
	for i, v := range n.Content {
		l.at(i).read(r, v, item(path, i), true)
	}
}

func (l list) inline(bool) string {
	items := make([]string, l.length())
	for i := range items {
		items[i] = l.at(i).inline(true)
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// text is a string. A bare date is read as a string; a bare number is not, as in JSON.
type text struct {
	s      *string
	most   int  // characters of a text that an author writes; 0 for any other string
	quoted bool // in flow style
}

func textOf(most int) func(*string) value {
	return func(s *string) value { return text{s: s, most: most} }
}

func (t text) empty() bool { return *t.s == "" }

func (t text) read(r *reader, n *yaml.Node, path string, required bool) {
	tag := n.ShortTag()
	switch {
	case n.Kind != yaml.ScalarNode || tag != "!!str" && tag != "!!timestamp" && tag != "!!merge":
		hint := ""
		if n.Kind == yaml.ScalarNode && !isNull(n) {
			hint = ": put it in quotes"
		}
		r.add(n, path, "is %s; a string is expected%s", whatIs(n), hint)
	case required && n.Value == "":
		r.add(n, path, "is empty")
	default:
		*t.s = n.Value
	}
}

func (t text) inline(flow bool) string {
	switch {
	case !flow:
		return scalar(*t.s)
	case t.quoted:
		return strconv.Quote(*t.s)
	}
	return inFlow(*t.s)
}

// number is a finite number, or nil.
type number struct{ f **float64 }

func (f number) empty() bool { return *f.f == nil }

func (f number) read(r *reader, n *yaml.Node, path string, _ bool) {
	x, err := strconv.ParseFloat(n.Value, 64)
	if whatIs(n) != aNumber || err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		r.add(n, path, "is %s; a number is expected", whatIs(n))
		return
	}
	*f.f = &x
}

func (f number) inline(bool) string {
	if f.empty() {
		return ""
	}
	return strconv.FormatFloat(**f.f, 'f', -1, 64)
}

// maxCount bounds whole numbers in messages.
const maxCount = 1_000_000

// count is a whole number.
type count struct{ n *int }

func (c count) empty() bool { return *c.n == 0 }

func (c count) read(r *reader, n *yaml.Node, path string, _ bool) {
	x, err := strconv.ParseFloat(n.Value, 64)
	if whatIs(n) != aNumber || err != nil || x != math.Trunc(x) || x < 0 || x > maxCount {
		r.add(n, path, "is %s; a whole number from 0 to %d is expected", abridged(n.Value), maxCount)
		return
	}
	*c.n = int(x)
}

func (c count) inline(bool) string { return strconv.Itoa(*c.n) }

// moment is a time.
type moment struct{ t *time.Time }

func (m moment) empty() bool { return m.t.IsZero() }

func (m moment) read(r *reader, n *yaml.Node, path string, _ bool) {
	t, err := time.Parse(time.RFC3339Nano, n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || t.UTC().Year() < 1900 || t.UTC().Year() > 9999 {
		r.add(n, path, "is not a time such as 2026-04-30T12:00:00Z")
		return
	}
	*m.t = t.UTC()
}

func (m moment) inline(bool) string { return strconv.Quote(m.t.UTC().Format(time.RFC3339Nano)) }

func abridged(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

const aNumber = "a number"

// whatIs names the kind of a value.
func whatIs(n *yaml.Node) string {
	kinds := map[string]string{"!!int": aNumber, "!!float": aNumber, "!!bool": "true or false", "!!null": "nothing"}
	switch kind := kinds[n.ShortTag()]; {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case kind != "":
		return kind
	}
	return "a string"
}
