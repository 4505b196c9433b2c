package circle

import "sample/layers"

// Both names what the circle has; the circle does not know it.
func Both(n int) []bool {
	return []bool{Even(number(n)), number(n).odd(), layers.Even(n)}
}
