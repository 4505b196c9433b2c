// Package utf8 is the original's.
package utf8

import original "vellum.original/utf8"

type (
	Sequence   = original.Sequence
	Sequences  = original.Sequences
	RangeStack = original.RangeStack
)

// NewSequencesPrealloc is the original's.
func NewSequencesPrealloc(start, end rune, prealloc Sequences, ranges RangeStack, startBytes, endBytes []byte) (Sequences, RangeStack, error) {
	return original.NewSequencesPrealloc(start, end, prealloc, ranges, startBytes, endBytes)
}
