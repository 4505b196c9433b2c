package index

// Scorer finds documents and scores them. It is for one goroutine.
type Scorer interface {
	// Offer gives top the documents of segment i that it finds and f lets pass.
	Offer(i int, f *filter, top *topList) error
	// Fresh returns a Scorer of the same question for another goroutine. The two
	// share only what neither writes.
	Fresh() Scorer
}
