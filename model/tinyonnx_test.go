package model_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"engram/model/modeltest"
)

// tinyTransformers are tiny models in the files of real ones.
type tinyTransformers struct {
	// Rows gives each word the row that its token has in the graph's table:
	// the vector of an embedder, the logits of a tagger and, averaged over all
	// tokens of both texts, of a cross-encoder. In a model of RoBERTa's kind
	// the token at place n, from 1 on, counts n times, and " a" is not "a".
	Rows map[string][]float32
	// Second is added to the rows of the second text of a pair. nil adds
	// nothing. RoBERTa tells texts apart by what stands between them alone.
	Second []float32
	// Labels are the classes, by number.
	Labels []string
	// Architecture is config.json's, such as BertForTokenClassification or
	// RobertaForSequenceClassification; it says which files are written. "" is
	// an embedder of BERT's kind.
	Architecture string
}

// family is what models of BERT's and of RoBERTa's kind differ in.
type family struct {
	modelType string
	positions int
	padding   int
	pieces    []string // by identifier, as they are in Rows
	tokenizer []byte
	graph     func(rows, second []float32, dims int, mean bool) []byte
}

// Write writes model.onnx, tokenizer.json and config.json to dir, which it
// makes. For BERT, words continue others if they begin with ##.
func (m tinyTransformers) Write(dir string) error {
	words := slices.Sorted(maps.Keys(m.Rows))
	f, err := m.family(words)
	if err != nil {
		return err
	}
	dims := len(m.Labels)
	for _, word := range words {
		dims = len(m.Rows[word])
	}
	rows, err := m.table(f.pieces, dims)
	if err != nil {
		return err
	}
	second := m.Second
	if second == nil {
		second = make([]float32, dims)
	}
	config, err := m.config(f, dims)
	if err != nil {
		return err
	}
	graph := f.graph(rows, second, dims, strings.HasSuffix(m.Architecture, "ForSequenceClassification"))
	return writeFiles(dir, map[string][]byte{"model.onnx": graph, "tokenizer.json": f.tokenizer, "config.json": config})
}

func (m tinyTransformers) family(words []string) (family, error) {
	if strings.HasPrefix(m.Architecture, "Roberta") {
		if m.Second != nil {
			return family{}, errors.New("RoBERTa has no types of texts")
		}
		pieces, tokenizer, err := tinyBytePairs(words)
		return family{"roberta", 66, robertaPadding, pieces, tokenizer, robertaGraph}, err
	}
	pieces := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"}
	for _, word := range words {
		if !slices.Contains(pieces, word) {
			pieces = append(pieces, word)
		}
	}
	tokenizer, err := modeltest.Tokenizer(pieces)
	return family{"bert", 64, 0, pieces, tokenizer, bertGraph}, err
}

// table has the rows of all pieces, zeros for those that have none.
func (m tinyTransformers) table(pieces []string, dims int) (rows []float32, err error) {
	for _, piece := range pieces {
		row := m.Rows[piece]
		if row == nil {
			row = make([]float32, dims)
		}
		if len(row) != dims {
			return nil, fmt.Errorf("the row of %q has %d elements, others %d", piece, len(row), dims)
		}
		rows = append(rows, row...)
	}
	return rows, nil
}

func (m tinyTransformers) config(f family, dims int) ([]byte, error) {
	labels := map[string]string{}
	for i, label := range m.Labels {
		labels[strconv.Itoa(i)] = label
	}
	architecture := m.Architecture
	if architecture == "" {
		architecture = "BertModel"
	}
	return json.Marshal(map[string]any{
		"model_type": f.modelType, "architectures": []string{architecture}, "id2label": labels,
		"hidden_size": dims, "vocab_size": len(f.pieces), "max_position_embeddings": f.positions, "pad_token_id": f.padding,
	})
}

func writeFiles(dir string, files map[string][]byte) error {
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
