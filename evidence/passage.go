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
