package index_test

import (
	"context"
	"path/filepath"
	"testing"

	"engram/facts"
	"engram/index"
)

var ctx = context.Background()

// fact makes a fact of a key and a claim, valid from noon of a day of March.
func fact(t testing.TB, key, claim string, n int, change ...func(*facts.Fact)) facts.Fact {
	t.Helper()
	k, err := facts.ParseKey(key)
	if err != nil {
		t.Fatal(err)
	}
	f := facts.Fact{
		Key: k, ID: "01ARZ3NDEKTSV4RRFFQ69G5FAV", Lineage: "01ARZ3NDEKTSV4RRFFQ69G5FAV", Claim: claim,
		ValidFrom: day(n), Provenance: facts.Provenance{CreatedAt: day(n)},
	}
	for _, c := range change {
		c(&f)
	}
	return f
}

// indexOf returns an index of facts that stand on the branch together.
func indexOf(t testing.TB, list ...facts.Fact) (*index.Index, *memory) {
	t.Helper()
	m := newMemory("main")
	m.put(list...)
	return index.New(filepath.Join(t.TempDir(), "index"), m, nil), m
}

// find returns the keys of the hits, best first.
func find(t testing.TB, x *index.Index, m *memory, q index.Query) []string {
	t.Helper()
	if q.Now.IsZero() {
		q.Now = day(20)
	}
	keys := []string{}
	_, err := x.View(ctx, m.tip(), func(v *index.View) error {
		hits, total, err := v.Search(ctx, q)
		for _, h := range hits {
			keys = append(keys, h.Key.String())
		}
		if err == nil && total < len(hits) {
			t.Errorf("%d hits of a total of %d", len(hits), total)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func marshal(f facts.Fact) []byte { return facts.Marshal(f) }
