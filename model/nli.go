package model

import (
	"context"
	"fmt"
	"math"
	"strings"
)

// NLI judges whether a text follows from another or contradicts it (natural
// language inference), by a transformer that reads both together. It may be
// used from several goroutines, which then take turns.
type NLI struct {
	*transformer
	classes                            int
	contradiction, entailment, neutral int // classes
}

// OpenNLI opens the cross-encoder in a folder: files as for [OpenEmbedder], and
// in config.json an id2label that names contradiction, entailment and neutral,
// in any order. One such is nli-minilm2-l6-h768 of the [Catalogue].
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

// Entail returns how probable it is that the premise contradicts, implies or
// leaves open the hypothesis. The three add up to 1. Texts that are too long
// together are cut, the longer one first.
func (n *NLI) Entail(ctx context.Context, premise, hypothesis string) (contradiction, entailment, neutral float64, err error) {
	a, b := n.pair(n.encode(premise), n.encode(hypothesis))
	if b == nil {
		b = []token{} // an empty hypothesis is a second text still
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
		sum := c + e + u // 1, unless there are classes beside these
		return c / sum, e / sum, u / sum, nil
	}
	return 0, 0, 0, fmt.Errorf("%s: %w: the graph gives no numbers for its %d classes", n.dir, ErrDamaged, n.classes)
}

// Close frees the model. It waits for the pair that is being worked on.
func (n *NLI) Close() error { return n.close() }

// softmax turns a row of a graph's output into probabilities; nil if not all
// are numbers.
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
