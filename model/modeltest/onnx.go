package modeltest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
)

// Transformers are tiny models in the files of real ones.
type Transformers struct {
	// Rows gives each word the row that its token has in the graph's table:
	// the vector of an embedder, the logits of a tagger and, averaged over all
	// tokens of both texts, of a cross-encoder.
	Rows map[string][]float32
	// Second is added to the rows of the second text of a pair. nil adds nothing.
	Second []float32
	// Labels are the classes, by number.
	Labels []string
	// Architecture is config.json's, such as BertForTokenClassification; it
	// says which graph is written. "" is an embedder.
	Architecture string
}

// special pieces that no text has.
var special = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"}

// Write writes model.onnx, tokenizer.json and config.json to dir, which it
// makes. Words continue others if they begin with ##.
func (m Transformers) Write(dir string) error {
	pieces := append([]string(nil), special...)
	dims := len(m.Labels)
	for _, word := range slices.Sorted(maps.Keys(m.Rows)) {
		if dims = len(m.Rows[word]); !slices.Contains(special, word) {
			pieces = append(pieces, word)
		}
	}
	var rows []float32
	for _, piece := range pieces {
		row := m.Rows[piece]
		if row == nil {
			row = make([]float32, dims)
		}
		if len(row) != dims {
			return fmt.Errorf("the row of %q has %d elements, others %d", piece, len(row), dims)
		}
		rows = append(rows, row...)
	}
	second := m.Second
	if second == nil {
		second = make([]float32, dims)
	}
	labels := map[string]string{}
	for i, label := range m.Labels {
		labels[strconv.Itoa(i)] = label
	}
	architecture := m.Architecture
	if architecture == "" {
		architecture = "BertModel"
	}
	config, err := json.Marshal(map[string]any{
		"model_type": "bert", "architectures": []string{architecture}, "id2label": labels,
		"hidden_size": dims, "vocab_size": len(pieces), "max_position_embeddings": 64, "pad_token_id": 0,
	})
	if err != nil {
		return err
	}
	tokenizer, err := Tokenizer(pieces)
	if err != nil {
		return err
	}
	graph := Graph(rows, second, dims, architecture == "BertForSequenceClassification")
	return write(dir, map[string][]byte{"model.onnx": graph, "tokenizer.json": tokenizer, "config.json": config})
}

// Graph is an ONNX file: rows[input_ids] + types[token_type_ids], for the
// average over the text if mean, times the identity matrix. It has the inputs
// and outputs of BERT's exports.
func Graph(rows, second []float32, dims int, mean bool) []byte {
	identity := make([]float32, dims*dims)
	for i := range dims {
		identity[i*dims+i] = 1
	}
	types := append(make([]float32, dims), second...)
	var g message
	g.bytes(1, node("Gather", "by_token", nil, "rows", "input_ids"))
	g.bytes(1, node("Gather", "by_type", nil, "types", "token_type_ids"))
	g.bytes(1, node("Add", "sum", nil, "by_token", "by_type"))
	name, shape := "last_hidden_state", []any{"batch", "sequence", dims}
	last := "sum"
	if mean {
		g.bytes(1, node("ReduceMean", "mean", []message{ints("axes", 1), integer("keepdims", 0)}, "sum"))
		name, shape, last = "logits", []any{"batch", dims}, "mean"
	}
	g.bytes(1, node("MatMul", name, nil, last, "identity"))
	g.string(2, "tiny")
	g.bytes(5, tensor("rows", rows, len(rows)/dims, dims))
	g.bytes(5, tensor("types", types, 2, dims))
	g.bytes(5, tensor("identity", identity, dims, dims))
	for _, input := range []string{"input_ids", "attention_mask", "token_type_ids"} {
		g.bytes(11, value(input, typeInt64, "batch", "sequence"))
	}
	g.bytes(12, value(name, typeFloat, shape...))
	var version, m message
	version.varint(2, 13)
	m.varint(1, 8)
	m.bytes(7, g)
	m.bytes(8, version)
	return m
}

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
