package evidence

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leastPassage is how many characters beside white space a passage has at least:
// anything shorter stands in too many places.
const leastPassage = 12

// Passage finds the lines of a content in which a passage stands, the first place of
// several: byte by byte, or else with every run of white space as one space, as
// whoever cut the content into passages may have left it. found is false where it
// stands nowhere, or is too short to tell.
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

// lineAt is the number of the line that a byte is in.
func lineAt(content []byte, at int) int { return bytes.Count(content[:at], []byte("\n")) + 1 }
