// Package gitstore is the only package that knows git: it opens a repository,
// reads the memory branch, and writes to it without touching anything else of
// the user's.
//
// Who does what, and why (docs/performance.md has the figures): references,
// history and diffs are the git binary's, whose locks and formats are the ones
// that every other tool honours; objects are read through one long-lived
// `git cat-file --batch`, which survives repacks and knows alternates and
// partial clones; objects are written by this package, loose or as one pack,
// because neither git nor go-git syncs what it writes, and an acknowledged fact
// has to survive a power cut. go-git encodes commits and the index of a pack.
//
// Memories come together by a three-way merge of trees (Merge), to which
// somebody else lends the understanding of files (Joiner), and travel by the git
// binary (Fetch, Push), whose credentials and proxies are the user's own.
//
// It is not for work trees: it never looks at one, and has no way to check
// anything out.
package gitstore
