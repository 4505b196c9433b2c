// Package gitstore stores a team's memory on a git branch. It is the door to git for
// the rest of engram: it opens a repository, reads the memory branch, and writes to it
// without touching anything else of the user's. Only gitstore and the packages under
// gitstore/internal know git.
//
// The git binary handles references, history and diffs, because every other tool
// honours its locks and formats (docs/performance.md has the figures). One long-lived
// `git cat-file` reads objects; it survives repacks and knows alternates and partial
// clones. Package object writes objects, loose or as one pack, because git does
// not sync what it writes, and an acknowledged fact has to survive a power cut. Names of
// objects have the length of the repository's format, SHA-1 or SHA-256 (object.Format).
//
// Merge combines two memories by a three-way merge of trees; a Joiner resolves
// conflicts inside files. Fetch and Push use the git binary with the user's own
// credentials and proxies.
//
// gitstore never writes to a work tree and cannot check anything out.
package gitstore
