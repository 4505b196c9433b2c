package events_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/index/events"
)

// questions covers what a query may ask for.
func questions(z *zipf) []events.Query {
	at := func(n int) time.Time { return start.Add(time.Duration(n)*7*time.Minute + time.Second) }
	list := []events.Query{
		{Limit: 500}, {Newest: true, Limit: 7, Offset: 3}, {Kinds: []string{"tool result"}, Limit: 500},
		{Sessions: []string{"s1", "s2"}, Limit: 500}, {Path: "src/pkg", Limit: 500}, {Path: "./src/pkg/a.go", Limit: 500},
		{Commit: "0a1b2c3", Limit: 500}, {Branch: "main", Tags: []string{"Bug"}, Limit: 500}, {WithoutLabels: []string{"private"}, Limit: 500},
		{Since: at(20), Limit: 500}, {Until: at(50), Limit: 500}, {Since: at(10), Until: at(12), Limit: 500}, {Since: at(3), Until: at(300), Limit: 500},
	}
	for i := range 12 {
		q := events.Query{Text: z.text(2 + i%7), Limit: 1 + i*3, Offset: i % 3}
		switch i % 4 {
		case 1:
			q.Kinds = []string{"agent message"}
		case 2:
			q.Since = at(30)
		case 3:
			q.Exact = []string{spell(uint64(i))}
		}
		list = append(list, q, events.Query{Text: q.Text, Newest: true})
	}
	return list
}

// randomEvent is an event with filters of all kinds.
func randomEvent(z *zipf, n int) events.Doc {
	return event(n, z.text(1+z.r.IntN(60)), func(d *events.Doc) {
		d.Kind = []string{"agent message", "user message", "tool result", "decision"}[z.r.IntN(4)]
		d.Agent = []string{"claude", "codex"}[z.r.IntN(2)]
		d.Branch = []string{"main", "topic", ""}[z.r.IntN(3)]
		d.Label = []string{"", "private"}[z.r.IntN(2)]
		if z.r.IntN(3) == 0 {
			d.Paths = []string{"src/pkg/a.go", "docs/b.md"}[:1+z.r.IntN(2)]
			d.Tags = []string{"bug"}
		}
		if z.r.IntN(5) == 0 {
			d.Commits = []string{"0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"}
		}
	})
}

// Whatever the order of sessions and wherever the input is cut, an index that caught up
// answers as one that was built at once.
func TestCatchingUpIsRebuilding(t *testing.T) {
	for seed := range uint64(12) {
		z := newZipf(seed, 300)
		m := newMemory()
		x := events.New(filepath.Join(t.TempDir(), "index"), m, nil)
		for step := range 15 {
			for i := range 1 + z.r.IntN(3) {
				change(z, m, step*3+i)
			}
			if z.r.IntN(3) > 0 {
				_, err := x.CatchUp(ctx)
				must(t, err)
			}
		}
		sameAnswers(t, z, x, events.New(filepath.Join(t.TempDir(), "fresh"), m, nil))
	}
}

func change(z *zipf, m *memory, step int) {
	session := fmt.Sprintf("s%d", z.r.IntN(5))
	docs := make([]events.Doc, z.r.IntN(20))
	for i := range docs {
		docs[i] = randomEvent(z, step*30+z.r.IntN(100))
		docs[i].Event = fmt.Sprintf("%s%s%02d%02d", docs[i].Event[:20], session, step, i)
	}
	switch z.r.IntN(8) {
	case 0:
		m.rewrite(session, docs...)
	case 1:
		m.remove(session)
	default:
		m.add(session, docs...)
	}
}

func sameAnswers(t *testing.T, z *zipf, got, want *events.Index) {
	t.Helper()
	for _, q := range questions(z) {
		a, err := got.Search(ctx, q)
		must(t, err)
		b, err := want.Search(ctx, q)
		must(t, err)
		a.Report, b.Report = events.Report{}, events.Report{}
		if d := cmp.Diff(b, a); d != "" {
			t.Fatalf("%+v (-rebuilt +caught up):\n%s", q, d)
		}
	}
}

// The best by max-score are the best of all: a page from a long list is what a short one
// shows, and the filters admit what they say.
func TestPagesAndFilters(t *testing.T) {
	z := newZipf(99, 400)
	m := newMemory()
	byEvent := make(map[string]events.Doc)
	for n := range 3000 {
		d := randomEvent(z, n)
		byEvent[d.Event] = d
		m.add(fmt.Sprintf("session-%d", n%17), d)
	}
	x := events.New(filepath.Join(t.TempDir(), "index"), m, nil)
	for i := range 60 {
		q := events.Query{Text: z.text(1 + i%8), Limit: 5000}
		if i%3 == 1 {
			q.Kinds, q.WithoutLabels = []string{"decision", "tool result"}, []string{"private"}
		}
		if i%3 == 2 {
			q.Since, q.Until = start.Add(50*time.Hour+time.Minute), start.Add(200*time.Hour+3*time.Minute)
		}
		all, err := x.Search(ctx, q)
		must(t, err)
		if all.Total != len(all.Hits) {
			t.Fatalf("%q: total %d of %d", q.Text, all.Total, len(all.Hits))
		}
		for _, h := range all.Hits {
			d := byEvent[h.Event]
			if !h.At.Equal(d.At) || h.Kind != d.Kind || h.Turn != d.Turn {
				t.Fatalf("%+v is not %+v", h, d)
			}
			if len(q.Kinds) > 0 && (!slices.Contains(q.Kinds, d.Kind) || d.Label == "private") {
				t.Fatalf("%+v does not pass", d)
			}
			if !q.Since.IsZero() && (d.At.Before(q.Since) || !d.At.Before(q.Until)) {
				t.Fatalf("%v is outside", d.At)
			}
		}
		q.Limit, q.Offset = 1+rand.IntN(20), rand.IntN(30)
		page, err := x.Search(ctx, q)
		must(t, err)
		want := all.Hits[min(q.Offset, len(all.Hits)):min(q.Offset+q.Limit, len(all.Hits))]
		if d := cmp.Diff(want, page.Hits); d != "" || page.Total != all.Total {
			t.Fatalf("%+v, total %d of %d: %s", q, page.Total, all.Total, d)
		}
	}
}

// A text without a word finds nothing, rather than everything.
func TestNoWords(t *testing.T) {
	src := newMemory()
	src.add("s", events.Doc{Event: "e", Turn: 1, Text: "hello"})
	x := events.New(t.TempDir(), src, nil)
	for text, want := range map[string]int{"!!! ... ???": 0, `"`: 0, "": 1, "hello": 1} {
		a, err := x.Search(ctx, events.Query{Text: text})
		must(t, err)
		if len(a.Hits) != want {
			t.Errorf("%q finds %d", text, len(a.Hits))
		}
	}
}
