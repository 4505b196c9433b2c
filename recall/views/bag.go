package views

import (
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"engram/internal/terms"
)

// counts are the terms of a text with their weights.
type counts map[string]float64

// bag is what turns say, as a vector of length 1.
func bag(turns []turn) counts {
	var analyzer terms.Analyzer
	c := make(counts)
	for _, t := range turns {
		for _, item := range t.items {
			for _, term := range analyzer.Terms(item.Text) {
				if c[term] == 0 {
					term = strings.Clone(term)
				}
				c[term]++
			}
		}
	}
	c.weigh(func(string) float64 { return 1 })
	return c
}

// weigh damps counts, weighs terms and makes the length 1.
func (c counts) weigh(weight func(term string) float64) {
	for term, n := range c {
		c[term] = (1 + math.Log(n)) * weight(term)
	}
	c.normalize()
}

func (c counts) normalize() {
	squares := 0.0
	for _, value := range slices.Sorted(c.values()) { // in order, so that the sum is always the same
		squares += value * value
	}
	if squares == 0 {
		return
	}
	length := math.Sqrt(squares)
	for term := range c {
		c[term] /= length
	}
}

func (c counts) values() iter.Seq[float64] { return maps.Values(c) }

// cosine is how much of their words two texts share, 0 to 1.
func cosine(a, b counts) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	sum := 0.0
	for _, term := range slices.Sorted(maps.Keys(a)) { // in order, so that the sum is always the same
		sum += a[term] * b[term]
	}
	return sum
}
