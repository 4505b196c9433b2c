package lsa

import (
	"cmp"
	"context"
	"slices"
)

// Eigen is eigen.
var Eigen = eigen

// Decompose is decompose of a matrix by row and column.
func Decompose(ctx context.Context, matrix map[[2]int]float64, size, k int) ([]float64, [][]float64) {
	var entries []entry
	for at, value := range matrix {
		entries = append(entries, entry{at[0], at[1], value})
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column)) })
	s, err := decompose(ctx, newSparse(entries, size), k, func() {})
	if err != nil {
		panic(err)
	}
	return s.values, s.left
}
