package evidence

import (
	"bytes"
	"unicode"
)

// Content is a state of a file, taken apart once for all pointers into it. It is not
// changed after Read, and safe for concurrent use.
type Content struct {
	data   []byte
	text   bool
	lines  [][]byte // of a text, without their ends
	starts []int    // where each begins, and where the last one ends
}

// Read takes a content apart; it keeps the bytes, which must not change any more.
func Read(data []byte) *Content {
	c := &Content{data: data, text: IsText(data)}
	if !c.text {
		return c
	}
	for at := 0; at < len(data); {
		next := len(data)
		if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
			next = at + n + 1
		}
		c.starts = append(c.starts, at)
		c.lines = append(c.lines, withoutEnd(data[at:next]))
		at = next
	}
	c.starts = append(c.starts, len(data))
	return c
}

// Bytes are those of the whole content.
func (c *Content) Bytes() []byte { return c.data }

// part are the lines first to last with their ends; nil where there are fewer.
func (c *Content) part(first, last int) []byte {
	if first < 1 || last < first || last > len(c.lines) {
		return nil
	}
	return c.data[c.starts[first-1]:c.starts[last]]
}

// withoutEnd cuts the end of a line off, as it is on either kind of system.
func withoutEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

// bareLines are the lines of a part, without their ends.
func bareLines(part []byte) [][]byte { return Read(part).lines }

// How many letters and digits a text needs to be known again: less occurs anywhere
// by chance, like a closing brace. git blame asks for 20 before it takes lines for
// copied from elsewhere in the same commit (-M).
const (
	tellingHere      = 8  // in the file where it stood
	tellingElsewhere = 20 // in another
)

// telling counts letters and digits, as far as it matters.
func telling(text []byte) int {
	n := 0
	for _, r := range string(text) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if n++; n == tellingElsewhere {
				break
			}
		}
	}
	return n
}
