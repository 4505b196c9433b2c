package codebranch

import (
	"engram/gitstore"
)

// status is what this clone knows about a code branch that facts are bound to.
type status struct {
	Here    bool // a local or fetched branch has the name
	Seen    bool // it was seen here with commits that the trunk did not have
	Landing gitstore.Landing
	Holder  string // another reference that contains these commits
	Follows bool   // if it were on a remote, it would be seen here
}

// Outcome is the decision about the facts of a branch.
type Outcome int

const (
	Wait    Outcome = iota // they stay bound
	Merged                 // they are promoted
	Dropped                // they are retired
)

// Outcome decides from the status of a branch. A clone settles only branches on which it
// has seen commits. undecided means that a person has to decide.
//
//  1. No commits of its own were seen: wait. The branch may be new, or belong to
//     another clone.
//  2. These commits are in the trunk: merged, whether or not the branch still exists.
//  3. They are not, and the branch exists: wait.
//  4. The branch is gone, and another reference has its commits: wait. It was
//     renamed, or another branch builds on it.
//  5. The branch is gone, and similar changes are in the trunk: wait for a person.
//  6. The branch is gone, and a remote may have it: wait.
//  7. The branch is gone, and so are its commits: dropped.
func (b status) Outcome() (f Outcome, reason string, undecided bool) {
	switch {
	case !b.Seen:
		return Wait, "no commits of its own have been seen here", false
	case b.Landing == gitstore.HasLanded:
		return Merged, "", false
	case b.Here:
		return Wait, "it has commits that are not in the trunk", false
	case b.Holder != "":
		return Wait, "it is gone, and " + b.Holder + " has its commits", true
	case b.Landing == gitstore.MayHaveLanded:
		return Wait, "it is gone, and its work may be in the trunk in another form", true
	case !b.Follows:
		return Wait, "it is gone here, and a remote may have it: not all branches of each are fetched", true
	}
	return Dropped, "", false
}
