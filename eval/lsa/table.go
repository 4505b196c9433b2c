package lsa

import (
	"context"
	"errors"
	"math"
	"slices"
)

// DefaultDimensions is the length of a vector where nobody chose another.
const DefaultDimensions = 256

// frequent is the weight parameter a of SIF: a word with this share of all
// occurrences counts half.
const frequent = 1e-3

// Table is one vector for each sub-word of a vocabulary; those of sub-words
// that no text has are zero.
type Table struct {
	Dimensions int
	Vectors    [][]float32 // by number of the sub-word
	Tokens     int         // occurrences of sub-words in the texts
	Seen       int         // different sub-words among them
	Pairs      int         // numbers in the matrix that was decomposed
}

// Train makes a table out of texts. The same texts in the same order give the
// same table. progress may be called with any task; it must not be nil.
func Train(ctx context.Context, tokenizer *WordPiece, texts []string, dimensions int, progress func(task string, done, total int)) (Table, error) {
	if dimensions < 1 {
		return Table{}, errors.New("train a table: no dimensions")
	}
	c := newCounts(tokenizer.Size())
	tokens := make([][]int, len(texts))
	for i, text := range texts {
		if ctx.Err() != nil {
			return Table{}, context.Cause(ctx)
		}
		words := tokenizer.Words(text)
		c.add(words)
		tokens[i] = slices.Concat(words...)
		progress("counting words", i+1, len(texts))
	}
	m, known := c.ppmi()
	if len(known) == 0 {
		return Table{}, errors.New("train a table: the texts have no word of the vocabulary")
	}
	done := 0
	s, err := decompose(ctx, m, dimensions, func() {
		done++
		progress("decomposing", done, steps)
	})
	if err != nil {
		return Table{}, err
	}
	t := Table{Dimensions: dimensions, Vectors: make([][]float32, tokenizer.Size()), Tokens: int(c.total), Seen: len(known), Pairs: len(m.values)}
	rows := c.rows(s, known, dimensions)
	common := commonDirection(rows, tokens, dimensions)
	for id, row := range rows {
		t.Vectors[id] = make([]float32, dimensions)
		if row == nil {
			continue
		}
		addScaled(row, common, -dot(row, common))
		for k, x := range row {
			t.Vectors[id][k] = float32(x)
		}
	}
	return t, nil
}

// rows are the weighted vectors of the known sub-words, nil for the rest.
func (c *counts) rows(s svd, known []int, dimensions int) [][]float64 {
	rows := make([][]float64, len(c.occurrences))
	for place, id := range known {
		weight := frequent / (frequent + c.occurrences[id]/c.total)
		rows[id] = make([]float64, dimensions)
		for k, value := range s.values {
			rows[id][k] = weight * math.Sqrt(value) * s.left[k][place]
		}
	}
	return rows
}

// commonDirection is the first principal direction of the texts' vectors, each
// the mean of its sub-words, by power iteration.
func commonDirection(rows [][]float64, texts [][]int, dimensions int) []float64 {
	var means [][]float64
	for _, ids := range texts {
		mean := make([]float64, dimensions)
		for _, id := range ids {
			addScaled(mean, rows[id], 1/float64(len(ids)))
		}
		means = append(means, mean)
	}
	direction := make([]float64, dimensions)
	for k := range direction {
		direction[k] = 1
	}
	const rounds = 20 // the first direction stands out by far
	for range rounds {
		next := make([]float64, dimensions)
		for _, mean := range means {
			addScaled(next, mean, dot(mean, direction))
		}
		length := math.Sqrt(dot(next, next))
		if length == 0 {
			return next
		}
		for k := range next {
			direction[k] = next[k] / length
		}
	}
	return direction
}
