package vectors

import "math"

// The file is a header and blocks of blockRows rows; the last block has its
// full size, too. All numbers are in the byte order of the machine, so that
// they can be used where they lie; on a machine of the other order the format
// version does not match.
//
//	offset  bytes
//	     0      8  magic
//	     8      4  format version
//	    12      4  dimensions
//	    16      4  length of the model id
//	    20    200  model id, filled up with zeros
//	   220      4  CRC-32C of the bytes before
//	   256     16  first slot: rows (8), CRC-32C of the centre (4),
//	               CRC-32C of bytes 0 to 223 and the slot's bytes before (4)
//	   272     16  second slot
//	   512    4×d  centre, once the first block is full
//
// The header ends at the next multiple of 4096. A block is
//
//	8 × rows          keys
//	8 × ⌈d/64⌉ × rows  sign bits, see coder
//	4 × rows          distances from the centre
//	4 × d × rows      values
//
// so that every part of it starts on a multiple of 4096.
//
// The slot with more rows counts. A new number of rows is written, after all
// else, into the other slot: a reader that comes meanwhile, or after a writer
// that died there, finds the former number.
const (
	magic         = "engrvec\n"
	formatVersion = 1

	headerUnit    = 4096
	modelOffset   = 20
	maxModel      = 200
	sumOffset     = modelOffset + maxModel
	slotOffset    = 256
	slotSize      = 16
	centreOffset  = 512
	maxDimensions = 8192
	maxRows       = math.MaxInt32

	blockRows = 4096
)

// block is one block of the mapping.
type block struct {
	keys   []uint64
	signs  []uint64
	radii  []float32
	values []float32
}

// layout says where the parts of a file are, in bytes.
type layout struct {
	dimensions int
	words      int   // of sign bits per row
	head       int64 // size of the header
	signs      int64 // offset of the sign bits in a block
	radii      int64 // offset of the distances from the centre in a block
	values     int64 // offset of the values in a block
	block      int64 // size of a block
}

func layoutOf(dimensions int) layout {
	l := layout{dimensions: dimensions, words: (dimensions + 63) / 64}
	l.head = int64(centreOffset+4*dimensions+headerUnit-1) / headerUnit * headerUnit
	l.signs = 8 * blockRows
	l.radii = l.signs + int64(8*l.words*blockRows)
	l.values = l.radii + 4*blockRows
	l.block = l.values + int64(4*dimensions*blockRows)
	return l
}

// size is that of a file with so many rows.
func (l layout) size(rows int) int64 {
	return l.head + (int64(rows)+blockRows-1)/blockRows*l.block
}

// start is the offset of the block that holds a row.
func (l layout) start(row int) int64 {
	return l.head + int64(row/blockRows)*l.block
}

func (l layout) blocks(mapping []byte, rows int) []block {
	blocks := make([]block, 0, rows/blockRows+1)
	for row := 0; row < rows; row += blockRows {
		memory := mapping[l.start(row):][:l.block]
		blocks = append(blocks, block{
			keys:   numbersIn[uint64](memory[:l.signs]),
			signs:  numbersIn[uint64](memory[l.signs:l.radii]),
			radii:  numbersIn[float32](memory[l.radii:l.values]),
			values: numbersIn[float32](memory[l.values:]),
		})
	}
	return blocks
}
