package evidence

import (
	"bytes"

	"engram/facts"
)

// Cut returns the part of a content that an address names:
//
//  1. Lines: those lines.
//  2. A name in an artifact: the section of that name (Section).
//  3. A name in a test: the test of that name (Test).
//  4. Neither: all of it, even if it is not text.
//
// The error wraps ErrNoSuchPart, or ErrBinary if the content has no lines.
func Cut(a facts.Address, content []byte) (Span, error) {
	switch {
	case a.FirstLine > 0:
		return Lines(content, a.FirstLine, a.LastLine)
	case a.Name != "" && a.Type == facts.PointArtifact:
		return Section(content, a.Name)
	case a.Name != "" && a.Type == facts.PointTest:
		return Test(a.Path, content, a.Name)
	case len(content) == 0 || !IsText(content):
		return Span{Text: content}, nil
	}
	return Span{1, Count(content), content}, nil
}

// Shorten returns the longest prefix of whole lines with at most that many tokens, as
// estimated by facts.Tokens. short is the zero Span if the first line is too long.
func Shorten(s Span, tokens int) (short Span, cut bool) {
	used, at, last := 0, 0, s.First-1
	for line := range bytes.Lines(s.Text) {
		if used += facts.Tokens(string(line)); used > tokens {
			if at == 0 {
				return Span{}, true
			}
			return Span{s.First, last, s.Text[:at]}, true
		}
		at += len(line)
		last++
	}
	return s, false
}

// lfsVersions are the first lines of Git LFS pointer files
// (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md).
var lfsVersions = [][]byte{
	[]byte("version https://git-lfs.github.com/spec/v1\n"),
	[]byte("version https://hawser.github.com/spec/v1\n"),
}

// maxLFS is the maximum size of such a file.
const maxLFS = 1024

// IsLFS reports whether a content is a Git LFS pointer file.
func IsLFS(content []byte) bool {
	if len(content) >= maxLFS || !bytes.Contains(content, []byte("\noid sha256:")) || !bytes.Contains(content, []byte("\nsize ")) {
		return false
	}
	return bytes.HasPrefix(content, lfsVersions[0]) || bytes.HasPrefix(content, lfsVersions[1])
}

// textLine is a line with its position.
type textLine struct {
	number int
	at     int    // in bytes
	text   string // without its end
}

// linesOf splits a text into lines.
func linesOf(content []byte) []textLine {
	lines := make([]textLine, 0, Count(content))
	at := 0
	for line := range bytes.Lines(content) {
		lines = append(lines, textLine{len(lines) + 1, at, string(withoutEnd(line))})
		at += len(line)
	}
	return lines
}

// between returns the span of lines from one index up to another, exclusive.
func between(content []byte, lines []textLine, from, to int) Span {
	end := len(content)
	if to < len(lines) {
		end = lines[to].at
	}
	return Span{from + 1, to, content[lines[from].at:end]}
}

// indentation returns how far a line is indented, in columns.
func indentation(line string) int {
	const tab = 4
	n := 0
	for i := range len(line) {
		switch line[i] {
		case ' ':
			n++
		case '\t':
			n += tab - n%tab
		default:
			return n
		}
	}
	return n
}
