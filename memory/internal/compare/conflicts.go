package compare

import (
	"cmp"
	"maps"
	"slices"

	"engram/detect"
	"engram/facts"
)

// MaxPerFact is how many conflicts of one fact an audit opens: who has settled so
// many knows what is wrong with the others.
const MaxPerFact = 10

// Found are the clashes as conflicts, one for each two lineages, the gravest
// where tiers disagree, and at most maxPerFact of one fact. The result is in the
// order of the ids.
func (e *Examiner) Found() []detect.Conflict {
	byID := make(map[string]detect.Conflict)
	for _, c := range e.Clashes {
		next := detect.NewConflict(c.First.Fact, c.Second.Fact, c.Finding, c.Basis)
		if old, twice := byID[next.ID]; !twice || detect.CompareSeverity(next.Severity, old.Severity) < 0 {
			byID[next.ID] = next
		}
	}
	all := slices.SortedFunc(maps.Values(byID), func(a, b detect.Conflict) int {
		return cmp.Or(detect.CompareSeverity(a.Severity, b.Severity), cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	count := make(map[facts.Key]int)
	list := slices.DeleteFunc(all, func(c detect.Conflict) bool {
		count[c.A.Key]++
		count[c.B.Key]++
		return count[c.A.Key] > MaxPerFact || count[c.B.Key] > MaxPerFact
	})
	e.Skipped.Surplus = len(byID) - len(list)
	slices.SortFunc(list, func(a, b detect.Conflict) int { return cmp.Compare(a.ID, b.ID) })
	return list
}
