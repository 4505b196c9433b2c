package model

import (
	"context"
	"fmt"
)

// Transformer embeds texts by a small transformer: the mean of the last layer's token
// vectors, at length 1, like all-MiniLM-L6-v2. It is safe for concurrent use; calls take
// turns.
type Transformer struct {
	*transformer
	id string
}

// OpenEmbedder opens the embedding transformer in a folder: model.onnx or onnx/model.onnx,
// tokenizer.json (WordPiece in BERT's form, or byte-level BPE in RoBERTa's) and
// config.json. The graph is loaded for the first text. Opening hashes the files unless a
// record beside them has their digests; see [Remember].
func OpenEmbedder(dir string) (*Transformer, error) {
	t, err := openTransformer(dir, KindEmbedder)
	if err != nil {
		return nil, err
	}
	if n := t.config.HiddenSize; n < 1 || n > maxDimensions {
		return nil, fmt.Errorf("%s: %w: %s: hidden_size %d", dir, ErrDamaged, configFile, n)
	}
	record, err := identifyIn(dir, KindEmbedder)
	if err != nil {
		return nil, err
	}
	return &Transformer{t, "onnx:" + record.digest()}, nil
}

// ID is "onnx:" and the beginning of a SHA-256 over the files that determine
// the vectors.
func (t *Transformer) ID() string { return t.id }

// Dimensions is the length of every vector.
func (t *Transformer) Dimensions() int { return t.config.HiddenSize }

// Instant is false: a text takes 0.2 seconds and more.
func (t *Transformer) Instant() bool { return false }

// Close frees the model. It waits for the current text.
func (t *Transformer) Close() error { return t.close() }

// Embed returns a vector of length 1 for each text, or of zeros for a text without tokens.
// Texts are cut to the model's longest input. ctx is checked between texts.
func (t *Transformer) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		v, err := t.embed(ctx, text)
		if err != nil {
			return nil, err
		}
		vectors[i] = v
	}
	return vectors, nil
}

func (t *Transformer) embed(ctx context.Context, text string) ([]float32, error) {
	tokens := t.first(t.encode(text))
	if len(tokens) == 0 {
		return make([]float32, t.config.HiddenSize), ctx.Err()
	}
	outputs, err := t.run(ctx, tokens, nil)
	if err != nil {
		return nil, err
	}
	v := pooled(outputs)
	if len(v) != t.config.HiddenSize {
		return nil, fmt.Errorf("%s: %w: the graph gives %d dimensions, %s says %d", t.dir, ErrDamaged, len(v), configFile, t.config.HiddenSize)
	}
	if !normalise(v) {
		return nil, fmt.Errorf("%s: %w: the graph gives a vector with a value that is not a number", t.dir, ErrDamaged)
	}
	return v, nil
}

// pooled returns the mean of the token vectors of a graph, or else its vector for the whole
// text. Token vectors take precedence, because some graphs also return BERT's pooled
// output, which is something else.
func pooled(outputs []any) []float32 {
	for _, output := range outputs {
		rows, ok := output.([][][]float32)
		if !ok || len(rows) != 1 || len(rows[0]) == 0 {
			continue
		}
		mean := make([]float32, len(rows[0][0]))
		for _, row := range rows[0] {
			for i, x := range row {
				mean[i] += x / float32(len(rows[0]))
			}
		}
		return mean
	}
	for _, output := range outputs {
		if rows, ok := output.([][]float32); ok && len(rows) == 1 {
			return rows[0]
		}
	}
	return nil
}
