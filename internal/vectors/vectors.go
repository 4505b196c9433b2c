// Package vectors keeps embedding vectors in one flat, append-only file and finds those
// nearest to a query. The file is memory-mapped: opening it costs no more for a million
// rows than for ten, and processes share its pages.
//
// The file is derived data: everything in it can be computed again, so damage is reported
// and not repaired. The package does not know what a vector stands for; a row is identified
// by a key that the caller chooses, such as a digest of the embedded text.
package vectors

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/blevesearch/mmap-go"
)

// ErrDamaged reports a file that is not a whole vector file of this format
// version and this machine's byte order. [Append] replaces such a file.
var ErrDamaged = errors.New("not a usable vector file")

// Stamp says which vectors a file holds. Vectors of different stamps cannot be compared.
type Stamp struct {
	Model      string // at most 200 bytes
	Dimensions int    // 1 to 8192
}

// File is an open vector file, with the rows it had when it was opened, whatever is
// appended or replaced afterwards. Its methods may be called concurrently, except for
// Close.
type File struct {
	header
	mapping mmap.MMap
	blocks  []block
	byKey   func() *table
	lookups atomic.Int64
}

// Open maps the file at path. The error is fs.ErrNotExist if there is none and [ErrDamaged]
// if it cannot be used. A file that another process appends to opens in its last complete
// state, even if that process died.
func Open(path string) (*File, error) {
	opened, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("open vectors %s: %w", path, err)
	}
	return opened, nil
}

func open(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	// A mapping outlives its file handle.
	defer func() { _ = file.Close() }()
	head, err := readHeader(file)
	if err != nil {
		return nil, err
	}
	// The size is read after the row count: a file only grows.
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	place := layoutOf(head.stamp.Dimensions)
	length := place.size(head.rows)
	if info.Size() < length {
		return nil, fmt.Errorf("%w: %d bytes of %d", ErrDamaged, info.Size(), length)
	}
	if strconv.IntSize == 32 && length > math.MaxInt32 {
		return nil, fmt.Errorf("%d bytes are too many to map on this system", length)
	}
	mapping, err := mmap.MapRegion(file, int(length), mmap.RDONLY, 0, 0)
	if err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	f := &File{header: head, mapping: mapping, blocks: place.blocks(mapping, head.rows)}
	f.byKey = sync.OnceValue(func() *table { return newTable(f) })
	return f, nil
}

// Stamp returns the model and dimensions the file was made with.
func (f *File) Stamp() Stamp { return f.stamp }

// Len returns the number of rows, numbered from 0 in the order of appending.
func (f *File) Len() int { return f.rows }

// Key returns the key of a row. It panics if row is not in [0, Len).
func (f *File) Key(row int) uint64 {
	f.mustHave(row)
	return f.blocks[row/blockRows].keys[row%blockRows]
}

// Vector returns the vector of a row as a view into the mapping: it must not be written to
// and is invalid after Close. It panics if row is not in [0, Len).
func (f *File) Vector(row int) []float32 {
	f.mustHave(row)
	start := row % blockRows * f.stamp.Dimensions
	end := start + f.stamp.Dimensions
	return f.blocks[row/blockRows].values[start:end:end]
}

// fewLookups is the number of lookups up to which scanning all keys each time costs less
// than building a table: 1.5 ms for 100,000 rows.
const fewLookups = 16

// Row returns the newest row with a key.
func (f *File) Row(key uint64) (row int, ok bool) {
	if f.lookups.Add(1) > fewLookups {
		return f.byKey().find(f, key)
	}
	for i, block := range slices.Backward(f.blocks) {
		keys := block.keys[:min(blockRows, f.rows-i*blockRows)]
		for row, have := range slices.Backward(keys) {
			if have == key {
				return i*blockRows + row, true
			}
		}
	}
	return 0, false
}

// Cosine returns the cosine between the vector of a row and a query of unit length, which
// has the file's dimensions. It panics if row is not in [0, Len).
func (f *File) Cosine(row int, query []float32) float32 { return dot(f.Vector(row), query) }

// Check checks every row: 40 ms for 100,000 rows of 384 dimensions. The error is
// [ErrDamaged] if a row is neither of unit length nor zero.
func (f *File) Check() error {
	for row := range f.rows {
		v := f.Vector(row)
		if square := dot(v, v); square != 0 && !isUnit(square) {
			return fmt.Errorf("%w: row %d has length² %g", ErrDamaged, row, square)
		}
	}
	return nil
}

// Close ends the mapping. No other call may be running, and none but Close may follow; a
// second Close does nothing.
func (f *File) Close() error {
	if f.mapping == nil {
		return nil
	}
	f.rows, f.blocks = 0, nil
	if err := f.mapping.Unmap(); err != nil {
		return fmt.Errorf("close vectors: %w", err)
	}
	return nil
}

// mustHave panics for a wrong row, because the last block has room for rows that do not
// exist.
func (f *File) mustHave(row int) {
	if uint(row) >= uint(f.rows) {
		panic(fmt.Sprintf("vectors: row %d of %d", row, f.rows))
	}
}

// bytesOf returns the memory of a slice of numbers.
func bytesOf[T uint64 | float32](numbers []T) []byte {
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(numbers))), len(numbers)*int(unsafe.Sizeof(one)))
}

// numbersIn returns memory as numbers in the machine's byte order. The memory must be
// aligned for them.
func numbersIn[T uint64 | float32](memory []byte) []T {
	var one T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/int(unsafe.Sizeof(one)))
}
