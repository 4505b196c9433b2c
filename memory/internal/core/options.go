package core

import (
	"log/slog"
	"time"

	"engram/bus"
	"engram/bus/ledger"
	"engram/detect"
	"engram/gitstore"
	"engram/index"
	"engram/internal/hint"
)

// DefaultBranch is the memory branch unless another was chosen.
const DefaultBranch = gitstore.DefaultBranch

// DefaultTurnTime is how long a turn lasts, counted from its first dereference.
const DefaultTurnTime = ledger.DefaultTurnTime

// Options are the settings of a memory; the zero value is the default.
type Options struct {
	Branch string                 // "" means gitstore.DefaultBranch
	Now    func() time.Time       // the clock; nil means time.Now
	NewID  func(time.Time) string // ULIDs; nil means random ones, rising within a process
	// Progress is told of long work, by several goroutines; total is 0 if
	// unknown, nil is silent.
	Progress func(task string, done, total int)
	Logger   *slog.Logger // nil discards
	// Classify is set by package memory, whose callers omit it.
	Classify func(error) (Code, hint.Hint)
	Embedder Embedder // nil: lexical mode
	// EmbedderProblem is why there is no Embedder although one was chosen.
	// Answers say it.
	EmbedderProblem string
	Weights         *Weights // of the parts of a score; nil: DefaultWeights
	Models          Models   // that an audit may ask
	// Agent is the reader whose permissions apply if an input names none; "" is a
	// person.
	Agent string
	// Prompt lets git ask for a password at the terminal when it contacts a remote.
	Prompt bool
	Trunk  string // the code branch that work is merged into; "" finds it
	Bus    BusOptions
	// EvidenceTime bounds the time that an answer spends on checking evidence; 0 is the
	// default of docs/evidence.md; below 0, only Verify checks evidence.
	EvidenceTime time.Duration
}

// BusOptions are the settings of what agents exchange; the zero value is the default.
type BusOptions struct {
	Limits Limits
	// Parents are the agents that may issue grants, let facts reach beyond the project,
	// and end facts of others over the bus. People always may.
	Parents []string
	// TurnTime ends a turn that nothing else ended; 0 is DefaultTurnTime.
	TurnTime time.Duration
}

// What agents exchange, as package bus has it.
type (
	Limits = bus.Limits
)

// Models are the models that an audit may ask besides the rules; the zero value is none.
type Models struct {
	Tagger detect.Tagger // finds names that the rules may miss
	NLI    detect.NLI    // tier 1
	NLIID  string        // names the model in what it finds
	LLM    detect.LLM    // tier 3
	LLMID  string
	// HighStakes are scopes whose likeliest pairs the language model judges even if
	// nothing else finds a conflict (the consistency plan, tier 3).
	HighStakes []string
}

// Any reports whether a model judges pairs.
func (m Models) Any() bool { return m.NLI != nil || m.LLM != nil }

// Weights are the weights of the parts of a score, relevance counting 1.
type Weights = index.Weights

// DefaultWeights are the weights of the score in the retrieval plan.
func DefaultWeights() Weights { return index.DefaultWeights() }

// Embedder turns texts into vectors; package model has some.
type Embedder = index.Embedder
