//go:build !transformers

package model

const hasTransformers = false

// loadGraph is never called: no transformer can be opened.
func loadGraph(dir string, _ []byte, _, _ int) (graph, error) { return nil, &TransformersError{dir} }
