package vectors

// candidate is a row whose cosine is known. It is small because there may be
// one for every row.
type candidate struct {
	row    int32
	cosine float32
}

// before says whether c is better than other.
func (c candidate) before(other candidate) bool {
	return c.cosine > other.cosine || c.cosine == other.cosine && c.row < other.row
}

// ranking is a heap with the best on top. Few of the rows that were compared
// are ever taken out, so sorting them would be most of the work of a search.
type ranking []candidate

func (r ranking) init() {
	for i := len(r)/2 - 1; i >= 0; i-- {
		r.down(i)
	}
}

func (r *ranking) pop() candidate {
	heap := *r
	top, last := heap[0], len(heap)-1
	heap[0] = heap[last]
	*r = heap[:last]
	r.down(0)
	return top
}

func (r ranking) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(r) {
			return
		}
		if child+1 < len(r) && r[child+1].before(r[child]) {
			child++
		}
		if !r[child].before(r[i]) {
			return
		}
		r[i], r[child] = r[child], r[i]
		i = child
	}
}
