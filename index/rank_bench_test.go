package index_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"engram/detect"
	"engram/fixtures"
	"engram/index"
)

// concepts is what package memory passes in.
func concepts(text string) (keys []string) {
	for _, e := range detect.Entities(text) {
		keys = append(keys, e.Key())
	}
	return keys
}

// BenchmarkRank: a question put to an index that is held open, by the signals
// that take part. Embedding the question is not part of it.
func BenchmarkRank(b *testing.B) {
	model := newWordModel("bench", 256)
	questions := fixtures.Questions(1000, 2)
	eachSize(b, func(b *testing.B, m *memory) {
		x := index.New(filepath.Join(b.TempDir(), "index"), m, &index.Options{Embedder: model, Concepts: concepts, ConceptsVersion: detect.Version})
		if _, err := x.CatchUp(b.Context(), m.name(1)); err != nil {
			b.Fatal(err)
		}
		if _, err := x.Embed(b.Context(), m.name(1), false); err != nil {
			b.Fatal(err)
		}
		for _, c := range []struct {
			name    string
			signals []index.Signal
		}{
			{"lexical", []index.Signal{index.Words, index.Keys, index.Entities}},
			{"keys", []index.Signal{index.Keys}},
			{"vectors", []index.Signal{index.Vectors}},
			{"hybrid", nil},
		} {
			b.Run(c.name, func(b *testing.B) {
				var t timer
				_, err := x.View(b.Context(), m.name(1), func(v *index.View) error {
					for i := 0; b.Loop(); i++ {
						q := question(i, questions)
						vectors, err := model.Embed(context.Background(), []string{q.Text})
						if err != nil {
							return err
						}
						r := index.Ranking{Signals: c.signals, Vector: vectors[0], Weights: index.DefaultWeights()}
						if err := t.run(func() error { _, err := v.Rank(b.Context(), q, r); return err }); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
				t.report(b)
			})
		}
	})
}

// BenchmarkRecall: hash keys alone, as engrams are recalled, of an index that is held
// open. The keys are the first words of a question, and its last.
func BenchmarkRecall(b *testing.B) {
	questions := fixtures.Questions(1000, 2)
	eachSize(b, func(b *testing.B, m *memory) {
		x := index.New(filepath.Join(b.TempDir(), "index"), m, &index.Options{Concepts: concepts, ConceptsVersion: detect.Version})
		var t timer
		_, err := x.View(b.Context(), m.name(1), func(v *index.View) error {
			for i := 0; b.Loop(); i++ {
				q := question(i, questions)
				words := strings.Fields(q.Text)
				keys := []string{strings.Join(words[:min(3, len(words))], " "), words[len(words)-1]}
				if err := t.run(func() error { _, _, _, err := v.Recall(b.Context(), q, keys); return err }); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		t.report(b)
	})
}
