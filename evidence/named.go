package evidence

import (
	"bytes"

	"engram/facts"
)

// partNamed is a section or test with its name.
type partNamed struct {
	name string
	Span
}

// named are the sections or tests of a content, whichever an address is of.
func named(a facts.Address, c *Content) []partNamed {
	var list []partNamed
	lines := linesOf(c.data)
	add := func(name string, line int) {
		a.Name = name
		if part, err := Cut(a, c.data); err == nil && part.First == line+1 {
			list = append(list, partNamed{name, part})
		}
	}
	switch a.Type {
	case facts.PointArtifact:
		for _, h := range headings(lines) {
			add(h.anchor, h.line)
		}
	case facts.PointTest:
		t := testFile{file: a.Path, content: c.data, lines: lines}
		for _, d := range t.find(formsFor(a.Path)) {
			add(d.name, d.line)
		}
	}
	return list
}

// maxNamed is in how many sections or tests one that is gone is looked for.
const maxNamed = 500

// renamed looks for a section or test under another name, which nothing had before: with
// the same bytes, or with the same but for the first line, which has the name.
func (o Original) renamed(c *Content) (Standing, bool) {
	if o.address.Name == "" {
		return Standing{}, false
	}
	had := make(map[string]bool) // names that something else had before
	if o.before != nil {
		for _, part := range named(o.address, o.before) {
			had[part.name] = part.First != o.first
		}
	}
	list := named(o.address, c)
	var found []Standing
	for _, part := range list[:min(len(list), maxNamed)] {
		if !had[part.name] && o.isNamed(part) {
			found = append(found, Standing{Freshness: Moved, First: part.First, Last: part.Last, Name: part.name})
		}
	}
	if len(found) == 0 {
		return Standing{}, false
	}
	found[0].Several = len(found) > 1
	return found[0], true
}

func (o Original) isNamed(part partNamed) bool {
	if o.is(part.Text) {
		return true
	}
	if !o.known {
		return false
	}
	before, now := withoutFirst(o.text), withoutFirst(part.Text)
	return telling(before) >= tellingElsewhere && bytes.Equal(uniform(before), uniform(now))
}

func withoutFirst(text []byte) []byte {
	_, rest, _ := bytes.Cut(text, []byte("\n"))
	return rest
}

// nameAt is the name of the section or test that begins at a line; "" where an address
// of lines says it all.
func (o Original) nameAt(c *Content, line int) string {
	if o.address.Name == "" {
		return ""
	}
	for _, part := range named(o.address, c) {
		if part.First == line {
			return part.name
		}
	}
	return ""
}
