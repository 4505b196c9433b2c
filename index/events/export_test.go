package events

import "engram/index/internal/embedding"

// What the tests need of the inside.

type Embedder = embedding.Embedder

// SetMost sets how many events may have a vector.
func (x *Index) SetMost(n int) { x.most = n }

// Rows is how many vectors there are.
func (x *Index) Rows() (n int) {
	loan := x.vectors.Lend()
	defer loan.Close()
	if file := loan.File(); file != nil {
		n = file.Len()
	}
	return n
}
