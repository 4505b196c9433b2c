package vectors

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// header is the decoded header of a file.
type header struct {
	stamp  Stamp
	rows   int
	slot   int       // the slot with this number of rows
	centre []float32 // nil until the first block is full
}

func checksum(parts ...[]byte) uint32 {
	var sum uint32
	for _, part := range parts {
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), part)
	}
	return sum
}

// encode returns the constant part of the header.
func (s Stamp) encode() []byte {
	head := make([]byte, sumOffset+4)
	copy(head, magic)
	binary.NativeEndian.PutUint32(head[8:], formatVersion)
	binary.NativeEndian.PutUint32(head[12:], uint32(s.Dimensions))
	binary.NativeEndian.PutUint32(head[16:], uint32(len(s.Model)))
	copy(head[modelOffset:], s.Model)
	binary.NativeEndian.PutUint32(head[sumOffset:], checksum(head[:sumOffset]))
	return head
}

// encodeSlot returns the slot for a number of rows.
func (h header) encodeSlot() []byte {
	slot := make([]byte, slotSize)
	binary.NativeEndian.PutUint64(slot, uint64(h.rows))
	binary.NativeEndian.PutUint32(slot[8:], checksum(bytesOf(h.centre)))
	binary.NativeEndian.PutUint32(slot[12:], checksum(h.stamp.encode(), slot[:12]))
	return slot
}

func readHeader(file *os.File) (header, error) {
	head := make([]byte, centreOffset)
	if err := readWhole(file, head, 0); err != nil {
		return header{}, err
	}
	stamp, err := decodeStamp(head)
	if err != nil {
		return header{}, err
	}
	result := header{stamp: stamp, slot: -1}
	var centreSum uint32
	for i := range 2 {
		slot := head[slotOffset+i*slotSize:][:slotSize]
		if checksum(head[:sumOffset+4], slot[:12]) != binary.NativeEndian.Uint32(slot[12:]) {
			continue
		}
		rows := binary.NativeEndian.Uint64(slot)
		if rows > maxRows {
			return header{}, fmt.Errorf("%w: %d rows", ErrDamaged, rows)
		}
		if result.slot < 0 || int(rows) > result.rows {
			result.rows, result.slot = int(rows), i
			centreSum = binary.NativeEndian.Uint32(slot[8:])
		}
	}
	if result.slot < 0 {
		return header{}, fmt.Errorf("%w: the number of rows has a wrong checksum", ErrDamaged)
	}
	if result.rows >= blockRows {
		result.centre = make([]float32, stamp.Dimensions)
		if err := readWhole(file, bytesOf(result.centre), centreOffset); err != nil {
			return header{}, err
		}
		if checksum(bytesOf(result.centre)) != centreSum {
			return header{}, fmt.Errorf("%w: the centre has a wrong checksum", ErrDamaged)
		}
	}
	return result, nil
}

func decodeStamp(head []byte) (Stamp, error) {
	if string(head[:len(magic)]) != magic {
		return Stamp{}, fmt.Errorf("%w: it does not begin with the marker of a vector file", ErrDamaged)
	}
	if version := binary.NativeEndian.Uint32(head[8:]); version != formatVersion {
		return Stamp{}, fmt.Errorf("%w: format version %d is not %d", ErrDamaged, version, formatVersion)
	}
	if checksum(head[:sumOffset]) != binary.NativeEndian.Uint32(head[sumOffset:]) {
		return Stamp{}, fmt.Errorf("%w: the header has a wrong checksum", ErrDamaged)
	}
	dimensions, length := binary.NativeEndian.Uint32(head[12:]), binary.NativeEndian.Uint32(head[16:])
	if dimensions == 0 || dimensions > maxDimensions || length > maxModel {
		return Stamp{}, fmt.Errorf("%w: %d dimensions, a model id of %d bytes", ErrDamaged, dimensions, length)
	}
	return Stamp{string(head[modelOffset:][:length]), int(dimensions)}, nil
}

// readWhole fills the buffer; a file that ends before that is damaged.
func readWhole(file *os.File, buffer []byte, offset int64) error {
	_, err := file.ReadAt(buffer, offset)
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: it ends before byte %d", ErrDamaged, offset+int64(len(buffer)))
	}
	return err
}
