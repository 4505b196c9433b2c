package model

import (
	"context"
	"fmt"
	"math"
	"strings"
)

// NLI judges whether a text follows from another or contradicts it (natural language
// inference), with a transformer that reads both together. It is safe for concurrent use;
// calls take turns.
type NLI struct {
	*transformer
	classes                            int
	contradiction, entailment, neutral int // classes
}

// OpenNLI opens the cross-encoder in a folder: files as for [OpenEmbedder], and an id2label
// in config.json that names contradiction, entailment and neutral, in any order. The
// [Catalogue] has nli-minilm2-l6-h768.
func OpenNLI(dir string) (*NLI, error) {
	t, err := openTransformer(dir, KindNLI)
	if err != nil {
		return nil, err
	}
	n := &NLI{transformer: t, classes: len(t.config.Labels)}
	for name, class := range map[string]*int{"contradiction": &n.contradiction, "entailment": &n.entailment, "neutral": &n.neutral} {
		*class = -1
		for i := range n.classes {
			if strings.EqualFold(t.config.label(i), name) {
				*class = i
			}
		}
		if *class < 0 {
			return nil, fmt.Errorf("%s: %w: %s: id2label has no class %q", dir, ErrNoModel, configFile, name)
		}
	}
	return n, nil
}

// Entail returns the probabilities that the premise contradicts the hypothesis, implies it,
// or does neither. They add up to 1. Texts that are too long together are cut, the longer
// one first.
func (n *NLI) Entail(ctx context.Context, premise, hypothesis string) (contradiction, entailment, neutral float64, err error) {
	a, b := n.pair(n.encode(premise), n.encode(hypothesis))
	if b == nil {
		b = []token{} // an empty hypothesis is still a second text
	}
	outputs, err := n.run(ctx, a, b)
	if err != nil {
		return 0, 0, 0, err
	}
	for _, output := range outputs {
		rows, ok := output.([][]float32)
		if !ok || len(rows) != 1 || len(rows[0]) != n.classes {
			continue
		}
		p := softmax(rows[0])
		if p == nil {
			break
		}
		c, e, u := p[n.contradiction], p[n.entailment], p[n.neutral]
		sum := c + e + u // 1, unless there are other classes
		return c / sum, e / sum, u / sum, nil
	}
	return 0, 0, 0, fmt.Errorf("%s: %w: the graph gives no numbers for its %d classes", n.dir, ErrDamaged, n.classes)
}

// Close frees the model. It waits for the current pair.
func (n *NLI) Close() error { return n.close() }

// softmax turns a row of a graph's output into probabilities; nil if a value is not finite.
func softmax(row []float32) []float64 {
	top := math.Inf(-1)
	for _, x := range row {
		top = max(top, float64(x)) // max passes NaN on
	}
	if math.IsNaN(top) || math.IsInf(top, 0) {
		return nil
	}
	p, sum := make([]float64, len(row)), 0.0
	for i, x := range row {
		p[i] = math.Exp(float64(x) - top)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}
