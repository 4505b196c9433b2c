package vectors

import "math/bits"

// table finds rows by key: open addressing with linear probing, at most half
// full. A slot holds the row plus one; the key itself stays in the file.
type table struct {
	slots []uint32
	shift int
}

func newTable(f *File) *table {
	width := max(bits.Len(uint(2*f.rows)), 1)
	t := &table{slots: make([]uint32, 1<<width), shift: 64 - width}
	for row := range f.rows {
		slot, _ := t.slot(f, f.Key(row))
		t.slots[slot] = uint32(row + 1)
	}
	return t
}

func (t *table) find(f *File, key uint64) (row int, ok bool) {
	slot, ok := t.slot(f, key)
	if !ok {
		return 0, false
	}
	return int(t.slots[slot] - 1), true
}

// slot returns the slot of a key or, if there is none, the free slot for it.
func (t *table) slot(f *File, key uint64) (slot uint64, found bool) {
	// Fibonacci hashing, in case the caller's keys are not well mixed.
	slot = key * 0x9E3779B97F4A7C15 >> t.shift
	for t.slots[slot] != 0 {
		if f.Key(int(t.slots[slot]-1)) == key {
			return slot, true
		}
		slot = (slot + 1) & uint64(len(t.slots)-1)
	}
	return slot, false
}
