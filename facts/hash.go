package facts

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"engram/internal/visible"
)

// ContentHash identifies a claim regardless of case and white space: it is the
// SHA-256, in hex, of the claim in lower case with each run of white space folded to
// one space.
func ContentHash(claim string) string {
	sum := sha256.Sum256([]byte(FoldSpace(strings.ToLower(claim))))
	return hex.EncodeToString(sum[:])
}

// FoldSpace trims s and folds each run of white space in it, line breaks
// included, to one space.
func FoldSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// Visible returns s, lines and tabs included, without other control characters and without
// invisible ones.
func Visible(s string) string { return visible.Text(s) }

// OneLine returns s as one line without control and invisible characters: the form in which
// a text of a fact becomes part of a commit message.
func OneLine(s string) string { return visible.Line(s) }

// Cut shortens s to at most limit characters, the last of which is "…" if it was longer.
func Cut(s string, limit int) string {
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return s
}
