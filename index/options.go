package index

import (
	"log/slog"

	"engram/index/internal/embedding"
)

// Options are the settings of an index; the zero value is the default.
type Options struct {
	// Progress is told how many of how many states are indexed, during a
	// rebuild and a long catch-up, from one goroutine at a time.
	Progress func(done, total int)
	Logger   *slog.Logger // nil discards
	// Concepts names what a text is about, such as service:gateway; nil: nothing
	// is named. ConceptsVersion is to change whenever its answers do.
	Concepts        func(text string) []string
	ConceptsVersion int
	Embedder        embedding.Embedder // nil: no vectors
	// Embedding is told what Embed is doing, and how much of how much is done.
	Embedding func(task string, done, total int)
}
