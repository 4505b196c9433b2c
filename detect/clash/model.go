package clash

import (
	"bytes"
	"fmt"
	"go/format"
	"math"
	"strings"
)

// Model makes a probability of features: the mean of a logistic regression and of boosted
// trees. The regression alone chooses the candidate that decides.
type Model struct {
	Weights []float64 // of the features, and the constant
	Base    float64   // what the trees begin with
	Trees   []Tree
}

// Tree is a binary tree of depth 3 on features. Node i has the children 2i+1 and 2i+2; a
// feature greater than the threshold leads to the second.
type Tree struct {
	Feature   [treeNodes]int
	Threshold [treeNodes]float32
	Leaf      [treeNodes + 1]float64
}

const treeNodes = 7

// Value returns the leaf for features.
func (t *Tree) Value(f Features) float64 {
	node := 0
	for node < treeNodes {
		if f[t.Feature[node]] > t.Threshold[node] {
			node = 2*node + 2
		} else {
			node = 2*node + 1
		}
	}
	return t.Leaf[node-treeNodes]
}

// choose is the score by which the candidate is chosen that decides.
func (m *Model) choose(f Features) float64 {
	sum := m.Weights[len(m.Weights)-1]
	for i, x := range f {
		sum += m.Weights[i] * float64(x)
	}
	return sum
}

// Probability returns that of a clash with these features.
func (m *Model) Probability(f Features) float64 {
	trees := m.Base
	for i := range m.Trees {
		trees += m.Trees[i].Value(f)
	}
	return 1 / (1 + math.Exp(-(m.choose(f)+trees)/2))
}

// Source returns the Go file with the model: constants, so that nothing is read at start.
func (m *Model) Source() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("package clash\n\n// learned is the model. Made by `engram-eval weights`; do not edit.\nvar learned = Model{\nWeights: []float64{\n")
	for i, name := range append(FeatureNames(), "constant") {
		fmt.Fprintf(&b, "%.4f, // %s\n", m.Weights[i], name)
	}
	fmt.Fprintf(&b, "},\nBase: %.4f,\nTrees: []Tree{\n", m.Base)
	for _, t := range m.Trees {
		fmt.Fprintf(&b, "{[...]int{%s}, [...]float32{%s}, [...]float64{%s}},\n", constants("%d", t.Feature[:]), constants("%.5g", t.Threshold[:]), constants("%.4f", t.Leaf[:]))
	}
	b.WriteString("},\n}\n")
	return format.Source(b.Bytes())
}

func constants[T any](verb string, values []T) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprintf(verb, v)
	}
	return strings.Join(texts, ", ")
}
