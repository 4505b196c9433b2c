//go:build transformers

package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"engram/model"
)

// robertaNLI is a cross-encoder in which "yes" speaks for entailment, "no" for
// contradiction and each separator for neutral, the more the later they stand.
func robertaNLI() tinyTransformers {
	return tinyTransformers{
		Architecture: "RobertaForSequenceClassification", Labels: []string{"contradiction", "entailment", "neutral"},
		Rows: map[string][]float32{"yes": {0, 1, 0}, " yes": {0, 1, 0}, "no": {1, 0, 0}, " no": {1, 0, 0}, "</s>": {0, 0, 0.25}},
	}
}

func openNLI(t *testing.T, m tinyTransformers) *model.NLI {
	t.Helper()
	n, err := model.OpenNLI(writeTransformer(t, m))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n
}

// entail returns contradiction, entailment and neutral.
func entail(t *testing.T, n *model.NLI, premise, hypothesis string) []float64 {
	t.Helper()
	c, e, u, err := n.Entail(context.Background(), premise, hypothesis)
	if err != nil {
		t.Fatalf("%.20q, %.20q: %v", premise, hypothesis, err)
	}
	return []float64{c, e, u}
}

// softmaxOf is the probabilities of logits that were divided by the length.
func softmaxOf(length float64, logits ...float64) []float64 {
	sum := 0.0
	for i := range logits {
		logits[i] = math.Exp(logits[i] / length)
		sum += logits[i]
	}
	for i := range logits {
		logits[i] /= sum
	}
	return logits
}

func TestRobertaNLI(t *testing.T) {
	n := openNLI(t, robertaNLI())
	for _, test := range []struct {
		premise, hypothesis string
		want                []float64
	}{
		// Places: <s> 1, yes 2, " no" 3, </s> 4, </s> 5, no 6, </s> 7, and one of padding.
		{"yes no", "no", softmaxOf(8, 3+6, 2, (4+5+7)*0.25)},
		// <s> 1, no 2, </s> 3, </s> 4, yes 5, " no" 6, </s> 7.
		{"no", "yes no", softmaxOf(8, 2+6, 5, (3+4+7)*0.25)},
		// <s> 1, </s> 2, </s> 3, </s> 4, and four of padding.
		{"", "", softmaxOf(8, 0, 0, (2+3+4)*0.25)},
		// The three of "</s>" as a text are "<", "/", "s" and ">": <s> 1, these to
		// 5, </s> 6, </s> 7, yes 8, </s> 9, up to 16.
		{"</s>", "yes", softmaxOf(16, 0, 8, (6+7+9)*0.25)},
		// 64 tokens: <s>, 30 of the first text, two separators, 30 of the second.
		{strings.Repeat("yes ", 4000), strings.Repeat("no ", 4000), longPair()},
	} {
		got := entail(t, n, test.premise, test.hypothesis)
		if diff := cmp.Diff(test.want, got, cmpopts.EquateApprox(0, 1e-5)); diff != "" {
			t.Errorf("%.20q, %.20q: contradiction, entailment, neutral (-want +got):\n%s", test.premise, test.hypothesis, diff)
		}
	}
}

// longPair is what two texts of many words give: each is cut to 30 tokens.
func longPair() []float64 {
	yes, no := 0.0, 0.0
	for i := range 30 {
		yes += float64(2 + i)
		no += float64(34 + i)
	}
	return softmaxOf(64, no, yes, (32+33+64)*0.25)
}

// TestRobertaTakesAnyText ends no process and gives probabilities.
func TestRobertaTakesAnyText(t *testing.T) {
	n := openNLI(t, robertaNLI())
	for _, text := range []string{"", " ", "\x00", "\xff\xfe", "<s><pad></s><mask>", "🙂\u200d🙂", strings.Repeat("x", 1<<20), strings.Repeat("yes", 30000), strings.Repeat("\u0301", 9999), strings.Repeat("\xff", 64<<10), "'\"`\\"} {
		for _, pair := range [][2]string{{text, "no"}, {"no", text}, {text, text}} {
			sum := 0.0
			for _, p := range entail(t, n, pair[0], pair[1]) {
				sum += p
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Errorf("%.20q: the sum is %v", pair, sum)
			}
		}
	}
}

