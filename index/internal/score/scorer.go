// Package score scores the documents of a segment, by BM25 or by hash keys, and
// keeps the best. How several scores are joined is up to package rank.
package score

import "engram/index/internal/query"

// Scorer finds documents and scores them. It is for one goroutine.
type Scorer interface {
	// Offer gives top the documents of segment i that it finds and that pass f.
	Offer(i int, f *query.Filter, top *TopList) error
	// Fresh returns a Scorer of the same question for another goroutine. The two
	// share only what neither writes.
	Fresh() Scorer
}
