// Package regexp is the original's.
package regexp

import (
	"regexp/syntax"

	original "vellum.original/regexp"
)

// DefaultLimit is the original's.
var DefaultLimit = original.DefaultLimit

// Regexp is the original's.
type Regexp = original.Regexp

// NewParsedWithLimit is the original's.
func NewParsedWithLimit(expr string, parsed *syntax.Regexp, size uint) (*Regexp, error) {
	return original.NewParsedWithLimit(expr, parsed, size)
}
