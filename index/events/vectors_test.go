package events_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"engram/index/events"
	"engram/model"
	"engram/model/modeltest"
)

// meanings are words that share a vector: the tiny model knows no others.
var meanings = [][]string{
	{"login", "authentication", "signing"}, {"slow", "latency", "sluggish"}, {"database", "storage", "postgres"},
	{"crash", "panic", "failure"}, {"cache", "memo"}, {"deploy", "release", "rollout"}, {"test", "check"},
}

// tinyFolder is a real model of package model, with a table of a few words.
func tinyFolder(t testing.TB) string {
	t.Helper()
	dir, words := t.TempDir(), map[string][]float32{}
	r := rand.New(rand.NewPCG(1, 2))
	for _, same := range meanings {
		v := make([]float32, 32)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		for _, word := range same {
			words[word] = v
		}
	}
	must(t, modeltest.Static(dir, words))
	return dir
}

func tinyModel(t testing.TB) model.Embedder {
	t.Helper()
	m, err := model.OpenEmbedderFor(tinyFolder(t))
	must(t, err)
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func embedding(m events.Embedder) *events.Options {
	return &events.Options{Embedder: m, Kinds: []string{"agent message", "user message"}, Meaning: func(stored []byte) string { return string(stored) }}
}

// said is an event whose vector is made of its text.
func said(n int, text string, change ...func(*events.Doc)) events.Doc {
	return event(n, text, append(change, func(d *events.Doc) { d.Stored = []byte(text) })...)
}

func embed(t testing.TB, x *events.Index) events.VectorReport {
	t.Helper()
	r, err := x.Embed(ctx)
	must(t, err)
	return r
}

func near(t testing.TB, x *events.Index, text string, change ...func(*events.Query)) (events.Answer, []int) {
	t.Helper()
	q := events.Query{Text: text, Near: true}
	for _, c := range change {
		c(&q)
	}
	a, err := x.Search(ctx, q)
	must(t, err)
	var turns []int
	for _, h := range a.Hits {
		turns = append(turns, h.Turn)
	}
	return a, turns
}

// A question in other words finds the event, once vectors are made; words do not wait for
// them; and who does not ask for what is near gets what words find.
func TestNear(t *testing.T) {
	m := newMemory()
	m.add("one", said(1, "the login is slow today"), said(2, "deploy the cache"), said(3, "we keep rows in the database"))
	m.add("two", said(4, "postgres had a crash"), said(5, "authentication latency", func(d *events.Doc) { d.Kind = "tool result" }))
	x := events.New(filepath.Join(t.TempDir(), "index"), m, embedding(tinyModel(t)))
	if a, turns := near(t, x, "login"); !slices.Equal(turns, []int{1}) || a.Compared || a.Pending != 4 {
		t.Errorf("before: %v, %+v", turns, a)
	}
	if r := embed(t, x); r.Embedded != 4 || r.Missing != 0 {
		t.Errorf("made: %+v", r)
	}
	a, turns := near(t, x, "sluggish authentication")
	if len(turns) < 2 || turns[0] != 5 || turns[1] != 1 || !a.Compared || a.Pending != 0 {
		t.Errorf("in other words: %v, %+v", turns, a)
	}
	if h := a.Hits[1]; h.Score != 0 || len(h.Places) != 1 || h.Places[0].Rank != 1 || h.Places[0].Score < 0.9 {
		t.Errorf("placed at %+v", h.Places)
	}
	if _, turns := near(t, x, "storage", func(q *events.Query) { q.Sessions = []string{"two"} }); !slices.Equal(turns, []int{4}) {
		t.Errorf("with a filter: %v", turns)
	}
	for name, change := range map[string]func(*events.Query){
		"words":  func(q *events.Query) { q.Near = false },
		"exact":  func(q *events.Query) { q.Exact = []string{"rollout"} },
		"newest": func(q *events.Query) { q.Newest = true },
	} {
		if a, turns := near(t, x, "rollout", change); len(turns) != 0 || a.Compared {
			t.Errorf("%s: %v", name, turns)
		}
	}
	if r := embed(t, x); r.Embedded != 0 {
		t.Errorf("again: %+v", r)
	}
	m.add("two", said(6, "the rollout panic"))
	if a, turns := near(t, x, "rollout"); turns[0] != 6 || a.Pending != 1 {
		t.Errorf("words waited: %v, %+v", turns, a)
	}
	if r := embed(t, x); r.Embedded != 1 {
		t.Errorf("of what is new: %+v", r)
	}
	if a, turns := near(t, x, "release failure"); turns[0] != 6 || a.Pending != 0 {
		t.Errorf("what is new: %v", turns)
	}
}

// What has all words of the question never falls because of vectors.
func TestVectorsLeaveExactWordsAlone(t *testing.T) {
	m := newMemory()
	for i := range 40 {
		m.add("s", said(i, strings.Repeat("latency sluggish ", 1+i%4)+"postgres zanzibar"+strings.Repeat(" slow", i%3)+fmt.Sprint(" w", i)))
	}
	m.add("s", said(50, "the zanzibar kuli bundu "+strings.Repeat("filler words that make it long ", 20)), said(51, "zanzibar kuli bundu"))
	x := events.New(filepath.Join(t.TempDir(), "index"), m, embedding(tinyModel(t)))
	embed(t, x)
	for _, text := range []string{"zanzibar kuli bundu", "zanzibar", "zanzibar slow", "slow zanzibar postgres", "latency"} {
		_, byWords := near(t, x, text, func(q *events.Query) { q.Near, q.Limit = false, 100 })
		_, fused := near(t, x, text, func(q *events.Query) { q.Limit = 100 })
		for at, turn := range byWords {
			whole := true
			for _, w := range strings.Fields(text) {
				whole = whole && strings.Contains(m.sessions["s"][slices.IndexFunc(m.sessions["s"], func(d events.Doc) bool { return d.Turn == turn })].Text, w)
			}
			if now := slices.Index(fused, turn); whole && now > at || now < 0 {
				t.Errorf("%q: event %d fell from %d to %d", text, turn, at, now)
			}
		}
	}
}

// A session that was rewritten, forgotten or removed loses its vectors.
func TestVectorsAreRemoved(t *testing.T) {
	build := func(t *testing.T) (*memory, *events.Index, string) {
		m := newMemory()
		m.add("one", said(1, "the login is slow"), said(2, "crash of the cache"))
		m.add("two", said(3, "deploy the database"))
		dir := filepath.Join(t.TempDir(), "index")
		x := events.New(dir, m, embedding(tinyModel(t)))
		embed(t, x)
		return m, x, dir
	}
	rows := func(t *testing.T, x *events.Index, want int) {
		t.Helper()
		if n := x.Rows(); n != want {
			t.Errorf("%d vectors, want %d", n, want)
		}
	}
	t.Run("redacted", func(t *testing.T) {
		m, x, _ := build(t)
		m.rewrite("one", said(1, "[redacted]"), said(2, "crash of the cache"))
		_, err := x.Forget(ctx, "one")
		must(t, err)
		rows(t, x, 1)
		if r := embed(t, x); r.Missing != 0 {
			t.Errorf("%+v", r)
		}
		if _, turns := near(t, x, "authentication"); len(turns) != 0 {
			t.Errorf("found %v", turns)
		}
		if _, turns := near(t, x, "memo"); !slices.Equal(turns, []int{2}) {
			t.Errorf("the rest: %v", turns)
		}
	})
	t.Run("rewritten elsewhere", func(t *testing.T) {
		m, x, _ := build(t)
		m.rewrite("one", said(1, "[redacted] redacted redacted"), said(2, "crash of the cache"))
		embed(t, x)
		if _, turns := near(t, x, "authentication"); len(turns) != 0 {
			t.Errorf("found %v", turns)
		}
		if _, turns := near(t, x, "memo"); !slices.Equal(turns, []int{2}) {
			t.Errorf("the rest: %v", turns)
		}
	})
	t.Run("gone", func(t *testing.T) {
		m, x, _ := build(t)
		m.remove("one")
		embed(t, x)
		rows(t, x, 1)
	})
	t.Run("all forgotten", func(t *testing.T) {
		m, x, _ := build(t)
		m.remove("one")
		m.remove("two")
		_, err := x.Forget(ctx, "one", "two")
		must(t, err)
		rows(t, x, 0)
	})
	t.Run("forgotten without a model", func(t *testing.T) {
		m, _, dir := build(t)
		_, err := events.New(dir, m, nil).Forget(ctx, "one")
		must(t, err)
		if left, _ := filepath.Glob(filepath.Join(dir, "vectors-*")); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	})
	t.Run("state lost", func(t *testing.T) {
		m, x, dir := build(t)
		m.rewrite("one", said(1, "[redacted] redacted redacted"))
		states, _ := filepath.Glob(filepath.Join(dir, "vectors-*", "state.json"))
		must(t, os.Remove(states[0]))
		embed(t, x)
		if _, turns := near(t, x, "authentication"); len(turns) != 0 {
			t.Errorf("found %v", turns)
		}
	})
}

// failing is a model that stops after some texts.
type failing struct {
	events.Embedder
	left int
}

var errStopped = errors.New("stopped")

func (f *failing) Instant() bool { return false }

func (f *failing) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if f.left -= len(texts); f.left < 0 {
		return nil, errStopped
	}
	return f.Embedder.Embed(ctx, texts)
}

