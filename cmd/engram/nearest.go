package main

import "strings"

// nearestSetting is the known key with the fewest letters different; the name
// within its group counts as well as the whole.
func nearestSetting(key string) string {
	best, distance := "", -1
	for _, known := range knownSettings() {
		d := editDistance(key, known.key)
		if _, name, grouped := strings.Cut(known.key, "."); grouped {
			d = min(d, editDistance(key, name))
		}
		if distance < 0 || d < distance {
			best, distance = known.key, d
		}
	}
	return best
}

// editDistance counts the letters to insert, delete or replace (Levenshtein).
// Long texts are cut, since nothing is near them.
func editDistance(a, b string) int {
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
