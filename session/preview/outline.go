package preview

import (
	"bytes"
	"strconv"
	"strings"

	"engram/internal/lazyregexp"
)

// definitions are how lines begin that define something, in common languages.
var definitions = []string{
	"func ", "type ", "class ", "def ", "async def ", "interface ", "struct ", "enum ", "trait ", "impl ", "impl<", "fn ", "pub ",
	"export ", "function ", "async function ", "module ", "namespace ", "public ", "private ", "protected ", "abstract ", "static ", "object ", "record ",
	"create table ", "CREATE TABLE ", "create index ", "CREATE INDEX ", "data class ", "sealed ", "defmodule ", "macro_rules! ", "typedef ", "template<", "template <",
}

var arrow = lazyregexp.New(`^(const|let|var) \w+ = (async )?(\(|function)`)

// numbered is a line as agents' tools print it: with its number before it.
var numbered = lazyregexp.New(`^ *([0-9]{1,7})(?:\t|→|: |\|)`)

// outline previews Markdown by its headings and code by what it defines, with the numbers
// of their lines; false, and nothing written, if a text has too few of them.
func outline(o *output, mediaType string, data []byte) bool {
	isCode := strings.HasPrefix(mediaType, "text/x-") || mediaType == "text/javascript"
	isMarkdown := mediaType == "text/markdown"
	if !isCode && !isMarkdown && mediaType != "text/plain" {
		return false
	}
	var headings, defined []string
	nHeadings, nDefined, number, fenced := 0, 0, 0, false
	for line := range bytes.Lines(data) {
		number++
		label := number
		if len(line) < 4 {
			continue
		}
		if c := line[0]; c == ' ' || c >= '0' && c <= '9' {
			if m := numbered.FindSubmatch(line[:min(len(line), 20)]); m != nil {
				label, _ = strconv.Atoi(string(m[1])) // seven digits
				line = line[len(m[0]):]
			}
		}
		if bytes.HasPrefix(line, []byte("```")) {
			fenced = !fenced
		}
		switch {
		case !fenced && len(line) > 0 && line[0] == '#' && isHeading(line):
			if nHeadings++; len(headings) < 24 {
				headings = append(headings, strconv.Itoa(label)+": "+clean(string(line[:min(len(line), longLine)])))
			}
		case isDefinition(line):
			if nDefined++; len(defined) < 24 {
				defined = append(defined, strconv.Itoa(label)+": "+strings.TrimRight(clean(string(line[:min(len(line), longLine)])), " {"))
			}
		}
	}
	found, count := defined, nDefined
	if isMarkdown || !isCode && nHeadings > nDefined {
		found, count = headings, nHeadings
	}
	if count < 3 && !(count > 0 && (isCode || isMarkdown)) {
		return false
	}
	o.line(counted(data), 100)
	if shown := o.lines(found, o.left-30); count > shown {
		o.line(dots+" "+strconv.Itoa(count-shown)+" more", 30)
	}
	return true
}

// isHeading reports whether a line is a heading of Markdown.
func isHeading(line []byte) bool {
	rest := bytes.TrimLeft(line, "#")
	return len(line)-len(rest) <= 6 && len(rest) > 1 && rest[0] == ' '
}

// isDefinition reports whether a line defines something at the top, or in a class.
func isDefinition(line []byte) bool {
	trimmed := bytes.TrimLeft(line[:min(len(line), 200)], " \t")
	if len(trimmed) < 5 || len(line)-len(trimmed) > 4 && len(line) < 200 {
		return false
	}
	for _, d := range definitions {
		if trimmed[0] == d[0] && bytes.HasPrefix(trimmed, []byte(d)) {
			return d != "static " && d != "public " && d != "private " && d != "protected " && d != "pub " || bytes.ContainsAny(trimmed, "({") || bytes.Contains(trimmed, []byte("class"))
		}
	}
	return len(line) > 0 && line[0] != ' ' && arrow.Match(trimmed)
}
