package lsa

// entry is one number of a matrix.
type entry struct {
	row, column int
	value       float64
}

// sparse is a square matrix by rows (compressed sparse rows).
type sparse struct {
	size    int
	starts  []int // row i is at starts[i] to starts[i+1]
	columns []int32
	values  []float64
}

// newSparse makes a matrix of entries in the order of rows.
func newSparse(entries []entry, size int) *sparse {
	m := &sparse{size: size, starts: make([]int, size+1), columns: make([]int32, len(entries)), values: make([]float64, len(entries))}
	for i, e := range entries {
		m.starts[e.row+1]++
		m.columns[i], m.values[i] = int32(e.column), e.value
	}
	for i := range size {
		m.starts[i+1] += m.starts[i]
	}
	return m
}

// times sets out to m·x.
func (m *sparse) times(x, out []float64) {
	for row := range m.size {
		sum := 0.0
		for i := m.starts[row]; i < m.starts[row+1]; i++ {
			sum += m.values[i] * x[m.columns[i]]
		}
		out[row] = sum
	}
}

// transposedTimes sets out to mᵀ·x.
func (m *sparse) transposedTimes(x, out []float64) {
	clear(out)
	for row := range m.size {
		for i := m.starts[row]; i < m.starts[row+1]; i++ {
			out[m.columns[i]] += m.values[i] * x[row]
		}
	}
}
