package index_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
	"engram/index"
)

// TestAccess: what is not shown takes no place of the limit and is in no count,
// by words, in a ranking and among what held in the past.
func TestAccess(t *testing.T) {
	var list []facts.Fact
	for i, scope := range []string{"", "a", "a/b", "a/b/c", "ab", "d"} {
		key := "domain/x/" + string(rune('p'+i))
		list = append(list, fact(t, key, "the gateway is number "+key, i+1, func(f *facts.Fact) { f.Scope = scope }))
	}
	x, m := indexOf(t, list...)
	hide, show := func(s string) index.ScopeRule { return index.ScopeRule{Scope: s} }, func(s string) index.ScopeRule { return index.ScopeRule{Scope: s, Show: true} }
	for _, c := range []struct {
		name  string
		rules []index.ScopeRule
		want  string
	}{
		{"no rule", nil, "pqrstu"},
		{"a scope", []index.ScopeRule{hide("a")}, "ptu"},
		{"one below it all the same", []index.ScopeRule{hide("a"), show("a/b")}, "prstu"},
		{"and not what is below that", []index.ScopeRule{hide("a"), show("a/b"), hide("a/b/c")}, "prtu"},
		{"everything", []index.ScopeRule{hide("")}, ""},
		{"everything but one", []index.ScopeRule{hide(""), show("d")}, "u"},
		{"a scope that nobody uses", []index.ScopeRule{hide("z")}, "pqrstu"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := []string{}
			for _, r := range c.want {
				want = append(want, "domain/x/"+string(r))
			}
			q := index.Query{Text: "gateway", Access: c.rules}
			got := find(t, x, m, q)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			q.AsOf = day(15)
			got = find(t, x, m, q)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("in the past: %s", diff)
			}
			q.Now, q.Limit = day(20), 1
			_, err := x.View(ctx, m.tip(), func(v *index.View) error {
				a, err := v.Rank(ctx, q, index.Ranking{Weights: index.DefaultWeights()})
				if len(a.Hits) != min(1, len(want)) || a.Matched != len(want) {
					t.Errorf("%d hits, %d matched", len(a.Hits), a.Matched)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}
