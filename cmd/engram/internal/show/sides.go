package show

import (
	"strings"
	"unicode/utf8"

	"engram/cmd/internal/term"
	"engram/facts"
	"engram/memory"
)

// Side is one of two claims that clash, as a terminal shows it.
type Side struct {
	Name  string
	Key   string
	Claim string
	Span  *memory.Span // what clashes; nil: the claim as a whole
	About []string
}

// sidesOf are the sides of a conflict.
func sidesOf(out *term.Streams, c memory.Conflict) (a, b Side) {
	one := func(name, key, version string, f *memory.Fact, span *memory.Span) Side {
		if f == nil {
			return Side{Name: name, Key: key, About: []string{"gone from the branch"}}
		}
		s := Side{name, key, f.Claim, span, AboutFact(out, *f)}
		if IsOpen(c) && f.FactID != version {
			s.About = append(s.About, "changed since the conflict was found")
		}
		return s
	}
	return one("A", c.KeyA, c.VersionA, c.A, c.SpanA), one("B", c.KeyB, c.VersionB, c.B, c.SpanB)
}

// AboutFact says who stated a fact, when, and with which evidence.
func AboutFact(out *term.Streams, f memory.Fact) []string {
	state, freshness := "", ""
	if f.State != facts.Current {
		state = string(f.State)
	}
	if len(f.Pointers) > 0 {
		freshness = restsOn(f.Freshness)
	}
	about := []string{
		term.Dotted(f.AgentID, NameOf(f.Engineer), term.Ago(out.Now(), f.Committed)),
		term.Dotted(state, Trusted(f.Verified, f.Freshness), freshness),
	}
	if f.Evidence != "" {
		about = append(about, "evidence: "+term.Plain(f.Evidence))
	}
	return about
}

// restsOn says in words how a fact's evidence changed; "" if it did not, or if that is
// unknown.
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

// RestsOnPainted is restsOn in the colour of the verdict, as one more part of a line.
func RestsOnPainted(out *term.Streams, f memory.Freshness) string {
	text := restsOn(f)
	switch {
	case text == "":
		return ""
	case f == memory.Moved:
		return out.Color.Dim(" · " + text)
	}
	return out.Color.Dim(" · ") + out.Color.Yellow(text)
}

// Sides prints two sides in two columns if they are wide enough, otherwise one below the
// other.
func Sides(out *term.Streams, indent string, a, b Side) {
	const gap, least = "   ", 34
	width := (out.Width - len(indent) - len(gap)) / 2
	left, right := column(out, a, width), column(out, b, width)
	if width < least || widest(left) > width || widest(right) > width {
		for _, l := range append(column(out, a, out.Width-len(indent)), column(out, b, out.Width-len(indent))...) {
			out.Printf("%s%s\n", indent, l.text)
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
			out.Printf("%s%s\n", indent, l.text)
			continue
		}
		out.Printf("%s%s%s%s%s\n", indent, l.text, strings.Repeat(" ", width-l.width), gap, r.text)
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
func column(out *term.Streams, s Side, width int) (lines []line) {
	add := func(laid []string, painted func(i int) string) {
		for i, l := range laid {
			lines = append(lines, line{painted(i), utf8.RuneCountInString(l)})
		}
	}
	title := keyLines(s.Name+" ", term.Plain(s.Key), width)
	add(title, func(i int) string { return out.Color.Bold(title[i]) })
	const ownColor = "39"
	parts := spanParts(s.Claim, s.Span)
	painted := strings.Split(term.WrapPainted(parts, width, "", out.Color, ownColor), "\n")
	add(term.Wrap(joined(parts), width), func(i int) string { return painted[i] })
	for _, about := range s.About {
		laid := term.Wrap(about, width)
		add(laid, func(i int) string { return out.Color.Dim(laid[i]) })
	}
	return lines
}

// keyLines puts a name before a key, and breaks the key after slashes if it is too wide.
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

// spanParts separates the clashing part of a claim from the rest.
func spanParts(claim string, span *memory.Span) []term.Part {
	if span == nil || span.Start < 0 || span.Start >= span.End || span.End > len(claim) {
		return []term.Part{{Text: term.Plain(claim)}}
	}
	return []term.Part{
		{Text: term.Plain(claim[:span.Start])}, {Text: term.Plain(claim[span.Start:span.End]), Changed: true}, {Text: term.Plain(claim[span.End:])},
	}
}

func joined(parts []term.Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}
