package term

import (
	"strings"
	"unicode/utf8"
)

// Row writes one line of tab-separated fields, for scripts.
func (out *Streams) Row(fields ...string) {
	for i, f := range fields {
		if i > 0 {
			out.Data.WriteByte('\t')
		}
		out.Data.WriteString(Plain(f))
	}
	out.Data.WriteByte('\n')
}

// Summary writes a faint line of parts with dots between them, such as the last line of a
// list on a terminal.
func (out *Streams) Summary(parts ...string) {
	out.Printf("%s\n", out.Color.Dim(Dotted(parts...)))
}

// Text writes a paragraph: control characters are made visible, lines are wrapped, and
// each begins with indent.
func (out *Streams) Text(indent, text string) {
	out.Painted(func(s string) string { return s }, indent, text)
}

// Painted is Text in a colour.
func (out *Streams) Painted(paint func(string) string, indent, text string) {
	out.Printf("%s%s\n", indent, paint(Indented(Plain(text), out.Width, indent)))
}

// Lines writes each line of a text behind indent, with control characters made visible.
func (out *Streams) Lines(indent, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		out.Printf("%s%s\n", indent, Plain(line))
	}
}

// Pair is a named value.
type Pair [2]string

// Pairs writes named values: aligned and wrapped on a terminal, where empty
// ones are left out, and tab-separated in a pipe, where all are there.
func (out *Streams) Pairs(indent string, list []Pair) {
	if !out.Terminal {
		for _, p := range list {
			out.Row(p[0], p[1])
		}
		return
	}
	widest := 0
	for _, p := range list {
		if p[1] != "" {
			widest = max(widest, utf8.RuneCountInString(p[0]))
		}
	}
	for _, p := range list {
		if p[1] == "" {
			continue
		}
		pad := strings.Repeat(" ", widest-utf8.RuneCountInString(p[0]))
		margin := indent + strings.Repeat(" ", widest+2)
		out.Printf("%s%s%s  %s\n", indent, out.Color.Dim(p[0]), pad, Indented(Plain(p[1]), out.Width, margin))
	}
}
