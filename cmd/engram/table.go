package main

import (
	"strings"
	"unicode/utf8"
)

// row writes one line of tab-separated fields, for scripts.
func (io *streams) row(fields ...string) {
	for i, f := range fields {
		if i > 0 {
			io.out.WriteByte('\t')
		}
		io.out.WriteString(plain(f))
	}
	io.out.WriteByte('\n')
}

// pair is a named value.
type pair [2]string

// pairs writes named values: aligned and wrapped on a terminal, where empty
// ones are left out, and tab-separated in a pipe, where all are there.
func (io *streams) pairs(indent string, list []pair) {
	if !io.terminal {
		for _, p := range list {
			io.row(p[0], p[1])
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
		io.printf("%s%s%s  %s\n", indent, io.color.dim(p[0]), pad, indented(plain(p[1]), io.width, margin))
	}
}
