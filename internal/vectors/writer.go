package vectors

import (
	"fmt"
	"os"
)

// writer adds rows to a file. It does not write through a mapping, so that a full disk is
// an error and not a signal.
type writer struct {
	header
	layout
	file  *os.File
	coder *coder // nil until there is a centre
}

func newWriter(file *os.File, head header) *writer {
	w := &writer{header: head, layout: layoutOf(head.stamp.Dimensions), file: file}
	if head.centre != nil {
		w.coder = newCoder(head.centre)
	}
	return w
}

// append writes rows and then, last, their number.
func (w *writer) append(rows batch) error {
	if len(rows.keys) > maxRows-w.rows {
		return fmt.Errorf("more than %d rows", maxRows)
	}
	if err := w.grow(w.size(w.rows + len(rows.keys))); err != nil {
		return err
	}
	for start := 0; start < len(rows.keys); {
		n := min(chunkRows, len(rows.keys)-start, blockRows-w.rows%blockRows)
		if err := w.chunk(rows.keys[start:start+n], rows.vectors[start:start+n]); err != nil {
			return err
		}
		start += n
	}
	// Rows that are counted but were lost in a power cut would pass for existing vectors,
	// and would never be computed again.
	if err := w.file.Sync(); err != nil {
		return err
	}
	w.slot = 1 - w.slot
	_, err := w.file.WriteAt(w.encodeSlot(), int64(slotOffset+w.slot*slotSize))
	return err
}

// grow extends the file to at least a size. A writer that died may have left it larger; it
// is never truncated, because other processes have it mapped.
func (w *writer) grow(size int64) error {
	info, err := w.file.Stat()
	if err != nil || info.Size() >= size {
		return err
	}
	return w.file.Truncate(size)
}

// chunk writes rows that belong to one block.
func (w *writer) chunk(keys []uint64, vectors [][]float32) error {
	values := make([]float32, 0, len(vectors)*w.dimensions)
	for _, vector := range vectors {
		values = append(values, vector...)
	}
	start, within := w.start(w.rows), int64(w.rows%blockRows)
	if _, err := w.file.WriteAt(bytesOf(keys), start+8*within); err != nil {
		return err
	}
	at := start + w.layout.values + within*int64(4*w.dimensions)
	if _, err := w.file.WriteAt(bytesOf(values), at); err != nil {
		return err
	}
	first := w.rows
	w.rows += len(keys)
	if w.coder != nil {
		return w.writeCodes(first, values)
	}
	if w.rows == blockRows {
		return w.fixCentre()
	}
	return nil
}

// fixCentre makes the mean of the first block the centre and writes that block's sign bits
// and distances. Before, a centre would rest on too few vectors, and neither is needed: a
// search of so few rows is exact. Therefore readers that have the file open do not read
// them.
func (w *writer) fixCentre() error {
	centre, units := make([]float32, w.dimensions), 0
	err := w.firstBlock(func(_ int, values []float32) error {
		for len(values) > 0 {
			vector := values[:w.dimensions]
			values = values[w.dimensions:]
			if !isUnit(dot(vector, vector)) {
				continue // zero, or damaged
			}
			units++
			for i, value := range vector {
				centre[i] += value
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range centre {
		centre[i] /= float32(max(units, 1))
	}
	w.centre, w.coder = centre, newCoder(centre)
	if _, err := w.file.WriteAt(bytesOf(centre), centreOffset); err != nil {
		return err
	}
	return w.firstBlock(w.writeCodes)
}

// firstBlock reads the values of the first block, some rows at a time.
func (w *writer) firstBlock(do func(row int, values []float32) error) error {
	values := make([]float32, chunkRows*w.dimensions)
	for row := 0; row < blockRows; row += chunkRows {
		at := w.head + w.layout.values + int64(row)*int64(4*w.dimensions)
		if err := readWhole(w.file, bytesOf(values), at); err != nil {
			return err
		}
		if err := do(row, values); err != nil {
			return err
		}
	}
	return nil
}

// writeCodes writes the sign bits and distances of rows of one block from
// their values.
func (w *writer) writeCodes(row int, values []float32) error {
	radii := make([]float32, len(values)/w.dimensions)
	signs := make([]uint64, len(radii)*w.words)
	for i := range radii {
		radii[i] = w.coder.code(signs[i*w.words:][:w.words], values[i*w.dimensions:][:w.dimensions])
	}
	start, within := w.start(row), int64(row%blockRows)
	if _, err := w.file.WriteAt(bytesOf(radii), start+w.layout.radii+4*within); err != nil {
		return err
	}
	_, err := w.file.WriteAt(bytesOf(signs), start+w.layout.signs+within*int64(8*w.words))
	return err
}
