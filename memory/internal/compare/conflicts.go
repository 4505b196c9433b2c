package compare

import (
	"cmp"
	"maps"
	"slices"

	"engram/detect"
	"engram/facts"
)

// MaxPerFact is the maximum number of conflicts of one fact that an audit opens: settling
// that many usually settles the others.
const MaxPerFact = 10

// Found returns the clashes as conflicts: one for each pair of lineages (the most severe if
// tiers disagree) and at most MaxPerFact for one fact. The result is sorted by id.
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
