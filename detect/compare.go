package detect

import "fmt"

// Compare holds two claims against each other by rules alone (tiers 0, 2 and
// 2b). The answer is the same whichever comes first, but for its sides.
func Compare(a, b *Claim) (f Finding, found bool) {
	for _, x := range a.Entities {
		for _, y := range b.Entities {
			if Incompatible(x, y) {
				f = Finding{
					Tier: TierEntity, Verdict: Genuine, Score: 0.95, A: Place{x.Start, x.End}, B: Place{y.Start, y.End},
					Explanation: fmt.Sprintf("%s: %s here, %s there", x.Name, a.Text[x.Start:x.End], b.Text[y.Start:y.End]),
				}
				if a.Scope != b.Scope {
					f.Tier = TierCrossScope
				}
				f.Severity = severityOf(f.Tier, f.Verdict, a.Engineer == b.Engineer)
				return f, true
			}
		}
	}
	return Finding{}, false
}
