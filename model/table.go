package model

import (
	"encoding/binary"
	"fmt"
	"math"
)

// table gives each token a vector. It is read only.
type table struct {
	rows, dims int
	dtype      string
	width      int    // bytes of a row
	data       []byte // rows of dtype, little endian
	weights    []float32
	mapping    []int32 // from token to row; nil: they are the same
}

// maxDimensions bounds the cost of a text's vector.
const maxDimensions = 1 << 14

// newTable reads the tensors of a Model2Vec model: "embeddings" and, in newer ones,
// "weights" by token and "mapping" from token to row.
func newTable(tensors map[string]tensor) (*table, error) {
	e, ok := tensors["embeddings"]
	switch {
	case !ok:
		return nil, fmt.Errorf("%w: it has no tensor %q", ErrDamaged, "embeddings")
	case e.dtype != "F32" && e.dtype != "F16" && e.dtype != "I8":
		return nil, fmt.Errorf("%w: embeddings of type %s; F32, F16 and I8 can be read", ErrDamaged, e.dtype)
	case len(e.shape) != 2 || e.shape[0] < 1 || e.shape[1] < 1 || e.shape[1] > maxDimensions || e.shape[0] > math.MaxInt32:
		return nil, fmt.Errorf("%w: embeddings of shape %d are not a table of vectors", ErrDamaged, e.shape)
	}
	t := &table{rows: e.shape[0], dims: e.shape[1], dtype: e.dtype, width: e.shape[1] * int(elementSize(e.dtype)), data: e.data}
	if w, ok := tensors["weights"]; ok {
		if err := t.setWeights(w); err != nil {
			return nil, err
		}
	}
	if m, ok := tensors["mapping"]; ok {
		if err := t.setMapping(m); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *table) setWeights(w tensor) error {
	if len(w.shape) != 1 || (w.dtype != "F32" && w.dtype != "F64") {
		return fmt.Errorf("%w: weights of type %s and shape %d", ErrDamaged, w.dtype, w.shape)
	}
	t.weights = make([]float32, w.shape[0])
	for i := range t.weights {
		if w.dtype == "F32" {
			t.weights[i] = math.Float32frombits(binary.LittleEndian.Uint32(w.data[4*i:]))
		} else {
			t.weights[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(w.data[8*i:])))
		}
	}
	return nil
}

func (t *table) setMapping(m tensor) error {
	if len(m.shape) != 1 || m.dtype != "I64" {
		return fmt.Errorf("%w: a mapping of type %s and shape %d", ErrDamaged, m.dtype, m.shape)
	}
	t.mapping = make([]int32, m.shape[0])
	for i := range t.mapping {
		row := binary.LittleEndian.Uint64(m.data[8*i:])
		if row >= uint64(t.rows) {
			return fmt.Errorf("%w: token %d maps to row %d of %d", ErrDamaged, i, int64(row), t.rows)
		}
		t.mapping[i] = int32(row)
	}
	return nil
}

// tokens returns the number of tokens with a vector.
func (t *table) tokens() int {
	n := t.rows
	if t.mapping != nil {
		n = len(t.mapping)
	}
	if t.weights != nil {
		n = min(n, len(t.weights))
	}
	return n
}

// add adds a token's vector to sum. The token must be below tokens.
func (t *table) add(sum []float32, token int32) {
	weight, at := float32(1), int(token)
	if t.weights != nil {
		weight = t.weights[token]
	}
	if t.mapping != nil {
		at = int(t.mapping[token])
	}
	row := t.data[at*t.width:][:t.width]
	switch t.dtype {
	case "F32":
		for i := range sum {
			sum[i] += weight * math.Float32frombits(binary.LittleEndian.Uint32(row[4*i:]))
		}
	case "F16":
		for i := range sum {
			sum[i] += weight * halfFloat(binary.LittleEndian.Uint16(row[2*i:]))
		}
	case "I8":
		for i := range sum {
			sum[i] += weight * float32(int8(row[i]))
		}
	}
}

// halfFloat widens an IEEE 754 binary16.
func halfFloat(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10)&0x1f, uint32(h)&0x3ff
	switch exponent {
	case 0: // subnormal: a multiple of 2^-24
		f := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 0x1f: // infinite, or NaN
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
