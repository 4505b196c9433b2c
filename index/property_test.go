package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/facts"
	"engram/index"
)

// Whatever happened to the files of a branch and whenever the index caught up,
// it is the index that a rebuild would give.
func TestIncrementalEqualsRebuild(t *testing.T) {
	root := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(root, "case")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		m := newMemory("main")
		x := index.New(filepath.Join(dir, "incremental"), m, nil)
		g := &historyGen{memory: m, states: map[string][][]byte{}}
		for range rapid.IntRange(1, 8).Draw(t, "rounds") {
			for range rapid.IntRange(1, 4).Draw(t, "revisions") {
				g.revise(t)
			}
			report, err := x.CatchUp(t.Context(), m.tip())
			if err != nil {
				t.Fatal(err)
			}
			if report.Revision != m.tip() {
				t.Fatalf("the index reflects %s after catching up with %s", report.Revision, m.tip())
			}
		}
		fresh := index.New(filepath.Join(dir, "rebuilt"), m, nil)
		if diff := cmp.Diff(contents(t, fresh, m.tip()), contents(t, x, m.tip())); diff != "" {
			t.Fatalf("rebuilt (-) and incremental (+) differ:\n%s", diff)
		}
	})
}

// historyGen draws what happens to a handful of keys.
type historyGen struct {
	*memory
	states map[string][][]byte // every content a key had
	made   int
}

func (g *historyGen) revise(t *rapid.T) {
	changes, side := map[string][]byte{}, map[string][]byte{}
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		key := "domain/c/" + rapid.SampledFrom([]string{"a", "a/b", "c", "d"}).Draw(t, "key")
		data := g.content(t, key)
		switch {
		case data == nil:
			changes[key] = nil
		case rapid.IntRange(0, 5).Draw(t, "side") == 0:
			side[key] = data
		default:
			changes[key] = data
		}
	}
	g.merge(changes, side)
}

// content is what a file becomes; nil: it is removed.
func (g *historyGen) content(t *rapid.T, key string) []byte {
	what := rapid.SampledFrom([]string{"write", "write", "write", "retire", "expire", "revert", "remove", "spoil", "misname"}).Draw(t, "what")
	var data []byte
	switch known := g.states[key]; {
	case what == "remove":
		return nil
	case what == "revert" && len(known) > 0:
		return rapid.SampledFrom(known).Draw(t, "state")
	case what == "spoil":
		data = fmt.Appendf(nil, "no fact %d", rapid.IntRange(0, 2).Draw(t, "spoilt"))
	case what == "misname":
		data = g.fact(t, "domain/c/elsewhere", what)
	default:
		data = g.fact(t, key, what)
	}
	g.states[key] = append(g.states[key], data)
	return data
}

func (g *historyGen) fact(t *rapid.T, key, what string) []byte {
	k, err := facts.ParseKey(key)
	if err != nil {
		t.Fatal(err)
	}
	g.made++
	from := day(rapid.IntRange(1, 9).Draw(t, "day"))
	f := facts.Fact{
		Key: k, ID: fmt.Sprintf("01ARZ3NDEKTSV4RRFFQ69G5F%02d", rapid.IntRange(0, 20).Draw(t, "id")),
		Claim:      rapid.SampledFrom([]string{"the cache is cold", "retries double the load", "the queue drops messages"}).Draw(t, "claim"),
		Tags:       rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y"}), 0, 2).Draw(t, "tags"),
		ValidFrom:  from,
		Branch:     rapid.SampledFrom([]string{"", "", "", "x", "y"}).Draw(t, "branch"),
		Provenance: facts.Provenance{CreatedAt: from.Add(time.Duration(rapid.IntRange(-1, 1).Draw(t, "late")) * time.Hour)},
	}
	if f.Branch != "" && key != "domain/c/d" {
		f.For = facts.Key{Namespace: "domain", Category: "c", Identifier: "d"}
	}
	switch what {
	case "retire":
		f.ValidUntil = from.AddDate(0, 0, rapid.IntRange(1, 3).Draw(t, "until"))
	case "expire":
		f.TTL = "P2D"
	}
	return facts.Marshal(f)
}

func day(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }

// seen is all that can be seen of an index.
type seen struct {
	Names   []string
	Answers map[string]answer
}

type answer struct {
	Hits  []index.Hit
	Total int
}

func contents(t interface {
	Fatal(...any)
	Helper()
}, x *index.Index, revision string) seen {
	t.Helper()
	s := seen{Answers: map[string]answer{}}
	names, err := x.Names(ctx, revision)
	if err != nil {
		t.Fatal(err)
	}
	s.Names = names
	_, err = x.View(ctx, revision, func(v *index.View) (err error) {
		queries := map[string]index.Query{}
		for _, n := range []int{1, 3, 5, 9, 12} {
			queries[fmt.Sprintf("now %d", n)] = index.Query{Text: "cold cache load", Now: day(n)}
			queries[fmt.Sprintf("as of %d", n)] = index.Query{Text: "queue cache", AsOf: day(n)}
			queries[fmt.Sprintf("on x %d", n)] = index.Query{Text: "cold cache load queue", Now: day(n), Branch: "x"}
			queries[fmt.Sprintf("on y as of %d", n)] = index.Query{Text: "cold cache load queue", AsOf: day(n), Branch: "y"}
			queries[fmt.Sprintf("everywhere %d", n)] = index.Query{KeyPrefix: "domain", Now: day(n), Branch: index.EveryBranch}
			queries[fmt.Sprintf("all on %d", n)] = index.Query{KeyPrefix: "domain", Now: day(n), Limit: 3}
		}
		for name, q := range queries {
			var a answer
			if a.Hits, a.Total, err = v.Search(ctx, q); err != nil {
				return err
			}
			s.Answers[name] = a
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
