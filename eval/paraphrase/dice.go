package paraphrase

import (
	"hash/fnv"
)

// Dice throws numbers that depend on nothing but a text, so that every run has
// the same sample and the same questions.
type Dice struct{ state uint64 }

// NewDice returns dice whose throws depend on parts alone.
func NewDice(parts ...string) *Dice {
	h := fnv.New64a()
	for _, part := range parts {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return &Dice{h.Sum64()}
}

// Next is SplitMix64 (Steele, Lea and Flood, 2014).
func (d *Dice) Next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Below returns a number from 0 to n-1.
func (d *Dice) Below(n int) int { return int(d.Next() % uint64(n)) }

func (d *Dice) shuffle(words []string) {
	for i := len(words) - 1; i > 0; i-- {
		j := d.Below(i + 1)
		words[i], words[j] = words[j], words[i]
	}
}
