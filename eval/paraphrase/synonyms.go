package paraphrase

import (
	_ "embed"
	"strings"
)

// synonymGroups are words that engineers use for the same thing, written by
// hand, one group a line. Within a group each word may stand for each other.
// Inflections are made by inflect.
//
//go:embed synonyms.txt
var synonymGroups string

// synonyms gives for each word those that may stand for it, in the order of
// the table.
func synonyms() map[string][]string {
	table := make(map[string][]string)
	for line := range strings.Lines(synonymGroups) {
		group := strings.Fields(line)
		for _, word := range group {
			for _, other := range group {
				if other != word {
					table[word] = append(table[word], other)
				}
			}
		}
	}
	return table
}
