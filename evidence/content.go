package evidence

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leastPassage is the minimum number of characters of a passage, white space not
// counted: a shorter text occurs in too many places.
const leastPassage = 12

// Passage returns the lines of the first occurrence of a passage in a content: byte by
// byte or, if there is none, with white space folded, as a retrieval tool may have
// stored it. found is false if there is no occurrence or the passage is too short.
func Passage(content []byte, passage string) (first, last int, found bool) {
	if !IsText(content) || !utf8.ValidString(passage) {
		return 0, 0, false
	}
	exact := []byte(strings.TrimFunc(passage, unicode.IsSpace))
	if at := bytes.Index(content, exact); at >= 0 && len(exact) >= leastPassage {
		return lineAt(content, at), lineAt(content, at+len(exact)-1), true
	}
	words := strings.Join(strings.Fields(passage), " ")
	if len(words) < leastPassage {
		return 0, 0, false
	}
	folded, places := fold(content)
	at := strings.Index(folded, words)
	if at < 0 {
		return 0, 0, false
	}
	return lineAt(content, places[at]), lineAt(content, places[at+len(words)-1]), true
}

// fold makes one space of every run of white space, and says for each byte of the
// result where it came from.
func fold(content []byte) (folded string, places []int) {
	var b strings.Builder
	places = make([]int, 0, len(content))
	blank := true // none at the beginning
	for at := 0; at < len(content); {
		r, size := utf8.DecodeRune(content[at:])
		switch {
		case !unicode.IsSpace(r):
			b.Write(content[at : at+size])
			for i := range size {
				places = append(places, at+i)
			}
			blank = false
		case !blank:
			b.WriteByte(' ')
			places = append(places, at)
			blank = true
		}
		at += size
	}
	return b.String(), places
}

// lineAt returns the number of the line that contains a byte.
func lineAt(content []byte, at int) int { return bytes.Count(content[:at], []byte("\n")) + 1 }

// Content is one version of a file, parsed once for all pointers into it. It is
// immutable after Read and safe for concurrent use.
type Content struct {
	data   []byte
	text   bool
	lines  [][]byte // of a text, without their ends
	starts []int    // where each begins, and where the last one ends
}

// Read parses a content. It keeps the bytes, which the caller must not change.
func Read(data []byte) *Content {
	c := &Content{data: data, text: IsText(data)}
	if !c.text {
		return c
	}
	at := 0
	for line := range bytes.Lines(data) {
		c.starts = append(c.starts, at)
		c.lines = append(c.lines, withoutEnd(line))
		at += len(line)
	}
	c.starts = append(c.starts, len(data))
	return c
}

// Bytes returns the whole content.
func (c *Content) Bytes() []byte { return c.data }

// part returns the lines first to last with their line ends; nil if there are fewer.
func (c *Content) part(first, last int) []byte {
	if first < 1 || last < first || last > len(c.lines) {
		return nil
	}
	return c.data[c.starts[first-1]:c.starts[last]]
}

// withoutEnd returns a line without its line end, LF or CRLF.
func withoutEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

// bareLines returns the lines of a part without their line ends.
func bareLines(part []byte) [][]byte { return Read(part).lines }

// How many letters and digits a text needs to be recognised elsewhere: less, such as a
// closing brace, occurs anywhere by chance. git blame -M requires 20 to report lines
// as moved.
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
