package clash

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
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

//go:embed model.txt
var modelText string

var learned = sync.OnceValue(func() *Model {
	m, err := parseModel(modelText)
	if err != nil {
		panic("clash: model.txt: " + err.Error()) // it is part of the program
	}
	return m
})

// String returns the text of the model: a line for each weight with the name of its
// feature, the base, and a line for each tree.
func (m *Model) String() string {
	var b strings.Builder
	b.WriteString("# Made by `engram-eval weights`; do not edit.\n")
	for i, name := range append(FeatureNames(), "constant") {
		fmt.Fprintf(&b, "weight %.4f %s\n", m.Weights[i], name)
	}
	fmt.Fprintf(&b, "base %.4f\n", m.Base)
	for _, t := range m.Trees {
		b.WriteString("tree")
		for i, f := range t.Feature {
			fmt.Fprintf(&b, " %d>%.5g", f, t.Threshold[i])
		}
		for _, v := range t.Leaf {
			fmt.Fprintf(&b, " %.4f", v)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func parseModel(text string) (*Model, error) {
	m := &Model{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		switch words[0] {
		case "weight", "base":
			v, err := strconv.ParseFloat(words[1], 64)
			if err != nil {
				return nil, err
			}
			if words[0] == "base" {
				m.Base = v
			} else {
				m.Weights = append(m.Weights, v)
			}
		case "tree":
			t, err := parseTree(words[1:])
			if err != nil {
				return nil, err
			}
			m.Trees = append(m.Trees, t)
		}
	}
	if n := len(FeatureNames()) + 1; len(m.Weights) != n {
		return nil, fmt.Errorf("%d weights for %d features", len(m.Weights), n)
	}
	return m, nil
}

func parseTree(words []string) (t Tree, err error) {
	if len(words) != treeNodes+len(t.Leaf) {
		return t, fmt.Errorf("a tree has %d numbers", len(words))
	}
	features := len(FeatureNames())
	for i, w := range words[:treeNodes] {
		feature, threshold, _ := strings.Cut(w, ">")
		f, err1 := strconv.Atoi(feature)
		v, err2 := strconv.ParseFloat(threshold, 32)
		if err := errors.Join(err1, err2); err != nil || f < 0 || f >= features {
			return t, fmt.Errorf("bad split %q", w)
		}
		t.Feature[i], t.Threshold[i] = f, float32(v)
	}
	for i, w := range words[treeNodes:] {
		if t.Leaf[i], err = strconv.ParseFloat(w, 64); err != nil {
			return t, err
		}
	}
	return t, nil
}
