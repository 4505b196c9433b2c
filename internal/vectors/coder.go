package vectors

import (
	"math"
	"math/bits"
)

// coder describes a vector in so few bits that all rows can be scanned: its distance from a
// centre and the signs of its dimensions, relative to the centre and after a rotation. The
// share of signs in which two vectors differ estimates the angle between them as seen from
// the centre (Charikar: Similarity Estimation Techniques from Rounding Algorithms, 2002);
// with the two distances that gives the distance between them.
//
// The centre and the distance matter for models whose vectors point in similar directions;
// the rotation matters if dimensions are unequal, as in static embeddings reduced by PCA,
// most of whose bits would say little. Recall@10 among the best 2,000, on synthetic
// clusters of 20,000 to 50,000 rows and 192 to 384 dimensions, without a rotation ("bare",
// "centred") and with:
//
//	                         bare  centred  turned  turned, centred  … with distance
//	unequal dimensions       0.89     0.89    1.00             1.00             1.00
//	very unequal             0.52     0.62    1.00             1.00             1.00
//	strong common direction  0.93     0.95    0.93        0.94–0.99        0.99–1.00
type coder struct {
	centre []float32
	flips  [2][]float32
	width  int // of a Hadamard transform, a power of two
	turned []float32
}

// newCoder returns a coder for one goroutine. The rotation is the same for all files: it is
// part of the format.
func newCoder(centre []float32) *coder {
	c := &coder{centre: centre, turned: make([]float32, len(centre))}
	c.width = 1 << (bits.Len(uint(len(centre))) - 1)
	var state uint64
	for round := range c.flips {
		c.flips[round] = make([]float32, len(centre))
		for i := range c.flips[round] {
			state += 0x9E3779B97F4A7C15
			c.flips[round][i] = 1 - 2*float32(splitmix(state)>>63)
		}
	}
	return c
}

// splitmix is the output function of SplitMix64 (Steele, Lea, Flood: Fast
// Splittable Pseudorandom Number Generators, 2014).
func splitmix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// code writes the sign bits of a vector and returns its distance from the
// centre.
func (c *coder) code(signs []uint64, vector []float32) (radius float32) {
	t := c.turned
	for i, value := range vector {
		t[i] = (value - c.centre[i]) * c.flips[0][i]
	}
	radius = float32(math.Sqrt(float64(dot(t, t))))
	// The transform needs a power of two. Applied to both ends, which overlap, it covers
	// every dimension.
	hadamard(t[:c.width])
	for i, flip := range c.flips[1] {
		t[i] *= flip
	}
	hadamard(t[len(t)-c.width:])
	clear(signs)
	for i, value := range t {
		if value > 0 {
			signs[i/64] |= 1 << (i % 64)
		}
	}
	return radius
}

// hadamard is the fast Walsh-Hadamard transform in place, not scaled.
func hadamard(v []float32) {
	for half := 1; half < len(v); half *= 2 {
		for start := 0; start < len(v); start += 2 * half {
			left, right := v[start:start+half], v[start+half:start+2*half]
			for i, a := range left {
				b := right[i]
				left[i], right[i] = a+b, a-b
			}
		}
	}
}
