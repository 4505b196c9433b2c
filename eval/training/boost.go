package training

import (
	"math"
	"math/rand/v2"
	"slices"

	"engram/detect/clash"
)

// boosting is how trees are fitted: gradient boosting with the logistic loss, each tree
// on a random part of the rows and each split on a random choice of features
// (Friedman, Stochastic gradient boosting, 2002).
type boosting struct {
	trees    int
	rate     float64 // how much of each tree counts
	share    float64 // of the rows that a tree sees
	features int     // that a split chooses among
	least    float64 // weight on each side of a split
	ridge    float64 // L2 penalty of the leaves
}

// bins is how many thresholds a feature is tried at.
const bins = 48

// boost returns trees for rows of features. The same rows give the same trees.
func boost(rows []clash.Features, positive []bool, weight []float64, set boosting) (base float64, trees []clash.Tree) {
	g := grower{rows: rows, weight: weight, set: set, random: rand.New(rand.NewPCG(1, 2))}
	g.bin()
	var yes, all float64
	for i, w := range weight {
		all += w
		if positive[i] {
			yes += w
		}
	}
	base = math.Log(yes / (all - yes))
	score := slices.Repeat([]float64{base}, len(rows))
	g.gradient, g.curve = make([]float64, len(rows)), make([]float64, len(rows))
	for range set.trees {
		for i := range rows {
			p := 1 / (1 + math.Exp(-score[i]))
			g.gradient[i], g.curve[i] = -weight[i]*p, weight[i]*p*(1-p)
			if positive[i] {
				g.gradient[i] += weight[i]
			}
		}
		t := g.grow()
		trees = append(trees, t)
		for i := range rows {
			score[i] += t.Value(rows[i])
		}
	}
	return base, trees
}

// grower grows trees.
type grower struct {
	rows            []clash.Features
	weight          []float64
	set             boosting
	random          *rand.Rand
	edges           [][]float32 // of each feature: the thresholds, ascending
	codes           [][]uint8   // of each feature and row: how many thresholds are below
	gradient, curve []float64
}

// bin finds the thresholds of each feature at even shares of its values.
func (g *grower) bin() {
	n := len(g.rows[0])
	g.edges, g.codes = make([][]float32, n), make([][]uint8, n)
	values := make([]float32, len(g.rows))
	for f := range n {
		for i, row := range g.rows {
			values[i] = row[f]
		}
		sorted := slices.Sorted(slices.Values(values))
		unique := slices.Compact(slices.Clone(sorted))
		if len(unique) <= bins {
			g.edges[f] = unique[:len(unique)-1]
		} else {
			for b := 1; b < bins; b++ {
				g.edges[f] = append(g.edges[f], sorted[b*len(sorted)/bins])
			}
			g.edges[f] = slices.Compact(g.edges[f])
		}
		g.codes[f] = make([]uint8, len(values))
		for i, v := range values {
			at, _ := slices.BinarySearch(g.edges[f], v)
			g.codes[f][i] = uint8(at)
		}
	}
}

func (g *grower) grow() (t clash.Tree) {
	var sample []int
	for i := range g.rows {
		if g.random.Float64() < g.set.share {
			sample = append(sample, i)
		}
	}
	level := [][]int{sample}
	node := 0
	for node < len(t.Feature) {
		var next [][]int
		for _, rows := range level {
			left, right := rows, []int(nil)
			if s, ok := g.split(rows); ok {
				t.Feature[node], t.Threshold[node] = s.feature, g.edges[s.feature][s.bin]
				left, right = g.part(rows, s)
			} else {
				t.Threshold[node] = math.MaxFloat32 // all go left
			}
			next = append(next, left, right)
			node++
		}
		level = next
	}
	for i, rows := range level {
		var gradient, curve float64
		for _, r := range rows {
			gradient += g.gradient[r]
			curve += g.curve[r]
		}
		t.Leaf[i] = g.set.rate * gradient / (curve + g.set.ridge)
	}
	return t
}

// split is where rows are parted: behind a threshold of a feature.
type split struct{ feature, bin int }

// split returns the best of some features, ok is false if none is better than nothing.
func (g *grower) split(rows []int) (best split, ok bool) {
	most := 1e-9
	for _, f := range g.random.Perm(len(g.edges))[:min(g.set.features, len(g.edges))] {
		var gradient, curve, weight [bins + 1]float64
		var sumG, sumC, sumW float64
		for _, r := range rows {
			c := g.codes[f][r]
			gradient[c] += g.gradient[r]
			curve[c] += g.curve[r]
			weight[c] += g.weight[r]
			sumG, sumC, sumW = sumG+g.gradient[r], sumC+g.curve[r], sumW+g.weight[r]
		}
		var leftG, leftC, leftW float64
		for b := range g.edges[f] {
			leftG, leftC, leftW = leftG+gradient[b], leftC+curve[b], leftW+weight[b]
			if leftW < g.set.least || sumW-leftW < g.set.least {
				continue
			}
			rightG, rightC := sumG-leftG, sumC-leftC
			gain := leftG*leftG/(leftC+g.set.ridge) + rightG*rightG/(rightC+g.set.ridge) - sumG*sumG/(sumC+g.set.ridge)
			if gain > most {
				most, best, ok = gain, split{f, b}, true
			}
		}
	}
	return best, ok
}

func (g *grower) part(rows []int, s split) (left, right []int) {
	for _, r := range rows {
		if int(g.codes[s.feature][r]) > s.bin {
			right = append(right, r)
		} else {
			left = append(left, r)
		}
	}
	return left, right
}
