package main

import (
	"strings"
	"unicode/utf8"

	"engram/facts"
	"engram/memory"
)

// side is one of two claims that clash, as a terminal shows it.
type side struct {
	name  string
	key   string
	claim string
	span  *memory.Span // what clashes; nil: the claim as a whole
	about []string
}

// sidesOf are the sides of a conflict.
func (io *streams) sidesOf(c memory.Conflict) (a, b side) {
	one := func(name, key, version string, f *memory.Fact, span *memory.Span) side {
		if f == nil {
			return side{name: name, key: key, about: []string{"gone from the branch"}}
		}
		s := side{name, key, f.Claim, span, io.aboutFact(*f)}
		if isOpen(c) && f.FactID != version {
			s.about = append(s.about, "changed since the conflict was found")
		}
		return s
	}
	return one("A", c.KeyA, c.VersionA, c.A, c.SpanA), one("B", c.KeyB, c.VersionB, c.B, c.SpanB)
}

// aboutFact says who stated a fact, when, and what speaks for it.
func (io *streams) aboutFact(f memory.Fact) []string {
	state, freshness := "", ""
	if f.State != facts.Current {
		state = string(f.State)
	}
	if len(f.Pointers) > 0 {
		freshness = restsOn(f.Freshness)
	}
	about := []string{
		dotted(f.AgentID, nameOf(f.Engineer), ago(io.now(), f.Committed)),
		dotted(state, trusted(f.Verified, f.Freshness), freshness),
	}
	if f.Evidence != "" {
		about = append(about, "evidence: "+plain(f.Evidence))
	}
	return about
}

// restsOn says in words what became of a fact's evidence; "" where nothing is wrong
// with it, or nobody knows.
func restsOn(f memory.Freshness) string {
	switch f {
	case memory.Moved:
		return "its evidence moved"
	case memory.Drifted:
		return "its evidence has changed"
	case memory.Missing:
		return "its evidence is gone"
	}
	return ""
}

// restsOnPainted is restsOn in the colour of the verdict, as one more part of a line.
func (io *streams) restsOnPainted(f memory.Freshness) string {
	text := restsOn(f)
	switch {
	case text == "":
		return ""
	case f == memory.Moved:
		return io.color.dim(" · " + text)
	}
	return io.color.dim(" · ") + io.color.yellow(text)
}

// nameOf is a person without the address.
func nameOf(engineer string) string {
	name, _, _ := strings.Cut(engineer, " <")
	return name
}

// sides prints two sides in two columns where these are wide enough, and else
// one below the other.
func (io *streams) sides(indent string, a, b side) {
	const gap, least = "   ", 34
	width := (io.width - len(indent) - len(gap)) / 2
	left, right := io.column(a, width), io.column(b, width)
	if width < least || widest(left) > width || widest(right) > width {
		for _, l := range append(io.column(a, io.width-len(indent)), io.column(b, io.width-len(indent))...) {
			io.printf("%s%s\n", indent, l.text)
		}
		return
	}
	for i := range max(len(left), len(right)) {
		var l, r line
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		if r.width == 0 {
			io.printf("%s%s\n", indent, l.text)
			continue
		}
		io.printf("%s%s%s%s%s\n", indent, l.text, strings.Repeat(" ", width-l.width), gap, r.text)
	}
}

// line is one line of a column, and how wide it looks.
type line struct {
	text  string
	width int
}

func widest(lines []line) (width int) {
	for _, l := range lines {
		width = max(width, l.width)
	}
	return width
}

// column lays a side out. A word that is wider than the column stays whole.
func (io *streams) column(s side, width int) (lines []line) {
	add := func(laid []string, painted func(i int) string) {
		for i, l := range laid {
			lines = append(lines, line{painted(i), utf8.RuneCountInString(l)})
		}
	}
	title := keyLines(s.name+" ", plain(s.key), width)
	add(title, func(i int) string { return io.color.bold(title[i]) })
	const ownColor = "39"
	parts := spanParts(s.claim, s.span)
	painted := strings.Split(wrapPainted(parts, width, "", io.color, ownColor), "\n")
	add(wrap(joined(parts), width), func(i int) string { return painted[i] })
	for _, about := range s.about {
		laid := wrap(about, width)
		add(laid, func(i int) string { return io.color.dim(laid[i]) })
	}
	return lines
}

// keyLines puts a name before a key, which is broken behind slashes where it is
// too wide.
func keyLines(name, key string, width int) []string {
	if key == "" {
		return []string{strings.TrimSpace(name)}
	}
	lines := []string{name}
	for _, segment := range strings.SplitAfter(key, "/") {
		last := &lines[len(lines)-1]
		if *last != name && utf8.RuneCountInString(*last+segment) > width {
			lines = append(lines, strings.Repeat(" ", len(name)))
			last = &lines[len(lines)-1]
		}
		*last += segment
	}
	return lines
}

// spanParts tells in a claim what clashes from the rest.
func spanParts(claim string, span *memory.Span) []part {
	if span == nil || span.Start < 0 || span.Start >= span.End || span.End > len(claim) {
		return []part{{plain(claim), false}}
	}
	return []part{
		{plain(claim[:span.Start]), false}, {plain(claim[span.Start:span.End]), true}, {plain(claim[span.End:]), false},
	}
}

func joined(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.text)
	}
	return b.String()
}
