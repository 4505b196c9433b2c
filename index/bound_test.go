package index_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
	"engram/index"
)

func boundTo(branch, target string) func(*facts.Fact) {
	return func(f *facts.Fact) {
		f.Branch = branch
		if target != "" {
			f.For, _ = facts.ParseKey(target)
		}
	}
}

// TestBranches: a bound fact is found on its branch alone, in place of the one at the
// key that it is for, and so it is in questions about the past.
func TestBranches(t *testing.T) {
	x, m := indexOf(t,
		fact(t, "domain/db/port", "the port is 5432", 1),
		fact(t, "domain/db/port/replica", "the replica port is 5433", 1),
		fact(t, "domain/db/port.on-x", "the port is 6432", 3, boundTo("x", "domain/db/port")),
		fact(t, "domain/db/fresh.on-y", "the port is unknown", 3, boundTo("y", "domain/db/fresh")),
		fact(t, "domain/db/brief.on-x", "the port is gone", 3, boundTo("x", "domain/db/port/replica"), func(f *facts.Fact) { f.TTL = "P1D" }),
	)
	for _, c := range []struct {
		name string
		q    index.Query
		want []string
	}{
		{"on none", index.Query{}, []string{"domain/db/port", "domain/db/port/replica"}},
		{"on x", index.Query{Branch: "x"}, []string{"domain/db/port.on-x", "domain/db/port/replica"}},
		{"on y", index.Query{Branch: "y"}, []string{"domain/db/fresh.on-y", "domain/db/port", "domain/db/port/replica"}},
		{"on another", index.Query{Branch: "z"}, []string{"domain/db/port", "domain/db/port/replica"}},
		{"on x before", index.Query{Branch: "x", AsOf: day(2)}, []string{"domain/db/port", "domain/db/port/replica"}},
		{"on x when another held", index.Query{Branch: "x", AsOf: day(3)}, []string{"domain/db/brief.on-x", "domain/db/port.on-x"}},
		{"everywhere", index.Query{Branch: index.EveryBranch}, []string{"domain/db/fresh.on-y", "domain/db/port", "domain/db/port.on-x", "domain/db/port/replica"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.q.Text = "port"
			got := map[string]bool{}
			for _, key := range find(t, x, m, c.q) {
				got[key] = true
			}
			want := map[string]bool{}
			for _, key := range c.want {
				want[key] = true
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

// TestBoundFactsDoNotCorroborateElsewhere: who is not on the branch does not hear
// that somebody there says the same.
func TestBoundFactsDoNotCorroborateElsewhere(t *testing.T) {
	by := func(agent string) func(*facts.Fact) { return func(f *facts.Fact) { f.Provenance.Agent = agent } }
	m := newMemory("main")
	m.put(fact(t, "domain/a/one", "sessions live long", 1, by("a")),
		fact(t, "domain/a/two.on-x", "sessions live long", 1, by("b"), boundTo("x", "domain/a/two")))
	x := index.New(t.TempDir(), m, &index.Options{Embedder: newWordModel("words", 64)})
	if _, err := x.Embed(ctx, m.tip(), true); err != nil {
		t.Fatal(err)
	}
	for branch, want := range map[string]int{"": 0, "x": 1, "y": 0} {
		_, err := x.View(ctx, m.tip(), func(v *index.View) error {
			a, err := v.Rank(ctx, index.Query{Text: "sessions", Now: day(20), Branch: branch}, index.Ranking{})
			for _, h := range a.Hits {
				if h.Key.String() == "domain/a/one" && h.Corroborated != want {
					t.Errorf("on %q it is corroborated by %d, want %d", branch, h.Corroborated, want)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkBranches: what it costs to ask on a branch, with 50 facts bound to it.
func BenchmarkBranches(b *testing.B) {
	m := grown(10_000, 0)
	var list []facts.Fact
	for i := range 50 {
		list = append(list, fact(b, fmt.Sprintf("domain/bound/f%d.on-x", i), "the gateway retries bound requests", 1, boundTo("x", fmt.Sprintf("domain/bound/f%d", i))))
	}
	before := m.tip()
	m.put(list...)
	for _, c := range []struct{ name, tip, branch string }{{"no bound facts", before, ""}, {"no bound facts, on a branch", before, "x"}, {"elsewhere", m.tip(), ""}, {"on the branch", m.tip(), "x"}} {
		b.Run(c.name, func(b *testing.B) {
			x := index.New(b.TempDir(), m, nil)
			_, err := x.View(b.Context(), c.tip, func(v *index.View) error {
				for b.Loop() {
					if _, err := v.Rank(b.Context(), index.Query{Text: "why does the gateway retry requests", Now: day(20), Branch: c.branch}, index.Ranking{}); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		})
	}
}
