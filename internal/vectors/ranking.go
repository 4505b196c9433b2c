package vectors

// candidate is a row with its cosine. It is small because there may be one for every row.
type candidate struct {
	row    int32
	cosine float32
}

// before reports whether c ranks before other.
func (c candidate) before(other candidate) bool {
	return c.cosine > other.cosine || c.cosine == other.cosine && c.row < other.row
}

// ranking is a heap with the best candidate on top. Only few of the compared rows are ever
// popped, so sorting all would dominate a search.
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
