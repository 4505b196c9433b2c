package index_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
	"engram/index"
)

// ranked asks and returns the whole answer.
func ranked(t testing.TB, x *index.Index, m *memory, q index.Query, r index.Ranking) index.Answer {
	t.Helper()
	if q.Now.IsZero() {
		q.Now = day(20)
	}
	var a index.Answer
	_, err := x.View(ctx, m.tip(), func(v *index.View) (err error) {
		a, err = v.Rank(ctx, q, r)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func keysOf(hits []index.Ranked) []string {
	keys := []string{}
	for _, h := range hits {
		keys = append(keys, h.Key.String())
	}
	return keys
}

// withModel returns an embedded index of facts that stand together.
func withModel(t testing.TB, model *wordModel, list ...facts.Fact) (*index.Index, *memory) {
	t.Helper()
	m := newMemory("main")
	m.put(list...)
	x := index.New(filepath.Join(t.TempDir(), "index"), m, &index.Options{Embedder: model, Concepts: concepts})
	if _, err := x.Embed(ctx, m.tip(), true); err != nil {
		t.Fatal(err)
	}
	return x, m
}

func by(agent string) func(*facts.Fact) {
	return func(f *facts.Fact) { f.Provenance.Agent = agent }
}

// What no word of the question names is found by meaning, and by a concept that
// both name in other words.
func TestRankFindsWhatWordsDoNot(t *testing.T) {
	model := newWordModel("m", 64)
	model.same = map[string]string{"login": "session"}
	x, m := withModel(t, model,
		fact(t, "domain/a/session", "a session ends at midnight", 1),
		fact(t, "domain/a/retries", "the client waits 5 min between retries", 2),
		fact(t, "domain/a/other", "the queue drops messages", 3))
	vector := model.embed("login")
	a := ranked(t, x, m, index.Query{Text: "login"}, index.Ranking{Vector: vector})
	if got := keysOf(a.Hits); !slices.Equal(got, []string{"domain/a/session"}) {
		t.Errorf("by meaning: %v", got)
	}
	if a := ranked(t, x, m, index.Query{Text: "login"}, index.Ranking{}); len(a.Hits) != 0 {
		t.Errorf("without a vector: %v", keysOf(a.Hits))
	}
	if got := a.Hits[0].Places; len(got) != 1 || got[0].Signal != index.Vectors || got[0].Rank != 1 || got[0].Score < 0.3 {
		t.Errorf("its places are %+v", got)
	}
}

func TestRankHonoursFiltersInEverySignal(t *testing.T) {
	model := newWordModel("m", 64)
	x, m := withModel(t, model,
		fact(t, "domain/a/one", "the session cache is warm", 1, func(f *facts.Fact) { f.Scope = "auth" }),
		fact(t, "domain/a/two", "the session cache is warm too", 2, func(f *facts.Fact) { f.Scope = "billing" }),
		fact(t, "domain/a/gone", "the session cache is warm as well", 2, func(f *facts.Fact) { f.ValidUntil = day(3) }),
		fact(t, "domain/a/fleeting", "the session cache is warm today", 2, func(f *facts.Fact) { f.Durability = facts.Ephemeral }))
	q := index.Query{Text: "session cache warm", Scope: "auth"}
	for _, signals := range [][]index.Signal{nil, {index.Words}, {index.Keys}, {index.Vectors}} {
		a := ranked(t, x, m, q, index.Ranking{Signals: signals, Vector: model.embed(q.Text)})
		if got := keysOf(a.Hits); !slices.Equal(got, []string{"domain/a/one"}) {
			t.Errorf("%v: %v", signals, got)
		}
	}
	q.Scope = ""
	a := ranked(t, x, m, q, index.Ranking{Signals: []index.Signal{index.Vectors}, Vector: model.embed(q.Text)})
	if len(a.Hits) != 2 {
		t.Errorf("without a scope: %v", keysOf(a.Hits))
	}
}

// The parts of a score are those of the formula.
func TestScore(t *testing.T) {
	x, m := indexOf(t,
		fact(t, "domain/a/plain", "the ledger is closed", 10),
		fact(t, "domain/a/decision", "the ledger is closed", 10, func(f *facts.Fact) {
			f.Type, f.Scope, f.Provenance.Evidence = facts.Decision, "x", "test output"
		}),
		fact(t, "domain/a/inferred", "the ledger is closed", 10, func(f *facts.Fact) {
			f.Type, f.Scope, f.Durability = facts.Inference, "y", facts.Ephemeral
		}))
	q := index.Query{Text: "ledger", Now: day(20), Ephemeral: true}
	a := ranked(t, x, m, q, index.Ranking{Weights: index.DefaultWeights(), Trust: func(agent string) float64 { return 0.5 }})
	want := map[string]index.Parts{
		"domain/a/plain":    {Recency: math.Exp(-0.5), Trust: 0.5, Durability: 1},
		"domain/a/decision": {Recency: math.Exp(-0.5), Trust: 0.5, Type: 1, Provenance: 1, Durability: 1},
		"domain/a/inferred": {Recency: math.Exp(-0.5), Trust: 0.5, Type: 0.5, Durability: 0.6},
	}
	for _, h := range a.Hits {
		w := want[h.Key.String()]
		w.Relevance = h.Parts.Relevance
		if h.Parts != w {
			t.Errorf("%s: %+v, want %+v", h.Key, h.Parts, w)
		}
		sum := w.Durability * (w.Relevance + 0.2*w.Recency + 0.15*w.Trust + 0.1*w.Type + 0.1*w.Provenance)
		if math.Abs(h.Score-sum) > 1e-9 || w.Relevance <= 0 || w.Relevance > 1 {
			t.Errorf("%s scores %v of relevance %v, want %v", h.Key, h.Score, w.Relevance, sum)
		}
	}
	if got := keysOf(a.Hits); !slices.Equal(got, []string{"domain/a/decision", "domain/a/plain", "domain/a/inferred"}) {
		t.Errorf("order: %v", got)
	}
}

// Near-identical claims of others corroborate a fact: each agent once, and
// neither its own nor those with other numbers nor what no longer stands.
func TestCorroboration(t *testing.T) {
	claim := "the nightly build of the gateway takes about 30 minutes on the old runners"
	model := newWordModel("m", 128)
	x, m := withModel(t, model,
		fact(t, "tool/b/one", claim, 1, by("claude")),
		fact(t, "tool/b/two", claim+" we have", 2, by("codex")),
		fact(t, "tool/b/three", claim+" here", 3, by("codex")),
		fact(t, "tool/b/four", claim, 3, by("gemini"), func(f *facts.Fact) { f.Scope = "elsewhere" }),
		fact(t, "tool/b/five", claim+" still", 4, by("claude")),
		fact(t, "tool/b/six", "the nightly build of the gateway takes about 45 minutes on the old runners", 5, by("aider")),
		fact(t, "tool/b/seven", claim+" too", 5, by("cursor"), func(f *facts.Fact) { f.ValidUntil = day(6) }),
		fact(t, "tool/b/eight", "flaky tests are retried once", 5, by("someone")))
	a := ranked(t, x, m, index.Query{Text: "nightly build gateway"}, index.Ranking{Weights: index.DefaultWeights()})
	want := map[string]int{"tool/b/one": 2, "tool/b/two": 2, "tool/b/three": 2, "tool/b/four": 2, "tool/b/five": 2, "tool/b/six": 0}
	for _, h := range a.Hits {
		if n, ok := want[h.Key.String()]; !ok || n != h.Corroborated {
			t.Errorf("%s is corroborated by %d, want %d", h.Key, h.Corroborated, n)
		}
		if h.Parts.Corroboration != math.Log(1+float64(h.Corroborated)) {
			t.Errorf("%s: %v for %d", h.Key, h.Parts.Corroboration, h.Corroborated)
		}
	}
	if len(a.Hits) != len(want) {
		t.Errorf("hits: %v", keysOf(a.Hits))
	}
}

// Equal keys in common are told apart by scope, recency, confidence, and the
// files that the pointers name.
func TestHashKeyTies(t *testing.T) {
	claim := "the ledger is closed"
	sure := func(c float64) func(*facts.Fact) { return func(f *facts.Fact) { f.Confidence = &c } }
	in := func(scope string) func(*facts.Fact) { return func(f *facts.Fact) { f.Scope = scope } }
	x, m := indexOf(t,
		fact(t, "domain/a/deep", claim, 9, in("pay/out/batch")),
		fact(t, "domain/a/old", claim, 1, in("pay")),
		fact(t, "domain/a/new", claim, 5, in("pay"), sure(0.5)),
		fact(t, "domain/a/sure", claim, 5, in("pay"), sure(0.9)))
	a := ranked(t, x, m, index.Query{Text: "ledger closed", Scope: "pay"}, index.Ranking{Signals: []index.Signal{index.Keys}})
	if got := keysOf(a.Hits); !slices.Equal(got, []string{"domain/a/sure", "domain/a/new", "domain/a/old", "domain/a/deep"}) {
		t.Errorf("order: %v", got)
	}
}

func TestRankOfNothing(t *testing.T) {
	model := newWordModel("m", 64)
	x, m := withModel(t, model, fact(t, "domain/a/b", "to be or not to be", 1))
	for _, text := range []string{"", "?!", "zebra", "\xff"} {
		a := ranked(t, x, m, index.Query{Text: text}, index.Ranking{Vector: model.embed(text)})
		if len(a.Hits) != 0 {
			t.Errorf("%q finds %v", text, keysOf(a.Hits))
		}
	}
	if a := ranked(t, x, m, index.Query{Text: "to be, or not to be?"}, index.Ranking{}); len(a.Hits) != 1 {
		t.Errorf("a question of stop words finds %v", keysOf(a.Hits))
	}
}

// Of a question of a megabyte no more than the beginning is read, so that it costs no
// more than it may.
func TestRankOfAHugeQuestion(t *testing.T) {
	x, m := indexOf(t, library(t)...)
	text := make([]byte, 0, 1<<20)
	for i := 0; len(text) < 1<<20; i++ {
		text = append(text, "rate limit word"+string(rune('a'+i%26))+" "...)
	}
	a := ranked(t, x, m, index.Query{Text: string(text)}, index.Ranking{})
	beginning := ranked(t, x, m, index.Query{Text: string(text[:64<<10])}, index.Ranking{})
	if diff := cmp.Diff(beginning, a); len(a.Hits) == 0 || diff != "" {
		t.Errorf("%d hits; the beginning alone finds\n%s", len(a.Hits), diff)
	}
}
