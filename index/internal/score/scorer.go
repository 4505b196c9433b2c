package score

import "engram/index/internal/query"

// Scorer finds documents and scores them. It is for one goroutine.
type Scorer interface {
	// Offer gives top the documents of segment i that it finds and f lets pass.
	Offer(i int, f *query.Filter, top *TopList) error
	// Fresh returns a Scorer of the same question for another goroutine. The two
	// share only what neither writes.
	Fresh() Scorer
}
