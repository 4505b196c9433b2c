package model

import (
	"context"
	"fmt"
	"strings"
)

// Tagger finds spans such as names in a text, with a transformer that classifies tokens. It
// is safe for concurrent use; calls take turns.
type Tagger struct{ *transformer }

// Span is a part of a text.
type Span struct {
	Label      string  // without the B- or I- of the model's classes
	Start, End int     // bytes
	Score      float64 // the mean probability of its words' label
}

// OpenTagger opens the token classifier in a folder: files as for [OpenEmbedder], and the
// classes as id2label in config.json, in the scheme O, B-…, I-… or without prefixes.
func OpenTagger(dir string) (*Tagger, error) {
	t, err := openTransformer(dir, KindTagger)
	if err != nil {
		return nil, err
	}
	if len(t.config.Labels) == 0 {
		return nil, fmt.Errorf("%s: %w: %s has no id2label", dir, ErrNoModel, configFile)
	}
	return &Tagger{t}, nil
}

// Tag returns the spans of a text, in order. It ignores text beyond the model's longest
// input.
func (t *Tagger) Tag(ctx context.Context, text string) ([]Span, error) {
	tokens := t.first(t.encode(text))
	if len(tokens) == 0 {
		return nil, ctx.Err()
	}
	outputs, err := t.run(ctx, tokens, nil)
	if err != nil {
		return nil, err
	}
	for _, output := range outputs {
		rows, ok := output.([][][]float32)
		if !ok || len(rows) != 1 || len(rows[0]) != len(tokens)+2 {
			continue
		}
		return t.spans(tokens, rows[0][1:])
	}
	return nil, fmt.Errorf("%s: %w: the graph gives no classes for its %d tokens", t.dir, ErrDamaged, len(tokens)+2)
}

// Close frees the model. It waits for the current text.
func (t *Tagger) Close() error { return t.close() }

// spans joins adjacent words of one label. A word has the label of its first piece, as in
// the strategy "first" of Hugging Face's pipeline.
func (t *Tagger) spans(tokens []token, rows [][]float32) ([]Span, error) {
	var (
		spans []Span
		words int // of the last span
		open  bool
	)
	for i, token := range tokens {
		if !token.begins {
			if open {
				spans[len(spans)-1].End = int(token.end)
			}
			continue
		}
		label, score, err := t.best(rows[i])
		if err != nil {
			return nil, err
		}
		name, begins := label, false
		if prefix, rest, ok := strings.Cut(label, "-"); ok && (prefix == "B" || prefix == "I") {
			name, begins = rest, prefix == "B"
		}
		last := len(spans) - 1
		switch {
		case label == "O" || label == "":
			open = false
		case open && !begins && spans[last].Label == name:
			spans[last].End = int(token.end)
			spans[last].Score = (spans[last].Score*float64(words) + score) / float64(words+1)
			words++
		default:
			spans, words, open = append(spans, Span{name, int(token.start), int(token.end), score}), 1, true
		}
	}
	return spans, nil
}

func (t *Tagger) best(row []float32) (label string, score float64, err error) {
	p := softmax(row)
	if p == nil || len(p) != len(t.config.Labels) {
		return "", 0, fmt.Errorf("%s: %w: the graph gives %d classes that may not be numbers, %s has %d", t.dir, ErrDamaged, len(row), configFile, len(t.config.Labels))
	}
	class := 0
	for i := range p {
		if p[i] > p[class] {
			class = i
		}
	}
	return t.config.label(class), p[class], nil
}
