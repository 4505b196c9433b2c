package index_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"engram/facts"
	"engram/index"
	"engram/internal/filelock"
)

// embedded embeds a revision and insists that it works.
func embedded(t *testing.T, x *index.Index, revision string) index.VectorReport {
	t.Helper()
	r, err := x.Embed(ctx, revision, true)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func nearestTo(t *testing.T, x *index.Index, m *memory, model *wordModel, text string) []string {
	t.Helper()
	a := ranked(t, x, m, index.Query{Text: text}, index.Ranking{Signals: []index.Signal{index.Vectors}, Vector: model.embed(text)})
	return keysOf(a.Hits)
}

func numbered(t *testing.T, from, to int) []facts.Fact {
	var list []facts.Fact
	for i := from; i < to; i++ {
		list = append(list, fact(t, fmt.Sprintf("domain/n/f%d", i), fmt.Sprintf("claim %s holds", strings.Repeat("x", i+1)), 1+i%9))
	}
	return list
}

func TestEmbedOnlyWhatIsNew(t *testing.T) {
	model, m := newWordModel("m", 32), newMemory("main")
	m.put(numbered(t, 0, 5)...)
	x := index.New(t.TempDir(), m, &index.Options{Embedder: model})
	if r := embedded(t, x, m.tip()); r.Embedded != 5 || r.Missing != 0 || r.Model != "m" || r.Revision != m.tip() {
		t.Errorf("first: %+v", r)
	}
	if r := embedded(t, x, m.tip()); r.Embedded != 0 {
		t.Errorf("again: %+v", r)
	}
	m.put(numbered(t, 5, 7)...)
	m.put(fact(t, "domain/n/f0", "claim xx holds", 3)) // the claim of f1
	model.texts = nil
	if r := embedded(t, x, m.tip()); r.Embedded != 2 || len(model.texts) != 2 {
		t.Errorf("after a commit: %+v, %q", r, model.texts)
	}
	if got := nearestTo(t, x, m, model, "xx"); !slices.Equal(got, []string{"domain/n/f0", "domain/n/f1"}) {
		t.Errorf("found %v", got)
	}
}

// What stands at no time is not embedded; neither is what is no fact.
func TestEmbedNothingThatDoesNotStand(t *testing.T) {
	model, m := newWordModel("m", 32), newMemory("main")
	m.put(fact(t, "domain/n/a", "the first claim", 1))
	m.put(fact(t, "domain/n/a", "the second claim", 2))
	m.commit(map[string][]byte{"domain/n/b": []byte("no fact")})
	x := index.New(t.TempDir(), m, &index.Options{Embedder: model})
	embedded(t, x, m.tip())
	if !slices.Equal(model.texts, []string{"the second claim"}) {
		t.Errorf("embedded %q", model.texts)
	}
}

func TestEmbedGoesOnWhereItStopped(t *testing.T) {
	model, m := newWordModel("m", 32), newMemory("main")
	model.slow = true
	m.put(numbered(t, 0, 40)...)
	dir := t.TempDir()
	stop, cancel := context.WithCancelCause(ctx)
	enough := errors.New("enough")
	x := index.New(dir, m, &index.Options{Embedder: model, Embedding: func(task string, done, total int) {
		if task == "embedding" && done >= 16 {
			cancel(enough)
		}
	}})
	r, err := x.Embed(stop, m.tip(), true)
	if err == nil || r.Embedded == 0 || r.Missing == 0 || r.Embedded+r.Missing != 40 {
		t.Fatalf("called off: %+v, %v", r, err)
	}
	if v := x.Vectors(); v.Missing != r.Missing || v.Revision != m.tip() {
		t.Errorf("in between: %+v", v)
	}
	// The newest come first.
	if !strings.Contains(model.texts[0], strings.Repeat("x", 9)) {
		t.Errorf("the first text was %q", model.texts[0])
	}
	again := embedded(t, index.New(dir, m, &index.Options{Embedder: model}), m.tip())
	if again.Embedded != r.Missing || again.Missing != 0 {
		t.Errorf("afterwards: %+v", again)
	}
}

// Vectors of two models never mix: another model begins with none, says so, and
// the first one finds its own again.
func TestEmbedWithAnotherModel(t *testing.T) {
	dir, m := t.TempDir(), newMemory("main")
	m.put(numbered(t, 0, 5)...)
	first, second := newWordModel("first", 32), newWordModel("second", 48)
	one := index.New(dir, m, &index.Options{Embedder: first})
	if r := embedded(t, one, m.tip()); r.Replaced != "" {
		t.Errorf("the first model replaced %q", r.Replaced)
	}
	two := index.New(dir, m, &index.Options{Embedder: second})
	if got := nearestTo(t, two, m, second, "xxx"); len(got) != 0 {
		t.Errorf("with the first one's vectors: %v", got)
	}
	if v := two.Vectors(); v.Revision != "" {
		t.Errorf("before: %+v", v)
	}
	if r := embedded(t, two, m.tip()); r.Replaced != "first" || r.Embedded != 5 {
		t.Errorf("report: %+v", r)
	}
	if got := nearestTo(t, two, m, second, "xxx"); len(got) == 0 || got[0] != "domain/n/f2" {
		t.Errorf("with its own: %v", got)
	}
	m.put(numbered(t, 5, 6)...)
	if r := embedded(t, one, m.tip()); r.Replaced != "" || r.Embedded != 1 {
		t.Errorf("back to the first: %+v", r)
	}
	// The same name with other dimensions is another model, whatever it says.
	third := newWordModel("second", 16)
	three := index.New(dir, m, &index.Options{Embedder: third})
	if got := nearestTo(t, three, m, third, "xxx"); len(got) != 0 {
		t.Errorf("other dimensions: %v", got)
	}
	if r := embedded(t, three, m.tip()); r.Embedded != 6 {
		t.Errorf("other dimensions: %+v", r)
	}
}

// Whatever becomes of the files, the next call notices and makes good; nobody
// has to commit something first.
func TestEmbedAfterDamage(t *testing.T) {
	overwrite := func(path string, from int64) error {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		_, err = f.WriteAt(bytes.Repeat([]byte{0xff}, int(info.Size()-from)), from)
		return err
	}
	for name, damage := range map[string]func(vectors, state, near string) error{
		"garbage":  func(vectors, _, _ string) error { return os.WriteFile(vectors, []byte("garbage"), 0o644) },
		"empty":    func(vectors, _, _ string) error { return os.Truncate(vectors, 0) },
		"short":    func(vectors, _, _ string) error { return os.Truncate(vectors, 5000) },
		"gone":     func(vectors, _, _ string) error { return os.Remove(vectors) },
		"body":     func(vectors, _, _ string) error { return overwrite(vectors, 8192) },
		"folder":   func(vectors, _, _ string) error { return errors.Join(os.Remove(vectors), os.Mkdir(vectors, 0o755)) },
		"state":    func(_, state, _ string) error { return os.WriteFile(state, []byte("{"), 0o644) },
		"no state": func(_, state, _ string) error { return os.Remove(state) },
		"pairs": func(_, _, near string) error {
			return os.WriteFile(near, []byte("\xff\xff\xff\xff\xff\xff\xff"), 0o644)
		},
		"no pairs":  func(_, _, near string) error { return os.Remove(near) },
		"no folder": func(vectors, _, _ string) error { return os.RemoveAll(filepath.Dir(vectors)) },
	} {
		t.Run(name, func(t *testing.T) {
			model, m, dir := newWordModel("m", 32), newMemory("main"), t.TempDir()
			m.put(numbered(t, 0, 5)...)
			m.put(fact(t, "domain/n/twin", "claim xxx holds still", 3, by("other")))
			x := index.New(dir, m, &index.Options{Embedder: model})
			embedded(t, x, m.tip())
			corroborated := func() int {
				a := ranked(t, x, m, index.Query{Text: "xxx", KeyPrefix: "domain/n/f2"}, index.Ranking{})
				return a.Hits[0].Corroborated
			}
			if n := corroborated(); n != 1 {
				t.Fatalf("corroborated by %d before", n)
			}
			if err := damage(x.VectorPath(index.VectorFile), x.VectorPath(index.VectorState), x.VectorPath(index.NeighbourFile)); err != nil {
				t.Fatal(err)
			}
			_ = nearestTo(t, x, m, model, "xxx") // answers with or without vectors
			for range 2 {
				if _, err := x.Embed(ctx, m.tip(), true); err != nil && name != "folder" {
					t.Fatal(err)
				}
			}
			if got := nearestTo(t, x, m, model, "xxx"); len(got) == 0 || got[0] != "domain/n/f2" {
				t.Errorf("found %v", got)
			}
			if v := x.Vectors(); v.Missing != 0 || v.Revision != m.tip() {
				t.Errorf("afterwards: %+v", v)
			}
			if n := corroborated(); n != 1 {
				t.Errorf("corroborated by %d", n)
			}
		})
	}
}

// Only one process embeds; another leaves it to that one.
func TestEmbedTakesTurns(t *testing.T) {
	model, m, dir := newWordModel("m", 32), newMemory("main"), t.TempDir()
	m.put(numbered(t, 0, 5)...)
	release, err := filelock.Acquire(ctx, filepath.Join(dir, index.VectorLock), filelock.Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	x := index.New(dir, m, &index.Options{Embedder: model})
	if r := embedded(t, x, m.tip()); !r.Busy || r.Embedded != 0 {
		t.Errorf("while another works: %+v", r)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if r := embedded(t, x, m.tip()); r.Busy || r.Embedded != 5 {
		t.Errorf("afterwards: %+v", r)
	}
}

// A history that was rewritten is embedded from what stands now.
func TestEmbedAfterARewrite(t *testing.T) {
	model, dir := newWordModel("m", 32), t.TempDir()
	old, young := newMemory("old"), newMemory("young")
	old.put(numbered(t, 0, 5)...)
	young.put(numbered(t, 3, 8)...)
	embedded(t, index.New(dir, old, &index.Options{Embedder: model}), old.tip())
	r := embedded(t, index.New(dir, young, &index.Options{Embedder: model}), young.tip())
	if r.Embedded != 3 || r.Missing != 0 {
		t.Errorf("%+v", r)
	}
}

// Vectors of claims that nobody states any more do not pile up for ever.
func TestEmbedForgetsWhatIsGone(t *testing.T) {
	model, m, dir := newWordModel("m", 8), newMemory("main"), t.TempDir()
	x := index.New(dir, m, &index.Options{Embedder: model})
	for round := range 3 {
		changes := map[string][]byte{}
		for i := range index.DeadRows {
			key := fmt.Sprintf("domain/n/f%d", i)
			changes[key] = marshal(fact(t, key, fmt.Sprintf("claim %d of round %d", i, round), 1+round))
		}
		m.commit(changes)
		embedded(t, x, m.tip())
	}
	for i := range 2 {
		m.put(numbered(t, i, i+1)...)
		if r := embedded(t, x, m.tip()); r.Missing != 0 {
			t.Errorf("%+v", r)
		}
	}
	if n := x.Rows(); n > index.DeadRows+2 {
		t.Errorf("%d vectors for %d facts", n, index.DeadRows)
	}
	if got := nearestTo(t, x, m, model, "claim 7 of round 2"); got[0] != "domain/n/f7" {
		t.Errorf("found %v", got[:1])
	}
}

func TestEmbedWithoutAModel(t *testing.T) {
	x, m := indexOf(t, numbered(t, 0, 1)...)
	if _, err := x.Embed(ctx, m.tip(), true); !errors.Is(err, index.ErrNoEmbedder) {
		t.Errorf("error %v", err)
	}
}
