package rule

import (
	"fmt"
	"strings"

	"engram/detect/finding"
	"engram/facts"
)

// rivalScore is how sure it is that two versions of one key clash where the rules
// see nothing: a key holds one claim, but two may say one thing in other words.
const rivalScore = 0.5

// rivals reports whether one claim is what a merge kept of a version that gave
// way to the other (facts.Rival), and says something else. Keys that differ by case
// alone are one: a merge parts them.
func rivals(a, b side) bool {
	meant := func(r, s side) bool {
		return !r.For.IsZero() && s.For.IsZero() && strings.EqualFold(r.For.String(), s.Key.String())
	}
	return (meant(a, b) || meant(b, a)) && facts.ContentHash(a.Text) != facts.ContentHash(b.Text)
}

// rivalry is what is wrong between two rivals. Neither is the newer state of the
// other, whoever wrote it: neither writer knew of the other's.
func rivalry(f finding.Finding, found bool, a, b side) finding.Finding {
	if !found {
		key := a.Key
		if !a.For.IsZero() {
			key = b.Key
		}
		f = finding.Finding{Tier: finding.TierMerge, Grade: finding.Contradiction, Family: byNothing.family(), Score: rivalScore, Explanation: fmt.Sprintf("%s was written in two places at once, and a merge kept both claims", key)}
	}
	f.Verdict, f.Newer = finding.Genuine, finding.Neither
	f.Severity = finding.SeverityOf(f.Tier, f.Verdict, a.Engineer == b.Engineer)
	return f
}