// TestRobertaConcurrently closes a model under those who use it.
func TestRobertaConcurrently(t *testing.T) {
	n := openNLI(t, robertaNLI())
	want := entail(t, n, "yes no", "no")
	var group sync.WaitGroup
	used := make(chan struct{}, 1)
	for range 8 {
		group.Go(func() {
			for {
				c, e, u, err := n.Entail(context.Background(), "yes no", "no")
				if errors.Is(err, model.ErrClosed) {
					return
				}
				if err != nil || !cmp.Equal(want, []float64{c, e, u}) {
					t.Errorf("%v %v %v, %v; want %v", c, e, u, err, want)
					return
				}
				select {
				case used <- struct{}{}:
				default:
				}
			}
		})
	}
	<-used
	if err := errors.Join(n.Close(), n.Close()); err != nil {
		t.Error(err)
	}
	group.Wait()
}

func TestRobertaEmbeds(t *testing.T) {
	dir := writeTransformer(t, tinyTransformers{Architecture: "RobertaModel", Rows: map[string][]float32{"red": {1, 0}, " red": {1, 0}, " blue": {0, 1}}})
	e, err := model.OpenEmbedderFor(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	got := embed(t, e, "red blue", "", "blue red red") // "blue" of the third is no word of the model
	want := [][]float32{{2 / float32(math.Sqrt(13)), 3 / float32(math.Sqrt(13))}, {0, 0}, {1, 0}}
	for i := range want {
		if !near(got[i], want[i], 1e-6) {
			t.Errorf("text %d: %v, want %v", i, got[i], want[i])
		}
	}
}

// TestRobertaTags checks that spans are bytes of the text, without the space
// that belongs to a word's token.
func TestRobertaTags(t *testing.T) {
	dir := writeTransformer(t, tinyTransformers{
		Architecture: "RobertaForTokenClassification", Labels: []string{"O", "B-PER", "I-PER", "B-LOC"},
		Rows: map[string][]float32{"Ada": {0, 9, 0, 0}, " Love": {0, 0, 9, 0}, " in": {9, 0, 0, 0}, " Zü": {0, 0, 0, 9}, ".": {9, 0, 0, 0}},
	})
	tagger, err := model.OpenTagger(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tagger.Close()
	const text = "Ada Lovelace in Zürich."
	got, err := tagger.Tag(context.Background(), text)
	if err != nil {
		t.Fatal(err)
	}
	want := []model.Span{{Label: "PER", Start: 0, End: 12}, {Label: "LOC", Start: 16, End: 23}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(model.Span{}, "Score")); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}

// TestRobertaRefuses what would give wrong answers or none.
func TestRobertaRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		change func(config map[string]any)
		is     error
		want   string
	}{
		"one position too few": {func(c map[string]any) { c["max_position_embeddings"] = 9 }, model.ErrDamaged, "at most 7 tokens"},
		"a smaller graph":      {func(c map[string]any) { c["vocab_size"] = 200 }, model.ErrDamaged, "the graph knows 200 tokens"},
		"no classes":           {func(c map[string]any) { c["id2label"] = map[string]string{"0": "LABEL_0"} }, model.ErrNoModel, "id2label has no class"},
		"an embedder":          {func(c map[string]any) { c["architectures"] = []string{"RobertaModel"} }, model.ErrNoModel, "kind embedder, not nli"},
	} {
		dir := writeTransformer(t, robertaNLI())
		path := filepath.Join(dir, "config.json")
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		config := map[string]any{}
		if err := json.Unmarshal(b, &config); err != nil {
			t.Fatal(err)
		}
		test.change(config)
		if b, err = json.Marshal(config); err == nil {
			err = os.WriteFile(path, b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := model.OpenNLI(dir); !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}
