package conflict

import (
	"time"

	"engram/detect/finding"
	"engram/facts"
)

// Succeeds decides what to write for a conflict that an audit found if the branch
// already has one between the same lineages. write is false if there is nothing to
// write.
//
//  1. Open, with the same versions: it stays as it is, unless it was ambiguous, no agent
//     or person has judged it, and a language model has since.
//  2. Open, with other versions: it is updated.
//  3. Resolved, with the same versions: it stays resolved; the losing fact only seems
//     to hold because this clock is behind. Dismissed: it stays dismissed if neither
//     claim has changed, or if the clash has the same explanation. Models do not say
//     where claims clash, so their explanations are never the same.
//  4. Closed, or dismissed with a new clash, or resolved although a later version
//     from another clone still holds: it is reopened.
func (c Conflict) Succeeds(old Conflict) (next Conflict, write bool) {
	switch old.Status {
	case Open:
		judged := old.Verdict == finding.Ambiguous && old.Tier != finding.TierLLM && old.Tier != finding.TierJudged && c.Tier == finding.TierLLM
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
// as they are: dismissed, confirmed by a language model, or judged by an agent or a person.
func (c Conflict) Judged(a, b facts.Fact) bool {
	if c.A.Digest != facts.ContentHash(a.Claim) || c.B.Digest != facts.ContentHash(b.Claim) {
		return false
	}
	return c.Status == Dismissed || c.Status == Open && (c.Tier == finding.TierLLM || c.Tier == finding.TierJudged)
}

// Close is the version that ends an open conflict without anybody settling it,
// because since a moment a side does not stand any more.
func (c Conflict) Close(reason string, at time.Time) Conflict {
	next := c
	next.Status, next.Reason, next.At, next.Version = Closed, reason, at, ""
	next.Discount = ""
	return next.After(c)
}

// Settle is the version that settles a conflict.
func (c Conflict) Settle(how Resolution, winner, reason string, at time.Time) Conflict {
	next := c
	next.Status, next.Resolution, next.Winner, next.Reason, next.At, next.Basis, next.Version = Resolved, how, winner, reason, at, "", ""
	next.Discount = ""
	if how == ByDismissal {
		next.Status = Dismissed
	}
	return next.After(c)
}

// Reopen is the version in which a conflict that was settled or closed is open again, between the
// facts that stand on its sides now. Basis says by what it was found.
func (c Conflict) Reopen(a, b facts.Fact, basis string, at time.Time) Conflict {
	next := c
	next.Status, next.Resolution, next.Winner, next.Reason, next.Basis, next.At, next.Version = Open, "", "", "", basis, at, ""
	next.By, next.Engineer, next.Evidence, next.Discount = "", "", "", ""
	next.A, next.B = PartyOf(a), PartyOf(b)
	return next.After(c)
}
