package conflict

import (
	"time"

	"engram/detect/finding"
	"engram/facts"
)

// Succeeds decides what becomes of a conflict that an audit found, where one of
// the same two lineages is on the branch already: next is the version to write,
// and write is false where the branch has it all.
//
//  1. Open, of the same versions: it stays as it is, by whatever tier it was
//     found; unless it was in doubt and a language model has judged it since.
//  2. Open, of others: it is brought up to date.
//  3. Resolved, and both are the versions of then: by a clock that is behind, the
//     one that lost has not ended yet. It stays so. Dismissed: it stays so, as long as neither claim has changed or they clash
//     in the same way as then. What a model says of them is never the same way:
//     it does not say where they clash.
//  4. Closed, or dismissed and clashing anew, or resolved and yet both stand, one
//     as a later version that another clone had: it is opened again.
func (c Conflict) Succeeds(old Conflict) (next Conflict, write bool) {
	switch old.Status {
	case Open:
		judged := old.Verdict == finding.Ambiguous && old.Tier != finding.TierLLM && c.Tier == finding.TierLLM
		if c.A == old.A && c.B == old.B && !judged {
			return Conflict{}, false
		}
	case Resolved:
		if c.A.ID == old.A.ID && c.B.ID == old.B.ID {
			return Conflict{}, false
		}
	case Dismissed:
		same := c.A.Digest == old.A.Digest && c.B.Digest == old.B.Digest
		if same || c.Explanation == old.Explanation && c.Tier != finding.TierNLI && c.Tier != finding.TierLLM {
			return Conflict{}, false
		}
	}
	return c.After(old), true
}

// Judged reports whether two facts, in the order of Order, were judged for good
// as they are: dismissed, or confirmed by a language model.
func (c Conflict) Judged(a, b facts.Fact) bool {
	if c.A.Digest != facts.ContentHash(a.Claim) || c.B.Digest != facts.ContentHash(b.Claim) {
		return false
	}
	return c.Status == Dismissed || c.Status == Open && c.Tier == finding.TierLLM
}

// Close is the version that ends an open conflict without anybody settling it,
// because since a moment a side does not stand any more.
func (c Conflict) Close(reason string, at time.Time) Conflict {
	next := c
	next.Status, next.Reason, next.At, next.Version = Closed, reason, at, ""
	return next.After(c)
}

// Settle is the version that settles a conflict.
func (c Conflict) Settle(how Resolution, winner, reason string, at time.Time) Conflict {
	next := c
	next.Status, next.Resolution, next.Winner, next.Reason, next.At, next.Basis, next.Version = Resolved, how, winner, reason, at, "", ""
	if how == ByDismissal {
		next.Status = Dismissed
	}
	return next.After(c)
}
