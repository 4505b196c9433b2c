// Package index finds facts: a full-text index over every version of every
// fact, with the revision of the memory branch it reflects.
//
// The index is derived and disposable. Whoever deletes its folder loses some
// seconds, whoever damages it likewise: it is built anew from the branch. It is
// never the source of a write, and it holds no text: a hit names the blob in
// which git has the fact.
//
// There is no daemon. Each operation opens the index behind a lock file and
// closes it again, so that any number of processes share it (docs/performance.md
// has what that costs).
//
// It is not for deciding what a fact means: windows come from facts.Timeline,
// and what a caller does with a hit is the caller's.
package index
