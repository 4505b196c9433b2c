package embedding

import "context"

// Embedder turns texts into vectors. It may be called from several goroutines.
type Embedder interface {
	// ID names the model by its content. Vectors of two IDs are never compared.
	ID() string
	// Dimensions is the length of every vector.
	Dimensions() int
	// Embed returns one vector of length 1 for each text, in order; a text
	// without a known word gives a vector of zeros.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Instant reports whether a text costs so little (microseconds) that a question can
	// wait for missing vectors. Otherwise they are left to the background.
	Instant() bool
}
