// Package preview shows in a few lines what a large content is, by its type (source
// document 5, §4.4): the end of a log with its first error, the skeleton of JSON with
// counts, the matches of a search by file, the head of a table, the outline of Markdown and
// code, the dimensions of an image. A preview is UTF-8 without control characters other
// than newline and tab, and has at most Most bytes. Each content is read once or twice,
// however large it is.
package preview

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Most is the most bytes that a preview has.
const Most = 1200

// whole is up to how many bytes a text is its own preview.
const whole = 1000

// Of returns the preview of a content. tool and name, the tool that it came from and its
// file name, may be "". mediaType is returned as it is, or guessed by name and content if
// it is "". It satisfies session.Previewer.
func Of(tool, name, mediaType string, data []byte) (preview, guessed string) {
	own := guess(name, data)
	if mediaType == "" {
		mediaType = own
	}
	if strings.HasPrefix(mediaType, "image/") {
		return image(mediaType, data), clean(mediaType)
	}
	if isBinary(data) {
		return clean(mediaType) + ", " + size(len(data)), clean(mediaType)
	}
	if own == "text/plain" {
		own = mediaType
	}
	o := &output{left: Most}
	text(o, tool, name, own, data)
	return o.String(), clean(mediaType)
}

// text previews a content that is text.
func text(o *output, tool, name, mediaType string, data []byte) {
	if len(data) <= whole && bytes.Count(data, newline) <= 40 {
		for line := range bytes.Lines(data) {
			o.line(clean(string(line)), whole)
		}
		return
	}
	tool = strings.ToLower(tool)
	switch {
	case mediaType == "application/json":
		skeleton(o, bytes.TrimSpace(data))
	case isDiff(data):
		diff(o, data)
	case isSearch(tool, data):
		search(o, data)
	case isTable(mediaType, data) && !(isShell(tool) && hasError(data)):
		table(o, data)
	case isShell(tool) || strings.HasSuffix(name, ".log"):
		log(o, data)
	case outline(o, mediaType, data):
	case hasError(data):
		log(o, data)
	default:
		ends(o, data)
	}
}

// output is a preview that is written, line by line.
type output struct {
	strings.Builder
	left int
}

// line adds a line, at most most bytes of it; false if it does not fit.
func (o *output) line(text string, most int) bool {
	text = shorten(text, most)
	n := len(text)
	if o.Len() > 0 {
		n++
	}
	if n > o.left {
		return false
	}
	if o.Len() > 0 {
		o.WriteByte('\n')
	}
	o.WriteString(text)
	o.left -= n
	return true
}

// lines adds lines in at most budget bytes, long ones cut so that all have a part, and
// returns how many there was room for.
func (o *output) lines(all []string, budget int) (shown int) {
	budget = min(budget, o.left)
	most := 800
	for ; most > 40; most = most * 3 / 4 {
		sum := 0
		for _, line := range all {
			sum += min(len(line), most) + 1
		}
		if sum <= budget {
			break
		}
	}
	for _, line := range all {
		if budget -= min(len(line), most) + 1; budget < 0 || !o.line(line, most) {
			break
		}
		shown++
	}
	return shown
}

const dots = "..."

// shorten cuts a text to a number of bytes, between characters.
func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	cut := max(0, most-len(dots))
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + dots
}

// longLine is how many bytes of a line are looked at.
const longLine = 4 << 10

// clean returns a line as it can be shown: without escape sequences, control characters
// and characters that turn the direction of text, and without what was written over.
func clean(line string) string {
	line = strings.TrimRight(line[:min(len(line), longLine)], "\r\n")
	if at := strings.LastIndexByte(line, '\r'); at >= 0 { // a progress bar
		line = line[at+1:]
	}
	if plain(line) {
		return line
	}
	var b strings.Builder
	for i := 0; i < len(line); {
		if line[i] == 0x1b {
			i += escape(line[i:])
			continue
		}
		r, n := utf8.DecodeRuneInString(line[i:])
		switch {
		case r == utf8.RuneError && n <= 1:
			b.WriteRune(utf8.RuneError)
		case hidden(r):
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// plain reports whether a line is ASCII without control characters.
func plain(line string) bool {
	for i := range len(line) {
		if c := line[i]; c < ' ' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

// hidden reports whether a character does something other than to be seen.
func hidden(r rune) bool {
	return r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 || r == 0xad || r == 0x61c || r >= 0x200b && r <= 0x200f ||
		r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r == 0xfeff || r >= 0xe0000 && r <= 0xe007f
}

// escape returns how long the escape sequence is that a text begins with.
func escape(text string) int {
	if len(text) < 2 {
		return 1
	}
	switch text[1] {
	case '[':
		for i := 2; i < len(text); i++ {
			if c := text[i]; c >= 0x40 && c <= 0x7e {
				return i + 1
			} else if c < 0x20 || c > 0x3f {
				return i
			}
		}
		return len(text)
	case ']', 'P', '^', '_', 'X':
		for i := 2; i < len(text); i++ {
			if text[i] == 7 {
				return i + 1
			}
			if text[i] == 0x1b {
				return min(i+2, len(text))
			}
		}
		return 2
	}
	if text[1] >= 0x80 {
		return 1
	}
	return 2
}

// size writes a number of bytes for people.
func size(n int) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 1<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}
