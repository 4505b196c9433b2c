package survey

import (
	"bytes"
	"sort"

	"engram/index/internal/query"
	"engram/index/internal/store"
)

// lists are lists of documents by key, one for each segment.
type lists struct {
	segments []store.Segment
	found    [][]uint32
}

// page returns the documents from offset on in the order of their keys, up to a number
// of rows. It reads the keys of few others: searching for the beginning takes some
// logarithms of their number.
func page(segments []store.Segment, found [][]uint32, offset, rows int) ([]query.Hit, error) {
	l := lists{segments, found}
	at, skip, err := l.seek(offset)
	if err != nil {
		return nil, err
	}
	hits := []query.Hit{}
	heads := make([][]byte, len(found))
	for i := range heads {
		if heads[i], err = l.key(i, at[i]); err != nil {
			return nil, err
		}
	}
	for ; len(hits) < rows; skip-- {
		least := -1
		for i, head := range heads {
			if head != nil && (least < 0 || bytes.Compare(head, heads[least]) < 0) {
				least = i
			}
		}
		if least < 0 {
			break
		}
		if skip <= 0 {
			id, err := segments[least].ID(found[least][at[least]])
			if err != nil {
				return nil, err
			}
			hit, err := query.NewHit(id, 0)
			if err != nil {
				return nil, err
			}
			hits = append(hits, hit)
		}
		at[least]++
		if heads[least], err = l.key(least, at[least]); err != nil {
			return nil, err
		}
	}
	return hits, nil
}

// key is the key of an element of a list; nil at its end.
func (l lists) key(list, at int) ([]byte, error) {
	if at >= len(l.found[list]) {
		return nil, nil
	}
	return keyOf(l.segments[list], l.found[list][at])
}

// few is how many elements are passed over one by one, which takes as long as one step of
// a search.
const few = 200

// seek returns where each list stands after offset elements of all of them, apart from a few
// that remain to be skipped. Elements with the same key follow each other in the order of
// their lists.
func (l lists) seek(offset int) (at []int, rest int, err error) {
	at = make([]int, len(l.found))
	end := make([]int, len(l.found))
	for i, list := range l.found {
		end[i] = len(list)
	}
	for offset > few && len(at) > 0 {
		largest := 0
		for i := range at {
			if end[i]-at[i] > end[largest]-at[largest] {
				largest = i
			}
		}
		if end[largest] == at[largest] {
			break // the offset is beyond all of them
		}
		middle := at[largest] + (end[largest]-at[largest])/2
		split, before, err := l.split(at, end, largest, middle)
		if err != nil {
			return nil, 0, err
		}
		switch {
		case before < offset: // the element in the middle is to be skipped as well
			split[largest]++
			at, offset = split, offset-before-1
		case before == offset:
			return split, 0, nil
		default:
			end = split
		}
	}
	return at, offset, nil
}

// split says how far each list, from at to end, comes before an element of one of them,
// and how many elements that are.
func (l lists) split(at, end []int, list, element int) (split []int, before int, err error) {
	pivot, err := l.key(list, element)
	if err != nil {
		return nil, 0, err
	}
	split = make([]int, len(at))
	for i := range at {
		n := element - at[i]
		if i != list {
			n = sort.Search(end[i]-at[i], func(n int) bool {
				key, keyErr := l.key(i, at[i]+n)
				if keyErr != nil {
					err = keyErr
				}
				order := bytes.Compare(key, pivot)
				return order > 0 || order == 0 && i > list
			})
		}
		split[i] = at[i] + n
		before += n
	}
	return split, before, err
}
