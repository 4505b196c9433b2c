package preview

import (
	"fmt"
	"strings"

	"engram/session/internal/jsontext"
)

// skeleton previews JSON: the first five lines of it, indented and with what is deeper
// than two levels as a count, the last two, and what its fields are.
func skeleton(o *output, data []byte) {
	s := &bones{}
	s.value(0, "", jsontext.Value(data), false)
	first := make([]string, 0, 8)
	for _, b := range s.first {
		first = append(first, b.String())
	}
	if s.count > 7 {
		first = append(first, dots)
	}
	for i := max(5, s.count-2); i < s.count; i++ {
		first = append(first, s.last[i%2].String())
	}
	o.lines(first, 700)
	o.line(kinds(jsontext.Value(data))+", "+size(len(data)), o.left-1)
}

// bone is a line of a skeleton.
type bone struct {
	depth  int
	key    string
	value  jsontext.Value // if it is on one line
	bare   string         // otherwise
	follow bool           // another one follows
}

func (b bone) String() string {
	text := strings.Repeat("  ", b.depth)
	if b.key != "" {
		text += `"` + clean(b.key) + `": `
	}
	if b.bare != "" {
		text += b.bare
	} else {
		text += short(b.value)
	}
	if b.follow {
		text += ","
	}
	return text
}

// bones are the lines of a skeleton. It keeps the first five and the last two.
type bones struct {
	first []bone
	last  [2]bone
	count int
}

func (s *bones) add(b bone) {
	if len(s.first) < 5 {
		s.first = append(s.first, b)
	}
	s.last[s.count%2] = b
	s.count++
}

// value adds the lines of a value. Containers are opened to the second level.
func (s *bones) value(depth int, key string, v jsontext.Value, follow bool) {
	open, closing := "{", "}"
	if v.Is('[') {
		open, closing = "[", "]"
	}
	if depth > 1 || !v.Is('{') && !v.Is('[') {
		s.add(bone{depth: depth, key: key, value: v, follow: follow})
		return
	}
	s.add(bone{depth: depth, key: key, bare: open})
	var before jsontext.Value
	name := ""
	for k, field := range v.Fields() {
		if before != nil {
			s.value(depth+1, name, before, true)
		}
		name, before = k, field
	}
	for _, element := range v.Elements() {
		if before != nil {
			s.value(depth+1, "", before, true)
		}
		before = element
	}
	if before != nil {
		s.value(depth+1, name, before, false)
	}
	s.add(bone{depth: depth, bare: closing, follow: follow})
}

// short writes a value on one line.
func short(v jsontext.Value) string {
	switch {
	case v.Is('"'):
		return shorten(clean(string(v[:min(len(v), longLine)])), 60)
	case v.Is('{'), v.Is('['):
		return kind(v)
	}
	return shorten(clean(string(v[:min(len(v), 60)])), 40)
}

// kind says what a container has.
func kind(v jsontext.Value) string {
	n := 0
	if v.Is('{') {
		for range v.Fields() {
			n++
		}
		return fmt.Sprintf("{%d %s}", n, plural(n, "key"))
	}
	for range v.Elements() {
		n++
	}
	return fmt.Sprintf("[%d %s]", n, plural(n, "item"))
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// kinds says what a value is: how many keys or items, and what stands in them.
func kinds(v jsontext.Value) string {
	if v.Is('[') {
		n, of := 0, ""
		for _, element := range v.Elements() {
			if n++; n == 1 && element.Is('{') {
				of = "; the first has " + keys(element)
			}
		}
		return fmt.Sprintf("array of %d %s%s", n, plural(n, "item"), of)
	}
	return "object of " + keys(v)
}

// keys lists the keys of an object, as many as there is room for, with the sizes of what
// is in them.
func keys(v jsontext.Value) string {
	var names []string
	n := 0
	for key, field := range v.Fields() {
		if n++; n > 20 {
			continue
		}
		name := shorten(clean(key), 40)
		if field.Is('[') || field.Is('{') {
			name += " " + kind(field)
		}
		names = append(names, name)
	}
	if n > len(names) {
		names = append(names, dots)
	}
	return fmt.Sprintf("%d %s: %s", n, plural(n, "key"), strings.Join(names, ", "))
}
