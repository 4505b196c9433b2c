// Package evidence resolves pointers in file contents: which bytes a pointer names,
// their digest, and whether another version of the file still has them.
//
// The package is pure: it takes contents and returns values. gitstore reads the files
// of commits and work trees; memory knows which facts depend on them.
package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Why a content does not have the part that an address names.
var (
	// ErrNoSuchPart: the content has no such lines, section or test.
	ErrNoSuchPart = errors.New("nothing is there")
	// ErrBinary: the content is not text and has no lines.
	ErrBinary = errors.New("it is not text")
)

// Span is a part of a file: the lines First to Last, counted from 1 and inclusive,
// with their line ends. Both are 0 for a file without lines.
type Span struct {
	First, Last int
	Text        []byte
}

// Digest returns the digest of some bytes in the form that pointers use.
func Digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// IsText reports whether a content is text: UTF-8 without NUL.
func IsText(content []byte) bool {
	return bytes.IndexByte(content, 0) < 0 && utf8.Valid(content)
}

// Lines returns the lines first to last of a text. The error wraps ErrNoSuchPart if it
// has fewer.
func Lines(content []byte, first, last int) (Span, error) {
	if !IsText(content) {
		return Span{}, ErrBinary
	}
	n, start, at := 0, -1, 0
	for line := range bytes.Lines(content) {
		if n++; n == first {
			start = at
		}
		at += len(line)
		if n == last && start >= 0 {
			return Span{first, last, content[start:at]}, nil
		}
	}
	return Span{}, fmt.Errorf("%w: it has %d lines", ErrNoSuchPart, n)
}

// Count returns the number of lines of a text, including a last one without line end.
func Count(content []byte) int {
	n := bytes.Count(content, []byte("\n"))
	if len(content) > 0 && content[len(content)-1] != '\n' {
		n++
	}
	return n
}

// Freshness is the verdict on a pointer in a checkout.
type Freshness string

// The verdicts.
const (
	Fresh     Freshness = "fresh"     // the same bytes stand there
	Moved     Freshness = "moved"     // the same bytes stand elsewhere
	Drifted   Freshness = "drifted"   // something else stands there
	Missing   Freshness = "missing"   // nothing stands there
	Unchecked Freshness = "unchecked" // nobody could, or had the time to, compare
)

// Freshnesses lists every verdict, the best first.
func Freshnesses() []Freshness { return []Freshness{Fresh, Moved, Drifted, Missing, Unchecked} }

// Worst returns the verdict on a fact from those on its pointers: the first of
// missing, drifted, moved and fresh that occurs, else unchecked.
func Worst(all []Freshness) Freshness {
	for _, f := range []Freshness{Missing, Drifted, Moved, Fresh} {
		if slices.Contains(all, f) {
			return f
		}
	}
	return Unchecked
}
