package detect

import "time"

// Succeeds decides what becomes of a conflict that an audit found, where one of
// the same two lineages is on the branch already: next is the version to write,
// and write is false where the branch has it all.
//
//  1. Open, of the same versions: it stays as it is, by whatever tier it was
//     found; unless it was in doubt and a language model has judged it since.
//  2. Open, of others: it is brought up to date.
//  3. Settled: it stays settled, as long as neither claim has changed or they
//     clash in the same way as then.
//  4. Closed, or settled and clashing anew: it is opened again.
func (c Conflict) Succeeds(old Conflict) (next Conflict, write bool) {
	switch old.Status {
	case Open:
		judged := old.Verdict == Ambiguous && old.Tier != TierLLM && c.Tier == TierLLM
		if c.A.ID == old.A.ID && c.B.ID == old.B.ID && !judged {
			return Conflict{}, false
		}
	case Resolved, Dismissed:
		if c.A.Digest == old.A.Digest && c.B.Digest == old.B.Digest || c.Explanation == old.Explanation {
			return Conflict{}, false
		}
	}
	return c.After(old), true
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

// Evolve makes a finding the evolution towards a side.
func (f Finding) Evolve(newer Side) Finding {
	f.Verdict, f.Newer, f.Severity = Evolution, newer, Low
	return f
}
