// Package index finds facts: it keeps a full-text index over every version of every
// fact, with the revision of the memory branch that it reflects.
//
// The index is derived and disposable. Deleting or damaging its folder costs some
// seconds, in which it is rebuilt from the branch. It is never the source of a write,
// and it holds no text: a hit names the blob in which git has the fact.
//
// There is no daemon. Each operation opens the index behind a lock file and closes it
// again, so any number of processes share it (docs/performance.md has what that
// costs).
//
// The package only delegates. Under internal, catchup keeps the folder up to date,
// store reads and writes its files, version says what is stored of a fact and terms
// what a text is found by; embedding keeps the vectors; query filters, score scores
// and rank answers.
//
// It does not decide what a fact means: windows come from facts.Timeline, and what a
// caller does with a hit is up to the caller.
package index
