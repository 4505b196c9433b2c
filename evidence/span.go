package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"unicode/utf8"
)

// What can be wrong with an address that a content does not have.
var (
	// ErrNoSuchPart: the content has no such lines, section or test.
	ErrNoSuchPart = errors.New("nothing stands there")
	// ErrBinary: the content is no text, so that lines mean nothing in it.
	ErrBinary = errors.New("it is no text")
)

// Span is a part of a file: the lines First to Last, counted from 1, the last
// included, with the ends of lines that they have. Of a file without lines both
// are 0.
type Span struct {
	First, Last int
	Text        []byte
}

// Digest is the content digest of some bytes, as pointers have it.
func Digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// IsText reports whether a content is text: UTF-8 without NUL.
func IsText(content []byte) bool {
	return bytes.IndexByte(content, 0) < 0 && utf8.Valid(content)
}

// Lines are the lines first to last of a text. The error wraps ErrNoSuchPart where
// it has fewer.
func Lines(content []byte, first, last int) (Span, error) {
	if !IsText(content) {
		return Span{}, ErrBinary
	}
	start, end := -1, -1
	at := 0
	n := 0
	for at < len(content) && end < 0 {
		n++
		next := bytes.IndexByte(content[at:], '\n')
		if next < 0 {
			next = len(content)
		} else {
			next += at + 1
		}
		if n == first {
			start = at
		}
		if n == last {
			end = next
		}
		at = next
	}
	if start < 0 || end < 0 {
		return Span{}, fmt.Errorf("%w: it has %d lines", ErrNoSuchPart, Count(content))
	}
	return Span{first, last, content[start:end]}, nil
}

// Count is how many lines a text has; a last one without an end counts.
func Count(content []byte) int {
	n := bytes.Count(content, []byte("\n"))
	if len(content) > 0 && content[len(content)-1] != '\n' {
		n++
	}
	return n
}
