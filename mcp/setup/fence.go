package setup

import (
	"strings"

	"engram/internal/lazyregexp"
)

// fence is the line that begins code in Markdown: how many of which character.
// The zero value is none.
type fence struct {
	char   byte
	length int
}

// beforeFence is what a fence may stand behind: space, and the marks of quotes and
// of items of lists.
var beforeFence = lazyregexp.New(`^(?:[ \t]|>|[-*+][ \t]|[0-9]{1,9}[.)][ \t])*`)

// opening is the fence that a line opens. After section 4.5 of CommonMark 0.31, but
// that the depth of what a fence stands in is not looked at.
func opening(line string) fence {
	rest := line[len(beforeFence.FindString(line)):]
	f := fenceOf(rest)
	if f.length < 3 || f.char == '`' && strings.Contains(rest[f.length:], "`") { // code within a line
		return fence{}
	}
	return f
}

// closedBy reports whether a line ends the code.
func (f fence) closedBy(line string) bool {
	rest := strings.TrimLeft(line, " \t>")
	other := fenceOf(rest)
	return other.char == f.char && other.length >= f.length && strings.TrimSpace(rest[other.length:]) == ""
}

// fenceOf counts what a text begins with.
func fenceOf(text string) fence {
	if text == "" || text[0] != '`' && text[0] != '~' {
		return fence{}
	}
	n := len(text) - len(strings.TrimLeft(text, text[:1]))
	return fence{text[0], n}
}
