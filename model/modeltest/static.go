// Package modeltest writes tiny models for tests: real files, read by the real
// code. It is not for use outside tests.
package modeltest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// Static writes a table of token vectors in the Model2Vec format to dir, which
// it makes: one row for each word, in lower case. All vectors must have the
// same length; words that mean the same share one.
func Static(dir string, vectors map[string][]float32) error {
	words := slices.Sorted(maps.Keys(vectors))
	dims := 0
	if len(words) > 0 {
		dims = len(vectors[words[0]])
	}
	pieces := append([]string{"[PAD]", "[UNK]"}, words...)
	data := make([]byte, 0, 4*dims*len(pieces))
	for _, piece := range pieces {
		row := vectors[piece]
		if row == nil {
			row = make([]float32, dims)
		}
		if len(row) != dims {
			return fmt.Errorf("the vector of %q has %d elements, others %d", piece, len(row), dims)
		}
		for _, x := range row {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	table, err := Safetensors(Tensor{Name: "embeddings", Type: "F32", Shape: []int{len(pieces), dims}, Data: data})
	if err != nil {
		return err
	}
	tokenizer, err := Tokenizer(pieces)
	if err != nil {
		return err
	}
	config := []byte(`{"model_type": "model2vec", "architectures": ["StaticModel"], "normalize": true}` + "\n")
	return write(dir, map[string][]byte{"model.safetensors": table, "tokenizer.json": tokenizer, "config.json": config})
}

// Tokenizer is a tokenizer.json of BERT's kind; a piece's place is its
// identifier.
func Tokenizer(pieces []string) ([]byte, error) {
	vocabulary := make(map[string]int, len(pieces))
	for id, piece := range pieces {
		vocabulary[piece] = id
	}
	return json.Marshal(map[string]any{
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocabulary},
	})
}

// Tensor is one array of a safetensors file.
type Tensor struct {
	Name, Type string
	Shape      []int
	Data       []byte
}

// Safetensors is a file of such arrays. It checks nothing, so it can make bad
// ones as well.
func Safetensors(tensors ...Tensor) ([]byte, error) {
	header, at := map[string]any{}, 0
	var data []byte
	for _, t := range tensors {
		header[t.Name] = map[string]any{"dtype": t.Type, "shape": t.Shape, "data_offsets": []int{at, at + len(t.Data)}}
		at += len(t.Data)
		data = append(data, t.Data...)
	}
	text, err := json.Marshal(header)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(text))))
	b.Write(text)
	b.Write(data)
	return b.Bytes(), nil
}

func write(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}
