package evidence

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Mapped is about where lines of one state of a file are in another: between the
// nearest lines above and below that both states have, each only once. It says
// where something drifted, which has no exact place. last < first is between two lines.
func Mapped(before, now *Content, first, last int) (from, to int) {
	above, below := [2]int{0, 0}, [2]int{len(before.lines) + 1, len(now.lines) + 1}
	for _, a := range anchors(before.lines, now.lines) {
		if a[0] < first {
			above = a
		} else if a[0] > last {
			below = a
			break
		}
	}
	// Lines between the part and its anchors are taken to be as many as before.
	from = min(above[1]+first-above[0], below[1])
	to = max(below[1]-(below[0]-last), from-1)
	return from, min(to, below[1]-1)
}

// anchors are pairs of lines, counted from 1, that both texts have once each, in an
// order that both have (patience diff).
func anchors(before, now [][]byte) [][2]int {
	type seen struct{ n, at int }
	once := func(lines [][]byte) map[string]seen {
		all := make(map[string]seen, len(lines))
		for i, l := range lines {
			all[string(l)] = seen{all[string(l)].n + 1, i + 1}
		}
		return all
	}
	inBefore, inNow := once(before), once(now)
	var pairs [][2]int
	for i, l := range before {
		a, b := inBefore[string(l)], inNow[string(l)]
		if a.n == 1 && b.n == 1 {
			pairs = append(pairs, [2]int{i + 1, b.at})
		}
	}
	return rising(pairs)
}

// rising returns the longest subsequence of pairs in which the second numbers rise.
func rising(pairs [][2]int) [][2]int {
	previous := make([]int, len(pairs))
	var tails []int // of the longest runs of each length, the one that ends lowest
	for i, p := range pairs {
		at := sort.Search(len(tails), func(k int) bool { return pairs[tails[k]][1] >= p[1] })
		previous[i] = -1
		if at > 0 {
			previous[i] = tails[at-1]
		}
		if at == len(tails) {
			tails = append(tails, i)
		} else {
			tails[at] = i
		}
	}
	run := make([][2]int, len(tails))
	if len(tails) == 0 {
		return run
	}
	for i, at := len(tails)-1, tails[len(tails)-1]; i >= 0; i, at = i-1, previous[at] {
		run[i] = pairs[at]
	}
	return run
}

// Bounds of a diff.
const (
	maxDiffLines = 400 // of either side; more are replaced as a whole
	maxDiffShown = 80  // lines of the diff
)

// diffContext is how many equal lines are shown around a difference.
const diffContext = 3

// Diff returns the difference of two parts in git's format, at most 80 lines.
func Diff(before, now []byte) string {
	a, b := bareLines(before), bareLines(now)
	for len(a) > diffContext && len(b) > diffContext && slices.EqualFunc(a[:diffContext+1], b[:diffContext+1], bytes.Equal) {
		a, b = a[1:], b[1:]
	}
	for len(a) > diffContext && len(b) > diffContext && slices.EqualFunc(a[len(a)-diffContext-1:], b[len(b)-diffContext-1:], bytes.Equal) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var out []string
	add := func(mark string, line []byte) { out = append(out, mark+string(line)) }
	common := longest(a, b)
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(a) > 0 && len(b) > 0 && string(a[0]) == string(b[0]):
			add(" ", a[0])
			a, b = a[1:], b[1:]
		case len(a) > 0 && (len(b) == 0 || common(len(a)-1, len(b)) >= common(len(a), len(b)-1)):
			add("-", a[0])
			a = a[1:]
		default:
			add("+", b[0])
			b = b[1:]
		}
	}
	if left := len(out) - maxDiffShown; left > 0 {
		out = append(out[:maxDiffShown], fmt.Sprintf("… %d more lines", left))
	}
	return strings.Join(out, "\n") + "\n"
}

// longest returns how many lines the last i lines of a and the last j of b have in
// common, in order.
func longest(a, b [][]byte) func(i, j int) int {
	if len(a) > maxDiffLines || len(b) > maxDiffLines {
		return func(int, int) int { return 0 }
	}
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
		for j := 1; i > 0 && j <= len(b); j++ {
			if string(a[len(a)-i]) == string(b[len(b)-j]) {
				table[i][j] = table[i-1][j-1] + 1
			} else {
				table[i][j] = max(table[i-1][j], table[i][j-1])
			}
		}
	}
	return func(i, j int) int { return table[i][j] }
}