// What was made before an interruption stays, the newest first, and the rest follows.
func TestEmbedGoesOn(t *testing.T) {
	m := newMemory()
	for i := range 100 {
		m.add(fmt.Sprint("s", i%5), said(i, fmt.Sprint("the login test ", i)))
	}
	dir, tiny := filepath.Join(t.TempDir(), "index"), tinyModel(t)
	x := events.New(dir, m, embedding(&failing{tiny, 40}))
	if r, err := x.Embed(ctx); !errors.Is(err, errStopped) || r.Embedded != 40 || r.Missing != 60 {
		t.Fatalf("%+v, %v", r, err)
	}
	a, turns := near(t, events.New(dir, m, embedding(tiny)), "authentication check", func(q *events.Query) { q.Limit = 100 })
	if slices.Min(turns) < 60 || x.Rows() != 40 || a.Pending != 60 {
		t.Errorf("oldest %d, %d pending", slices.Min(turns), a.Pending)
	}
	m.add("s0", said(200, "release"))
	if r := embed(t, events.New(dir, m, embedding(tiny))); r.Embedded != 61 || r.Missing != 0 {
		t.Errorf("afterwards: %+v", r)
	}
}

// childModel is the folder of the model that a child process embeds with.
const childModel = "ENGRAM_TEST_MODEL"

