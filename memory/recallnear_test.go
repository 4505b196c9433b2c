package memory_test

import (
	"path/filepath"
	"strings"
	"testing"

	"engram/memory"
)

// With a model, a recall finds what was said in other words, once the vectors of events are
// made; before that, and of what was redacted, it says what it lacks.
func TestRecallByMeaning(t *testing.T) {
	b := newSemanticMemory(t, "sluggish slow latency", "login authentication signing", "queue broker")
	s := newScript("near-1", b.dir)
	s.user("Please look at the signing latency of the gateway.")
	s.agent("The broker was restarted by hand for the gateway.")
	for range 12 {
		s.user("And what about the gateway in this build?")
		s.agent("The gateway build is fine as it is.")
	}
	b.importFiles(writeFile(t, filepath.Join(t.TempDir(), "near.jsonl"), s.text()))
	ask := memory.RecallInput{Queries: []string{"is authentication sluggish"}}
	r := b.recall(ask)
	if len(r.Items) != 0 || r.Pending == 0 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "without a vector") {
		t.Errorf("before: %+v", r)
	}
	made, err := b.Consolidate(t.Context(), memory.ConsolidateInput{})
	if err != nil || made.Embedded != r.Pending {
		t.Fatalf("%+v, %v", made, err)
	}
	if r = b.recall(ask); len(r.Items) == 0 || !strings.Contains(r.Items[0].Text, "signing latency") || r.Pending != 0 || len(r.Notes) != 0 {
		t.Errorf("in other words: %+v", r)
	}
	if again, err := b.Consolidate(t.Context(), memory.ConsolidateInput{}); err != nil || again.Embedded != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
	if r := openMemory(t, b.dir).recall(ask); len(r.Items) != 0 || r.Pending != 0 || len(r.Notes) != 0 {
		t.Errorf("without a model: %+v", r)
	}
	b.redact("near-1", "signing latency")
	if _, err := b.Consolidate(t.Context(), memory.ConsolidateInput{}); err != nil {
		t.Fatal(err)
	}
	if r = b.recall(ask); strings.Contains(texts(r), "look at the") || r.Pending != 0 {
		t.Errorf("redacted: %+v", r)
	}
}
