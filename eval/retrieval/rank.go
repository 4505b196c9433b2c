package retrieval

import (
	"cmp"
	"slices"
)

// scored is an item with a score; the higher the better.
type scored struct {
	item  string
	score float64
}

// bestOf is how many facts of a group count towards it.
const bestOf = 3

// byItem ranks groups by the facts found, each named by its group, best first.
// A group's score is the sum of 1/rank of its three best facts: one fact is
// enough to be found by, several that agree are more, and counting all of them
// would favour long sessions. Ranks and not scores, because systems score on
// scales of their own: with scores that lie close together a sum counts facts
// instead of weighing them.
func byItem(found []string) []string {
	sums, counts := make(map[string]float64), make(map[string]int)
	var items []string
	for i, item := range found {
		if counts[item] == 0 {
			items = append(items, item)
		}
		if counts[item]++; counts[item] <= bestOf {
			sums[item] += 1 / float64(i+1)
		}
	}
	// Stable: of items that are equal the one found first stays in front.
	slices.SortStableFunc(items, func(a, b string) int { return cmp.Compare(sums[b], sums[a]) })
	return items
}

// sortScored sorts best first, and by item among equals.
func sortScored(list []scored) {
	slices.SortFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.item, b.item))
	})
}
