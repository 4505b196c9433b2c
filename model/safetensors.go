package model

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// tensor is one array of a safetensors file. data is a part of the file's bytes.
type tensor struct {
	dtype string
	shape []int
	data  []byte
}

// maxHeader bounds the JSON header; that of a table has about 100 bytes.
const maxHeader = 1 << 20

// parseSafetensors reads the format of
// https://github.com/huggingface/safetensors: eight bytes of length, little
// endian, a JSON header of that length, and the data of all tensors. The data
// is not copied.
func parseSafetensors(b []byte) (map[string]tensor, error) {
	if len(b) < 8 {
		return nil, fmt.Errorf("%w: %d bytes are not a safetensors file", ErrDamaged, len(b))
	}
	length := binary.LittleEndian.Uint64(b)
	if length > maxHeader || length > uint64(len(b)-8) {
		return nil, fmt.Errorf("%w: a header of %d bytes in a file of %d", ErrDamaged, length, len(b))
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(b[8:8+length], &header); err != nil {
		return nil, fmt.Errorf("%w: its header: %v", ErrDamaged, err)
	}
	data, used := b[8+length:], uint64(0)
	tensors := make(map[string]tensor, len(header))
	for name, text := range header {
		if name == "__metadata__" {
			continue
		}
		t, end, err := parseTensor(text, data)
		if err != nil {
			return nil, fmt.Errorf("%w: tensor %q: %v", ErrDamaged, name, err)
		}
		tensors[name], used = t, max(used, end)
	}
	if used != uint64(len(data)) {
		return nil, fmt.Errorf("%w: %d bytes belong to no tensor", ErrDamaged, uint64(len(data))-used)
	}
	return tensors, nil
}

func parseTensor(text json.RawMessage, data []byte) (t tensor, end uint64, err error) {
	var header struct {
		Type    string    `json:"dtype"`
		Shape   []uint64  `json:"shape"`
		Offsets [2]uint64 `json:"data_offsets"`
	}
	if err := json.Unmarshal(text, &header); err != nil {
		return t, 0, err
	}
	begin, end := header.Offsets[0], header.Offsets[1]
	if begin > end || end > uint64(len(data)) {
		return t, 0, fmt.Errorf("its bytes %d to %d are not within the %d there are; the file is cut short", begin, end, len(data))
	}
	t = tensor{dtype: header.Type, data: data[begin:end]}
	elements, most := uint64(1), uint64(len(data))+1
	for _, n := range header.Shape {
		if n > most || elements*n > most { // neither factor exceeds the size of a file, so nothing overflows
			return t, 0, fmt.Errorf("shape %d is larger than the file", header.Shape)
		}
		elements *= n
		t.shape = append(t.shape, int(n))
	}
	if size := elementSize(header.Type); size > 0 && elements*size != end-begin {
		return t, 0, fmt.Errorf("shape %d of %s does not match its %d bytes", header.Shape, header.Type, end-begin)
	}
	return t, end, nil
}

// elementSize returns 0 for types that engram does not read.
func elementSize(dtype string) uint64 {
	switch dtype {
	case "I8":
		return 1
	case "F16":
		return 2
	case "F32":
		return 4
	case "F64", "I64":
		return 8
	}
	return 0
}
