package audit

import (
	"context"
	"fmt"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// ending is the end of an open conflict that nobody settled.
type ending struct {
	conflict detect.Conflict
	reason   string
	at       time.Time
}

// recheckOpen checks every open conflict again, whichever facts are audited:
//
//  1. A side does not stand any more, or its key has gone to another lineage:
//     it is over.
//  2. Both stand as they were: it stays.
//  3. A side has changed: the rules say whether they still clash, and of what a
//     model found the cross-encoder. Without one that stays.
func (a *audit) recheckOpen(ctx context.Context) error {
	for _, c := range a.before {
		if c.Status != detect.Open {
			continue
		}
		// 1.
		reason, at, over, err := a.m.Ended(ctx, a.tip, c, a.Now)
		if err != nil {
			return err
		}
		if over {
			a.endings = append(a.endings, ending{c, reason, at})
			continue
		}
		x, y, err := a.m.ConflictSides(ctx, a.tip, c)
		if err != nil {
			return err
		}
		// 2.
		if detect.PartyOf(x.Fact) == c.A && detect.PartyOf(y.Fact) == c.B {
			continue
		}
		// 3.
		if err := a.recheck(ctx, c, x, y); err != nil {
			return err
		}
	}
	return nil
}

// Ended reports whether a conflict is over because of one of its sides, as the function
// Ended does, at a revision.
func (m *Auditor) Ended(ctx context.Context, tip string, c detect.Conflict, now time.Time) (reason string, at time.Time, over bool, err error) {
	a, b, err := m.ConflictSides(ctx, tip, c)
	if err != nil {
		return "", c.At, false, err
	}
	reason, at, over = Ended(c, a, b, now)
	return reason, at, over, nil
}

// Ended reports whether a conflict is over because of one of its sides, why, and since when.
// A side is nil if nothing stands at its key. The time is taken from the facts and not from
// the clock, so that every clone writes the same bytes.
func Ended(c detect.Conflict, a, b *core.AnalyzedFact, now time.Time) (reason string, at time.Time, over bool) {
	at = c.At
	for i, s := range [2]*core.AnalyzedFact{a, b} {
		if s == nil {
			return [2]detect.Party{c.A, c.B}[i].Key.String() + " is gone from the branch", at, true
		}
		f := s.Fact
		switch state := f.StateAt(now); {
		case state != facts.Current:
			return fmt.Sprintf("%s is %s", f.Key, state), Latest(at, f.ValidFrom, f.Window().Until), true
		case f.IsBound():
			return fmt.Sprintf("%s is bound to the branch %s now", f.Key, f.Branch), Latest(at, f.ValidFrom), true
		case !compare.MayConflict(f, now):
			return fmt.Sprintf("%s is %s now", f.Key, f.Durability), Latest(at, f.ValidFrom), true
		}
		at = Latest(at, f.ValidFrom)
	}
	if detect.ConflictID(a.Fact.Lineage, b.Fact.Lineage) != c.ID {
		return "one of its keys has another fact now", at, true
	}
	return "", at, false
}

// Unclashed returns how a conflict ends whose sides have changed and in which the rules find
// nothing any more. It is over only if the two agree: a claim in other words may still
// contradict the other. What a judge said, the rules cannot take back.
func Unclashed(c detect.Conflict, a, b *core.AnalyzedFact) (reason string, at time.Time, over bool) {
	return detect.NoClash, Latest(c.At, a.Fact.ValidFrom, b.Fact.ValidFrom), c.Tier != detect.TierJudged && detect.Agree(a.Claim, b.Claim)
}

// Latest returns the latest of some times.
func Latest(times ...time.Time) (last time.Time) {
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// recheck compares two facts again of which one has changed since they were found to clash.
func (a *audit) recheck(ctx context.Context, c detect.Conflict, x, y *core.AnalyzedFact) error {
	p, fresh := a.Pair(x, y, 0)
	if fresh && a.Compare(ctx, p) {
		return nil
	}
	for _, known := range a.Clashes {
		if known.First.Blob == p.First.Blob && known.Second.Blob == p.Second.Blob {
			return nil
		}
	}
	if c.Tier == detect.TierNLI || c.Tier == detect.TierLLM {
		if a.m.Models.NLI == nil || a.rulesOnly {
			return nil
		}
		says, err := detect.Judge(ctx, a.m.Models.NLI, p.First.Claim, p.Second.Claim)
		if err != nil {
			a.result.Notes = append(a.result.Notes, fmt.Sprintf("%s stays open: %v", c.ID, err))
			return ctx.Err()
		}
		thresholds, _ := calibrated(a.before)
		if f, found := says.Finding(thresholds, p.First.Claim, p.Second.Claim); found {
			a.Clashes = append(a.Clashes, compare.Clash{Pairing: p, Finding: f, Basis: compare.NLIBasis(a.m.Models, thresholds)})
			return nil
		}
	}
	if reason, at, over := Unclashed(c, x, y); over {
		a.endings = append(a.endings, ending{c, reason, at})
	}
	return nil
}
