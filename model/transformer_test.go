//go:build transformers

package model_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"engram/model"
	"engram/model/modeltest"
)

func writeTransformer(t *testing.T, m tinyTransformers) string {
	t.Helper()
	dir := t.TempDir()
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestConcurrentUseOfATransformer(t *testing.T) {
	closeInUse(t, writeTransformer(t, tinyTransformers{Rows: map[string][]float32{"dog": {1, 0}}}))
}

func TestTransformerEmbeds(t *testing.T) {
	dir := writeTransformer(t, tinyTransformers{Rows: map[string][]float32{
		"[CLS]": {0, 0, 3}, "red": {1, 0, 0}, "blue": {0, 1, 0}, "##ish": {0, 0, 3},
	}})
	e, err := model.OpenEmbedderFor(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if e.Dimensions() != 3 || e.Instant() || !strings.HasPrefix(e.ID(), "onnx:") {
		t.Errorf("dimensions %d, instant %v, id %s", e.Dimensions(), e.Instant(), e.ID())
	}
	long := strings.TrimSpace(strings.Repeat("red ", 5000))
	got := embed(t, e, "Red blue!", "reddish", "redish", "", long)
	unit := func(v ...float64) []float32 {
		length := math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])
		return []float32{float32(v[0] / length), float32(v[1] / length), float32(v[2] / length)}
	}
	want := [][]float32{unit(1, 1, 3), unit(0, 0, 1), unit(1, 0, 6), {0, 0, 0}, unit(62, 0, 3)}
	for i := range want {
		if !near(got[i], want[i], 1e-6) {
			t.Errorf("text %d: %v, want %v", i, got[i], want[i])
		}
	}
}

