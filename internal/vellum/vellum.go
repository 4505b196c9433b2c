// Package vellum takes the place of github.com/blevesearch/vellum in engram, by a
// replace directive in go.mod. All is the original's; only the builder of
// Levenshtein automata, which Bleve's package scorch makes two of before main, is
// lazy (package levenshtein). engram has no fuzzy queries, and those two are
// 25,700 of the 28,000 allocations that the whole program makes before main.
//
// What is listed here is what scorch and its segments use: a later version of
// Bleve that needs more does not compile until the name is added.
package vellum

import (
	"io"

	original "vellum.original"
)

type (
	Automaton      = original.Automaton
	Builder        = original.Builder
	BuilderOpts    = original.BuilderOpts
	FST            = original.FST
	FSTIterator    = original.FSTIterator
	FuzzyAutomaton = original.FuzzyAutomaton
	FuzzyIterator  = original.FuzzyIterator
	Iterator       = original.Iterator
	Reader         = original.Reader
)

// ErrIteratorDone is the original's.
var ErrIteratorDone = original.ErrIteratorDone

// New is the original's.
func New(w io.Writer, opts *BuilderOpts) (*Builder, error) { return original.New(w, opts) }

// Load is the original's.
func Load(data []byte) (*FST, error) { return original.Load(data) }
