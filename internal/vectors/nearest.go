package vectors

import (
	"fmt"
	"math"
	"slices"
)

// exactUpTo is the number of rows up to which every row is compared with the query. Above
// it the codes of the rows choose candidates first.
const exactUpTo = 20_000

// Codes exist only once the first block is full.
const _ = uint(exactUpTo - blockRows)

// Neighbour is a row and the cosine between its vector and a query's.
type Neighbour struct {
	Row    int
	Cosine float32 // -1 to 1
}

// Nearest returns the k rows of the highest cosine with the query, the best first and
// equals by row. The query may have any length; nothing is near a zero query. The error
// reports a query of other dimensions, or with a number that is not finite.
//
// accept (nil: all) says which rows may be returned. It is called at most once for a row,
// from the most promising to the least, until there are k.
//
// Up to 20,000 rows the answer is exact. Above, the max(2000, 50·k) rows that are nearest
// by their codes are compared exactly: one of the true k may be missing (see the benchmarks
// for recall), but every row returned has its true cosine. If accept leaves fewer than k of
// these, eight times as many are compared, and then all: no acceptable row is missed, but
// an accept that rejects nearly everything costs an exact scan, about 50 ms for 100,000
// rows of 384 dimensions, and a call for every row.
//
// Rows that are not of unit length, because they are damaged or zero, are omitted.
func (f *File) Nearest(query []float32, k int, accept func(row int) bool) ([]Neighbour, error) {
	if len(query) != f.stamp.Dimensions {
		return nil, fmt.Errorf("nearest: the query has %d dimensions, the file %d", len(query), f.stamp.Dimensions)
	}
	unit, err := normalized(query)
	if err != nil || unit == nil || k <= 0 || f.rows == 0 {
		return nil, err
	}
	s := search{file: f, query: unit, k: min(k, f.rows), accept: accept}
	if f.rows <= exactUpTo {
		s.compare(f.all())
		return s.neighbours(), nil
	}
	first := max(2000, 50*s.k)
	order := f.proximity(unit)
	done := 0
	for _, until := range []int{first, 8 * first, f.rows} {
		until = min(until, f.rows)
		if len(s.best) == s.k || until == done {
			break
		}
		s.compare(order.between(done, until))
		done = until
	}
	return s.neighbours(), nil
}

// all returns all rows.
func (f *File) all() []int32 {
	rows := make([]int32, f.rows)
	for row := range rows {
		rows[row] = int32(row)
	}
	return rows
}

// normalized returns the query at unit length, or nil if it is zero.
func normalized(query []float32) ([]float32, error) {
	var square float64
	for _, value := range query {
		square += float64(value) * float64(value)
	}
	if math.IsNaN(square) || math.IsInf(square, 0) {
		return nil, fmt.Errorf("nearest: the query is not finite")
	}
	if square == 0 {
		return nil, nil
	}
	unit := make([]float32, len(query))
	for i, value := range query {
		unit[i] = float32(float64(value) / math.Sqrt(square))
	}
	return unit, nil
}

// search collects the best acceptable rows.
type search struct {
	file   *File
	query  []float32
	k      int
	accept func(row int) bool
	best   []candidate // sorted, at most k
}

// compare adds the best of rows, none of which it has seen before.
func (s *search) compare(rows []int32) {
	found := make(ranking, len(rows))
	share(len(rows), func(from, to int) {
		for i, row := range rows[from:to] {
			found[from+i] = candidate{row, max(-1, min(1, dot(s.query, s.file.Vector(int(row)))))}
		}
	})
	// NaN cannot be ranked; min and max pass it on.
	found = slices.DeleteFunc(found, func(c candidate) bool { return math.IsNaN(float64(c.cosine)) })
	found.init()
	for len(found) > 0 {
		next := found.pop()
		if len(s.best) == s.k && !next.before(s.best[s.k-1]) {
			return
		}
		if s.accept != nil && !s.accept(int(next.row)) {
			continue
		}
		// The length is checked only here: a vector that is too long ranks early, and one
		// that is too short does no harm before.
		vector := s.file.Vector(int(next.row))
		if isUnit(dot(vector, vector)) {
			s.insert(next)
		}
	}
}

// insert inserts a candidate in order and keeps the best k.
func (s *search) insert(c candidate) {
	i, _ := slices.BinarySearchFunc(s.best, c, func(have, c candidate) int {
		if have.before(c) {
			return -1
		}
		return 1
	})
	s.best = slices.Insert(s.best, i, c)
	s.best = s.best[:min(len(s.best), s.k)]
}

func (s *search) neighbours() []Neighbour {
	result := make([]Neighbour, len(s.best))
	for i, c := range s.best {
		result[i] = Neighbour{int(c.row), c.cosine}
	}
	return result
}
