package corpus

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"engram/facts"
)

// Piece is a part of a text that fits a fact.
type Piece struct{ Claim, Detail string }

// chunkSize is about how many bytes of a message become one fact: a few
// paragraphs on one matter.
const chunkSize = 1500

// Chunk cuts a message into facts at the ends of paragraphs, sentences or
// words, whichever comes last within the limit. The beginning of a piece is its
// claim, the rest its detail. Nothing is lost but white space and control
// characters.
func Chunk(text string) []Piece {
	var pieces []Piece
	for text = Cleaned(text); text != ""; {
		var part string
		part, text = cut(text, chunkSize)
		claim, detail := cut(part, facts.MaxClaim)
		if claim = facts.FoldSpace(claim); claim != "" {
			pieces = append(pieces, Piece{claim, detail})
		}
	}
	return pieces
}

// cut returns the beginning of text, of at most limit bytes, and the rest.
func cut(text string, limit int) (string, string) {
	if len(text) <= limit {
		return text, ""
	}
	end := limit
	for !utf8.RuneStart(text[end]) {
		end--
	}
	head := text[:end]
	for _, mark := range []string{"\n\n", "\n", ". ", " "} {
		if i := strings.LastIndex(head, mark); i > limit/2 {
			end = i + len(mark)
			break
		}
	}
	return strings.TrimSpace(text[:end]), strings.TrimSpace(text[end:])
}

// Cleaned removes characters that a fact must not contain.
func Cleaned(text string) string {
	text = strings.ToValidUTF8(text, " ")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text))
}
