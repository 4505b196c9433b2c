package model_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the files of the cross-encoder again")

// TestCrossEncoderFiles keeps the cross-encoder of the command's tests equal to what
// tinyTransformers writes.
func TestCrossEncoderFiles(t *testing.T) {
	committed, fresh := filepath.Join("..", "cmd", "engram", "testdata", "crossencoder"), t.TempDir()
	folders := []string{fresh}
	if *update {
		folders = append(folders, committed)
	}
	for _, dir := range folders {
		err := tinyTransformers{
			Architecture: "BertForSequenceClassification", Labels: []string{"entailment", "neutral", "contradiction"},
			Rows: map[string][]float32{"[CLS]": {0, 0, 90}, "billing": {0, 0, 90}, "[SEP]": {0, 0, 0}},
		}.Write(dir)
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"model.onnx", "tokenizer.json", "config.json"} {
		want, err := os.ReadFile(filepath.Join(fresh, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(committed, name))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s is out of date (%v); `go test ./model -run CrossEncoderFiles -update` writes it:\n%s", name, err, diff)
		}
	}
}
