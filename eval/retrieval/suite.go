package retrieval

import (
	"engram/eval/corpus"
)

// suite is facts, and questions with what answers them.
type suite struct {
	name      string
	about     string // one sentence: what is asked, and what answers it
	facts     []corpus.Fact
	questions []question
	// grouped suites rank not facts but groups of facts, such as sessions.
	grouped bool
	// only names the systems that are asked; nil means all. A variant of a suite
	// omits those that cannot see the difference.
	only  []string
	notes []string // what was omitted from the data, and why
}

// question is one question with the items that answer it.
type question struct {
	id       string
	text     string
	scope    string // the part of the memory that is asked; "" is all of it
	relevant []string
	subsets  []string // it counts towards these, besides subsetAll
}
