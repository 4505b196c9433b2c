package model_test

import (
	"encoding/binary"
	"math"
)

// Numbers of ONNX's element types.
const (
	typeFloat = 1
	typeInt64 = 7
)

// message is a protobuf message; numbers of fields are those of onnx.proto.
type message []byte

func (m *message) varint(field int, v uint64) {
	*m = binary.AppendUvarint(binary.AppendUvarint(*m, uint64(field)<<3), v)
}

func (m *message) bytes(field int, b []byte) {
	*m = binary.AppendUvarint(binary.AppendUvarint(*m, uint64(field)<<3|2), uint64(len(b)))
	*m = append(*m, b...)
}

func (m *message) string(field int, s string) { m.bytes(field, []byte(s)) }

func node(operator, output string, attributes []message, inputs ...string) (m message) {
	for _, input := range inputs {
		m.string(1, input)
	}
	m.string(2, output)
	m.string(3, "make_"+output)
	m.string(4, operator)
	for _, a := range attributes {
		m.bytes(5, a)
	}
	return m
}

func integer(name string, v uint64) (m message) {
	m.string(1, name)
	m.varint(3, v)
	m.varint(20, 2)
	return m
}

func ints(name string, v uint64) (m message) {
	m.string(1, name)
	m.varint(8, v)
	m.varint(20, 7)
	return m
}

func tensor(name string, data []float32, dims ...int) (m message) {
	for _, d := range dims {
		m.varint(1, uint64(d))
	}
	m.varint(2, typeFloat)
	m.string(8, name)
	var raw []byte
	for _, x := range data {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	m.bytes(9, raw)
	return m
}

// integers is a tensor of whole numbers; without dims it is a scalar.
func integers(name string, data []int64, dims ...int) (m message) {
	for _, d := range dims {
		m.varint(1, uint64(d))
	}
	m.varint(2, typeInt64)
	m.string(8, name)
	var raw []byte
	for _, x := range data {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
	}
	m.bytes(9, raw)
	return m
}

// value describes an input or output; a dimension is a number or a name.
func value(name string, element uint64, dims ...any) (m message) {
	var shape, tensorType, typ message
	for _, d := range dims {
		var dim message
		switch d := d.(type) {
		case int:
			dim.varint(1, uint64(d))
		case string:
			dim.string(2, d)
		}
		shape.bytes(1, dim)
	}
	tensorType.varint(1, element)
	tensorType.bytes(2, shape)
	typ.bytes(1, tensorType)
	m.string(1, name)
	m.bytes(2, typ)
	return m
}
