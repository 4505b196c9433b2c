// Package levenshtein builds Levenshtein automata as the original does, but
// prepares a builder when it is first used: that takes milliseconds.
package levenshtein

import (
	"sync"

	original "vellum.original/levenshtein"
)

// DFA is the original's.
type DFA = original.DFA

// LevenshteinAutomatonBuilder is the original's, prepared on first use.
type LevenshteinAutomatonBuilder struct {
	maxDistance uint8
	prepared    func() (*original.LevenshteinAutomatonBuilder, error)
}

// NewLevenshteinAutomatonBuilder returns a builder; BuildDfa reports what is wrong
// with its arguments.
func NewLevenshteinAutomatonBuilder(maxDistance uint8, transposition bool) (*LevenshteinAutomatonBuilder, error) {
	return &LevenshteinAutomatonBuilder{maxDistance, sync.OnceValues(func() (*original.LevenshteinAutomatonBuilder, error) {
		return original.NewLevenshteinAutomatonBuilder(maxDistance, transposition)
	})}, nil
}

// BuildDfa is the original's.
func (b *LevenshteinAutomatonBuilder) BuildDfa(query string, fuzziness uint8) (*DFA, error) {
	prepared, err := b.prepared()
	if err != nil {
		return nil, err
	}
	return prepared.BuildDfa(query, fuzziness)
}

// MaxDistance is the original's.
func (b *LevenshteinAutomatonBuilder) MaxDistance() uint8 { return b.maxDistance }