func TestNLI(t *testing.T) {
	dir := writeTransformer(t, tinyTransformers{
		Architecture: "BertForSequenceClassification", Labels: []string{"ENTAILMENT", "neutral", "Contradiction"},
		Rows:   map[string][]float32{"yes": {16, 0, 0}, "no": {0, 0, 16}, "[SEP]": {0, 0, 0}},
		Second: []float32{0, 8, 0},
	})
	n, err := model.OpenNLI(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	c, e, u, err := n.Entail(context.Background(), "yes no", "no")
	if err != nil {
		t.Fatal(err)
	}
	// [CLS] yes no [SEP] no [SEP]: two tokens are of the second text, and two
	// rows of padding fill the graph's input up to 8.
	exp := []float64{math.Exp(16.0 / 8), math.Exp(16.0 / 8), math.Exp(32.0 / 8)} // entailment, neutral, contradiction
	sum := exp[0] + exp[1] + exp[2]
	want := []float64{exp[2] / sum, exp[0] / sum, exp[1] / sum}
	if diff := cmp.Diff(want, []float64{c, e, u}, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("contradiction, entailment, neutral (-want +got):\n%s", diff)
	}
	long := strings.Repeat("yes ", 9000)
	for _, pair := range [][2]string{{"", ""}, {long, long}, {"no", long}, {long, "no"}, {"\x00\xff[SEP]", "🙂"}} {
		if c, e, u, err = n.Entail(context.Background(), pair[0], pair[1]); err != nil || math.Abs(c+e+u-1) > 1e-9 {
			t.Errorf("%.20q: %v %v %v %v", pair, c, e, u, err)
		}
	}
}

func TestTagger(t *testing.T) {
	dir := writeTransformer(t, tinyTransformers{
		Architecture: "BertForTokenClassification", Labels: []string{"O", "B-PER", "I-PER", "B-LOC"},
		Rows: map[string][]float32{
			"ada": {0, 9, 0, 0}, "love": {0, 0, 9, 0}, "##lace": {9, 0, 0, 0}, "in": {9, 0, 0, 0}, "zurich": {0, 0, 0, 9},
		},
	})
	tagger, err := model.OpenTagger(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tagger.Close()
	const text = "Àda  Lovelace in Zürich, Ada Ada"
	got, err := tagger.Tag(context.Background(), text)
	if err != nil {
		t.Fatal(err)
	}
	p := math.Exp(9) / (math.Exp(9) + 3)
	want := []model.Span{{"PER", 0, 14, p}, {"LOC", 18, 25, p}, {"PER", 27, 30, p}, {"PER", 31, 34, p}}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}

// TestTextsThatTokenizersChokeOn ends no process and gives vectors of numbers.
func TestTextsThatTokenizersChokeOn(t *testing.T) {
	dir := writeTransformer(t, tinyTransformers{Rows: map[string][]float32{"red": {1, 0}, "[UNK]": {0, 1}}})
	e, err := model.OpenEmbedder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	texts := []string{"", "\x00", "\xff\xfe", "\u0301", "[CLS][SEP][PAD][MASK]", "🙂\u200d🙂", strings.Repeat("x", 1<<20), strings.Repeat("한", 5000), "red\x00\xffred", "\u202e", strings.Repeat("\u0301", 9999), "##", "'\"`\\"}
	for i, v := range embed(t, e, texts...) {
		var length float64
		for _, x := range v {
			length += float64(x) * float64(x)
		}
		if len(v) != 2 || length != 0 && math.Abs(length-1) > 1e-6 {
			t.Errorf("%.20q: %v", texts[i], v)
		}
	}
}

func TestDamagedTransformers(t *testing.T) {
	good := tinyTransformers{Rows: map[string][]float32{"red": {1, 0}}}
	words := func(pieces ...string) func(string) error {
		return func(dir string) error {
			b, err := modeltest.Tokenizer(pieces)
			return errors.Join(err, os.WriteFile(filepath.Join(dir, "tokenizer.json"), b, 0o644))
		}
	}
	for name, test := range map[string]struct {
		damage func(dir string) error
		want   string
	}{
		"no graph":        {replace("model.onnx", "no graph"), "load the graph"},
		"half a graph":    {func(dir string) error { return os.Truncate(filepath.Join(dir, "model.onnx"), 300) }, ""},
		"empty graph":     {replace("model.onnx", ""), ""},
		"graph is gone":   {func(dir string) error { return os.Remove(filepath.Join(dir, "model.onnx")) }, "neither a table"},
		"no special ones": {words("red"), "the vocabulary has no ["},
		"token too high":  {words("[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "d", "e", "f", "red"), "the vocabulary goes up to 9, the graph knows 5 tokens"},
		"dimensions":      {replace("config.json", `{"architectures": ["BertModel"], "hidden_size": 3, "max_position_embeddings": 64}`), "the graph gives 2 dimensions, config.json says 3"},
		"no dimensions":   {replace("config.json", `{"architectures": ["BertModel"]}`), "hidden_size 0"},
		"no room":         {replace("config.json", `{"hidden_size": 2, "max_position_embeddings": 4}`), "at most 4 tokens"},
		"padding":         {replace("config.json", `{"hidden_size": 2, "pad_token_id": -4}`), "pad_token_id -4"},
		"an NLI":          {replace("config.json", `{"architectures": ["BertForSequenceClassification"]}`), "kind nli"},
	} {
		dir := writeTransformer(t, good)
		if err := test.damage(dir); err != nil {
			t.Fatal(err)
		}
		e, err := model.OpenEmbedder(dir)
		if err == nil {
			var v [][]float32
			if v, err = e.Embed(context.Background(), []string{"red"}); err == nil {
				t.Errorf("%s: it gives %v", name, v)
				continue
			}
			if err := e.Close(); err != nil {
				t.Errorf("%s: close: %v", name, err)
			}
		}
		if !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		t.Logf("%s: %.200v", name, err)
	}
}

func TestLabelsThatAreMissing(t *testing.T) {
	dir := writeTransformer(t, tinyTransformers{Architecture: "BertForSequenceClassification", Labels: []string{"entailment", "not_entailment"}, Rows: map[string][]float32{"a": {1, 2}}})
	if _, err := model.OpenNLI(dir); !errors.Is(err, model.ErrNoModel) || !strings.Contains(err.Error(), "id2label has no class") {
		t.Errorf("NLI: %v", err)
	}
	dir = writeTransformer(t, tinyTransformers{Architecture: "BertForTokenClassification", Rows: map[string][]float32{"a": {1, 2}}})
	if _, err := model.OpenTagger(dir); !errors.Is(err, model.ErrNoModel) || !strings.Contains(err.Error(), "no id2label") {
		t.Errorf("tagger: %v", err)
	}
	if _, err := model.OpenEmbedderFor(dir); !errors.Is(err, model.ErrNoModel) || !strings.Contains(err.Error(), "cannot embed text") {
		t.Errorf("embedder: %v", err)
	}
}

func TestTransformerStops(t *testing.T) {
	dir := writeTransformer(t, tinyTransformers{Rows: map[string][]float32{"red": {1, 0}}})
	e, err := model.OpenEmbedder(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Embed(ctx, []string{"red"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := errors.Join(e.Close(), e.Close()); err != nil {
		t.Error(err)
	}
	if _, err := e.Embed(context.Background(), []string{"red"}); !errors.Is(err, model.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}
