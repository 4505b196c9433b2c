package config

import (
	"strings"

	"engram/facts"
)

// nearestSetting is the known key with the fewest letters different; the name
// within its group counts as well as the whole.
func nearestSetting(key string) string {
	best, distance := "", -1
	for _, known := range new(Settings).known() {
		d := EditDistance(key, known.key)
		if _, name, grouped := strings.Cut(known.key, "."); grouped {
			d = min(d, EditDistance(key, name))
		}
		if distance < 0 || d < distance {
			best, distance = known.key, d
		}
	}
	return best
}

// EditDistance is facts.EditDistance. Long texts are cut, since nothing is near them.
func EditDistance(a, b string) int {
	return facts.EditDistance(a[:min(len(a), 64)], b[:min(len(b), 64)])
}
