package setup

import (
	"strings"

	"engram/internal/lazyregexp"
)

// fence is the line that begins code in Markdown: a character, and how often it is
// repeated. The zero value is no fence.
type fence struct {
	char   byte
	length int
}

// beforeFence matches what may precede a fence: space, and the marks of quotes and list
// items.
var beforeFence = lazyregexp.New(`^(?:[ \t]|>|[-*+][ \t]|[0-9]{1,9}[.)][ \t])*`)

// opening returns the fence that a line opens, by section 4.5 of CommonMark 0.31, except
// that the nesting of quotes and lists is ignored.
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

// fenceOf returns the fence characters at the beginning of a text.
func fenceOf(text string) fence {
	if text == "" || text[0] != '`' && text[0] != '~' {
		return fence{}
	}
	n := len(text) - len(strings.TrimLeft(text, text[:1]))
	return fence{text[0], n}
}
