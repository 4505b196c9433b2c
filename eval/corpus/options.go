package corpus

import (
	"time"

	"engram/memory"
)

// Options are the settings of Retrieval; the zero value is the default.
type Options struct {
	Now      func() time.Time // nil: the Now of every suite
	Embedder memory.Embedder  // nil: nothing is measured that needs vectors
	// Scanner sees every text before it is used; facts with secrets are left
	// out and counted. nil finds none.
	Scanner    memory.Scanner
	Progress   func(task string, done, total int) // total is 0 if unknown; nil is silent
	LimitFacts int                                // facts of the suite questions; 0 means 20,000
	Metadata   Metadata                           // of the facts of the suite questions; "" means both
}

// Metadata says how the facts of the suite questions differ beside their text.
type Metadata string

// Uniform facts are all alike: the ranking has the text alone.
const Uniform Metadata = "uniform"

// Mixed facts have age, type, evidence and agent at random.
const Mixed Metadata = "mixed"

// defaultFacts is how many facts are read if Options say nothing else.
const defaultFacts = 20_000
