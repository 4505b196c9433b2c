package vectors

import (
	"math"
	"math/bits"
	"slices"
	"sort"
)

// Squared distances are sorted into buckets. The estimated distance between unit vectors,
// relative to a centre between them, is at most 16.
const (
	bucketsPerOne = 512
	lastBucket    = 16 * bucketsPerOne
)

// proximity orders all rows by their estimated distance from a query, to the precision of
// the buckets, and rows of one bucket by row.
type proximity struct {
	bucket []uint16 // by row
	nearer []int    // by bucket: the number of rows in the buckets before it
}

func (f *File) proximity(query []float32) proximity {
	words := layoutOf(len(query)).words
	signs := make([]uint64, words)
	radius := newCoder(f.centre).code(signs, query)
	// By the law of cosines, for every number of differing bits.
	along := make([]float32, 64*words+1)
	for differing := range along {
		along[differing] = 2 * radius * float32(math.Cos(math.Pi*float64(differing)/float64(len(query))))
	}
	p := proximity{make([]uint16, f.rows), make([]int, lastBucket+2)}
	share(f.rows, func(from, to int) {
		for i := (from + blockRows - 1) / blockRows; i*blockRows < to; i++ { // blocks that begin in this part
			block, bucket := f.blocks[i], p.bucket[i*blockRows:]
			bucket = bucket[:min(len(bucket), blockRows)]
			hamming(bucket, block.signs, signs)
			for row, differing := range bucket {
				r := block.radii[row]
				bucket[row] = bucketOf(radius*radius + r*(r-along[differing]))
			}
		}
	})
	for _, bucket := range p.bucket {
		p.nearer[bucket+1]++
	}
	for i := range len(p.nearer) - 1 {
		p.nearer[i+1] += p.nearer[i]
	}
	return p
}

// bucketOf puts a damaged distance into the last bucket.
func bucketOf(square float32) uint16 {
	if scaled := max(0, square*bucketsPerOne); scaled < lastBucket {
		return uint16(scaled)
	}
	return lastBucket
}

// hamming counts the bits in which the query differs from each row. The inner loop has an
// index because range is slower by half.
func hamming(differing []uint16, rows, query []uint64) {
	words := len(query)
	for i := range differing {
		row := rows[:words]
		rows = rows[words:]
		count := 0
		for j := 0; j < words; j++ {
			count += bits.OnesCount64(row[j] ^ query[j])
		}
		differing[i] = uint16(count)
	}
}

// between returns the rows at positions from to to-1 of the order, by row.
func (p proximity) between(from, to int) []int32 {
	rows := make([]int32, 0, to-from)
	nearest, farthest := p.bucketAt(from), p.bucketAt(to-1)
	place := slices.Clone(p.nearer)
	for row, bucket := range p.bucket {
		if bucket < nearest || bucket > farthest {
			continue
		}
		if at := place[bucket]; at >= from && at < to {
			rows = append(rows, int32(row))
		}
		place[bucket]++
	}
	return rows
}

// bucketAt returns the bucket of the row at a position of the order.
func (p proximity) bucketAt(place int) uint16 {
	return uint16(sort.SearchInts(p.nearer, place+1) - 1)
}
