package model

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// file is a safetensors file with that header.
func file(header string, data ...byte) []byte {
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), data...)
}

func TestDamagedTables(t *testing.T) {
	for name, test := range map[string]struct {
		file []byte
		want string
	}{
		"empty":               {nil, "0 bytes are not a safetensors file"},
		"header cut off":      {file("{}")[:9], "a header of 2 bytes in a file of 9"},
		"header out of range": {[]byte("\xff\xff\xff\xff\xff\xff\xff\xff{}"), "a header of 18446744073709551615 bytes"},
		"header no JSON":      {file("}{"), "its header"},
		"data cut off":        {file(`{"embeddings":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}`, 1, 2, 3, 4), "cut short"},
		"data left over":      {file(`{"embeddings":{"dtype":"I8","shape":[1,1],"data_offsets":[0,1]}}`, 1, 2), "1 bytes belong to no tensor"},
		"offsets backwards":   {file(`{"embeddings":{"dtype":"I8","shape":[1,1],"data_offsets":[1,0]}}`, 1), "are not within"},
		"offsets negative":    {file(`{"embeddings":{"dtype":"I8","shape":[1,1],"data_offsets":[-1,0]}}`, 1), "cannot unmarshal"},
		"shape too small":     {file(`{"embeddings":{"dtype":"F32","shape":[1,1],"data_offsets":[0,8]}}`, 1, 2, 3, 4, 5, 6, 7, 8), "does not match its 8 bytes"},
		"shape huge":          {file(`{"embeddings":{"dtype":"I8","shape":[4294967296,4294967296],"data_offsets":[0,1]}}`, 1), "larger than the file"},
		"shape overflows":     {file(`{"embeddings":{"dtype":"F32","shape":[2,2,2,2,2,2,2,2],"data_offsets":[0,4]}}`, 1, 2, 3, 4), "larger than the file"},
		"shape of nothing":    {file(`{"embeddings":{"dtype":"F32","shape":[0,99999],"data_offsets":[0,0]}}`), "larger than the file"},
		"no rows":             {file(`{"embeddings":{"dtype":"I8","shape":[0,1],"data_offsets":[0,0]}}`), "not a table of vectors"},
		"flat":                {file(`{"embeddings":{"dtype":"I8","shape":[1],"data_offsets":[0,1]}}`, 1), "not a table of vectors"},
		"no embeddings":       {file(`{"__metadata__":{"a":"b"},"other":{"dtype":"I8","shape":[1,1],"data_offsets":[0,1]}}`, 1), `no tensor "embeddings"`},
		"type":                {file(`{"embeddings":{"dtype":"BF16","shape":[1,1],"data_offsets":[0,2]}}`, 1, 2), "type BF16"},
		"weights":             {file(`{"embeddings":{"dtype":"I8","shape":[1,1],"data_offsets":[0,1]},"weights":{"dtype":"I8","shape":[1],"data_offsets":[0,1]}}`, 1), "weights of type I8"},
		"mapping":             {file(`{"embeddings":{"dtype":"I8","shape":[1,1],"data_offsets":[0,1]},"mapping":{"dtype":"I64","shape":[1],"data_offsets":[1,9]}}`, 1, 1, 0, 0, 0, 0, 0, 0, 0), "token 0 maps to row 1 of 1"},
		"mapping negative":    {file(`{"embeddings":{"dtype":"I8","shape":[1,1],"data_offsets":[0,1]},"mapping":{"dtype":"I64","shape":[1],"data_offsets":[1,9]}}`, 1, 255, 255, 255, 255, 255, 255, 255, 255), "token 0 maps to row -1"},
	} {
		tensors, err := parseSafetensors(test.file)
		if err == nil {
			_, err = newTable(tensors)
		}
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

func TestTableTypes(t *testing.T) {
	f32 := func(values ...float32) (b []byte) {
		for _, v := range values {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		return b
	}
	f64 := func(v float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)) }
	for name, test := range map[string]struct {
		file []byte
		want [][]float32 // by token
	}{
		"F32": {file(`{"embeddings":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}`, f32(1, 2, -3, 0.5)...), [][]float32{{1, 2}, {-3, 0.5}}},
		"F16": {file(`{"embeddings":{"dtype":"F16","shape":[2,3],"data_offsets":[0,12]}}`, 0, 0x3c, 0, 0xc0, 0x55, 0x35, 1, 0, 0xff, 0x83, 0, 0x80),
			[][]float32{{1, -2, 0.33325195}, {1.0 / (1 << 24), -1023.0 / (1 << 24), 0}}},
		"I8": {file(`{"embeddings":{"dtype":"I8","shape":[2,1],"data_offsets":[0,2]}}`, 127, 128), [][]float32{{127}, {-128}}},
		"mapping and weights": {file(`{"embeddings":{"dtype":"I8","shape":[1,1],"data_offsets":[0,1]},"mapping":{"dtype":"I64","shape":[2],"data_offsets":[1,17]},"weights":{"dtype":"F64","shape":[2],"data_offsets":[17,33]}}`,
			append(append(append([]byte{4}, make([]byte, 16)...), f64(0.5)...), f64(2)...)...), [][]float32{{2}, {8}}},
		"weights F32": {file(`{"embeddings":{"dtype":"I8","shape":[2,1],"data_offsets":[0,2]},"weights":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}}`, append([]byte{4, 5}, f32(3)...)...), [][]float32{{12}}},
	} {
		tensors, err := parseSafetensors(test.file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		table, err := newTable(tensors)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got [][]float32
		for token := range table.tokens() {
			sum := make([]float32, table.dims)
			table.add(sum, int32(token))
			got = append(got, sum)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestHalfFloat(t *testing.T) {
	for h, want := range map[uint16]float32{0: 0, 0x3c00: 1, 0xbc00: -1, 0x7bff: 65504, 0x0400: 6.1035156e-05, 0x7c00: float32(math.Inf(1)), 0x7e00: float32(math.NaN())} {
		if diff := cmp.Diff(want, halfFloat(h), cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%#04x (-want +got):\n%s", h, diff)
		}
	}
}

func FuzzSafetensors(f *testing.F) {
	f.Add(file(`{"embeddings":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}`, 0, 0, 0x80, 0x3f))
	f.Add(file(`{"embeddings":{"dtype":"F16","shape":[2,1],"data_offsets":[0,4]}}`, 0, 0, 0, 0x7c))
	f.Add(file(`{"embeddings":{"dtype":"I8","shape":[1,1],"data_offsets":[0,1]},"mapping":{"dtype":"I64","shape":[1],"data_offsets":[1,9]},"weights":{"dtype":"F64","shape":[1],"data_offsets":[9,17]}}`, make([]byte, 17)...))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\x7f{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		tensors, err := parseSafetensors(b)
		if err != nil {
			return
		}
		table, err := newTable(tensors)
		if err != nil {
			return
		}
		sum := make([]float32, table.dims)
		for token := range min(table.tokens(), 100) {
			table.add(sum, int32(token))
		}
	})
}
