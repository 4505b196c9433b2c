package corpus

import (
	"time"
)

// Percentile is the nearest rank in a sorted list that is not empty.
func Percentile(sorted []time.Duration, p int) time.Duration {
	rank := (p*len(sorted) + 99) / 100
	return sorted[max(rank, 1)-1]
}

// In is a time in a unit of time.
func In(unit, d time.Duration) float64 { return float64(d) / float64(unit) }

// WarmUp is how many questions are asked before time is taken.
const WarmUp = 10
