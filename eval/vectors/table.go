// Package vectors makes word vectors out of the corpus, to measure with where no model
// can be downloaded.
package vectors

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"engram/eval/corpus"
	"engram/eval/lsa"
	"engram/memory"
)

// DefaultDimensions is the length of a vector of WriteTable's where nobody
// chose another.
const DefaultDimensions = lsa.DefaultDimensions

// TableResult says what WriteTable made.
type TableResult struct {
	SchemaVersion int    `json:"schema_version"`
	Out           string `json:"out"`
	Texts         int    `json:"texts"`
	Tokens        int    `json:"tokens"`
	Vocabulary    int    `json:"vocabulary"`
	Seen          int    `json:"seen"` // of the vocabulary, in the texts
	Pairs         int    `json:"pairs"`
	Dimensions    int    `json:"dimensions"`
}

// WriteTable trains word vectors on the texts of all shared facts, and on no
// question, and writes them to out in the layout of Model2Vec. Vectors that
// have seen the texts flatter whoever is measured with them: they are an aid to
// measure that hybrid ranking works, not how well a model does.
func WriteTable(ctx context.Context, data, out string, dimensions int, progress func(task string, done, total int)) (TableResult, error) {
	var list []corpus.Sentence
	if err := corpus.ReadJSONLines(filepath.Join(data, "facts", "facts_share.jsonl"), &list); err != nil {
		return TableResult{}, err
	}
	tokenizer, err := os.ReadFile(filepath.Join(data, "models", "tokenizers", "all-MiniLM-L6-v2.tokenizer.json"))
	if err != nil {
		return TableResult{}, fmt.Errorf("read data: %w", err)
	}
	pieces, err := lsa.ParseWordPiece(tokenizer)
	if err != nil {
		return TableResult{}, err
	}
	texts := make([]string, len(list))
	for i, f := range list {
		texts[i] = f.Text
	}
	if progress == nil {
		progress = corpus.Silent
	}
	table, err := lsa.Train(ctx, pieces, texts, dimensions, progress)
	if err != nil {
		return TableResult{}, err
	}
	return TableResult{
		SchemaVersion: memory.SchemaVersion, Out: out, Texts: len(texts), Tokens: table.Tokens, Vocabulary: len(table.Vectors),
		Seen: table.Seen, Pairs: table.Pairs, Dimensions: table.Dimensions,
	}, table.Write(out, tokenizer)
}