// pausing is a model that takes its time, for a process that is killed.
type pausing struct{ events.Embedder }

func (pausing) Instant() bool { return false }

func (p pausing) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	fmt.Println("embedding")
	time.Sleep(time.Millisecond)
	return p.Embedder.Embed(ctx, texts)
}

// manySaid are events that get a vector.
func manySaid() *memory {
	m := newMemory()
	for i := range 600 {
		m.add(fmt.Sprint("s", i%5), said(i, fmt.Sprint("the login test ", i)))
	}
	return m
}

func playEmbed(dir string) error {
	m, err := model.OpenEmbedderFor(os.Getenv(childModel))
	if err != nil {
		return err
	}
	_, err = events.New(dir, manySaid(), embedding(pausing{m})).Embed(ctx)
	return err
}

// A process that is killed while it embeds leaves what it made, and the next one goes on.
func TestEmbedKilled(t *testing.T) {
	dir, table := filepath.Join(t.TempDir(), "index"), tinyFolder(t)
	r := rand.New(rand.NewPCG(5, 6))
	made := 0
	for range 8 {
		cmd := child(t, "embed", dir)
		cmd.Env = append(cmd.Env, childModel+"="+table)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for range 1 + r.IntN(8) {
			lines.Scan()
		}
		time.Sleep(time.Duration(r.IntN(3000)) * time.Microsecond)
		must(t, cmd.Process.Signal(syscall.SIGKILL))
		_ = cmd.Wait()
		x := events.New(dir, manySaid(), embedding(tinyModel(t)))
		if n := x.Rows(); n < made {
			t.Errorf("%d vectors, %d before", n, made)
		} else {
			made = n
		}
		if _, turns := near(t, x, "login"); len(turns) != 10 {
			t.Errorf("words find %v", turns)
		}
	}
	x := events.New(dir, manySaid(), embedding(tinyModel(t)))
	if r := embed(t, x); made == 0 || r.Embedded != 600-made || x.Rows() != 600 {
		t.Errorf("after %d: %+v, %d vectors", made, r, x.Rows())
	}
}

// The newest events have vectors if there are too many for all.
func TestEmbedBounded(t *testing.T) {
	m := newMemory()
	for i := range 100 {
		m.add(fmt.Sprint("s", i%3), said(i, "the login"))
	}
	x := events.New(filepath.Join(t.TempDir(), "index"), m, embedding(tinyModel(t)))
	x.SetMost(50)
	embed(t, x)
	if x.Rows() != 45 {
		t.Errorf("%d vectors", x.Rows())
	}
	for i := range 10 {
		m.add("s0", said(100+i, "the cache"))
		embed(t, x)
		if x.Rows() > 50 {
			t.Fatalf("%d vectors", x.Rows())
		}
	}
	if _, turns := near(t, x, "memo"); len(turns) != 10 {
		t.Errorf("the newest: %v", turns)
	}
}
