package facts_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/facts"
)

func TestRival(t *testing.T) {
	f := full()
	f.Branch, f.For = "", facts.Key{}
	r := facts.Rival(f)
	if r.For != f.Key || r.Claim != f.Claim || r.Supersedes != f.ID || r.Lineage == f.Lineage || r.ID == f.ID || !r.IsRival() || f.IsRival() {
		t.Errorf("the rival of %+v is %+v", f, r)
	}
	if !strings.HasPrefix(r.Key.String(), f.Key.String()+".rival-") {
		t.Errorf("it stands at %s", r.Key)
	}
	if again := facts.Rival(r); again.For != f.Key || again.Key != r.Key {
		t.Errorf("the rival of a rival stands at %s for %s", again.Key, again.For)
	}
	other := f.Clone()
	other.Claim += "!"
	if facts.Rival(other).Key == r.Key {
		t.Error("two claims have one rival")
	}
}

// TestRivalsAreValid: what a merge keeps can be written, whatever gave way.
func TestRivalsAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFact(t)
		manifest := facts.Manifest{Namespaces: []string{f.Key.Namespace}}
		if facts.Validate(f, manifest) != nil {
			t.Skip("nobody could have written it")
		}
		if err := facts.Validate(facts.Rival(f), manifest); err != nil && !strings.Contains(err.Error(), "at most 65536 fit") {
			t.Fatalf("the rival is not valid: %v", err)
		}
	})
}

// TestMergeKeepsTheSameWhateverTheOrder: three versions of one key, merged in
// every order, leave the same version and the same rivals.
func TestMergeKeepsTheSameWhateverTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		versions := []facts.Fact{genVersion(t), genVersion(t), genVersion(t)}
		base := genVersion(t)
		ended := make(map[string]bool)
		for _, v := range versions {
			if v.Operation == facts.OpDelete {
				ended[facts.ContentHash(v.Claim)] = true
			}
		}
		join := func(order []int) map[string]string {
			tree := map[facts.Key]facts.Fact{base.Key: versions[order[0]]}
			for _, i := range order[1:] {
				m := facts.Merge(&base, tree[base.Key], versions[i])
				tree[base.Key] = m.Fact
				if m.Lost != nil {
					r := facts.Rival(*m.Lost)
					if other, found := tree[r.Key]; found {
						r = facts.Merge(nil, other, r).Fact
					}
					tree[r.Key] = r
				}
			}
			texts := make(map[string]string)
			for k, f := range tree {
				if f.IsRival() && (facts.ContentHash(f.Claim) == facts.ContentHash(tree[base.Key].Claim) || ended[facts.ContentHash(f.Claim)]) {
					continue // it met a third version before one that says the same, or ends it: an audit closes it
				}
				texts[k.String()] = facts.ContentHash(f.Claim) // of two spellings with one id either may be kept
			}
			return texts
		}
		want := join([]int{0, 1, 2})
		for _, order := range [][]int{{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			if diff := cmp.Diff(want, join(order)); diff != "" {
				t.Fatalf("order %v: %s", order, diff)
			}
		}
	})
}

func TestBind(t *testing.T) {
	k, err := facts.ParseKey("domain/auth/session")
	if err != nil {
		t.Fatal(err)
	}
	var seen []facts.Key
	for _, branch := range []string{"feature/x", "feature-x", "ä/ö", "日本", strings.Repeat("long/", 30), "a.lock-b"} {
		bound := facts.Bind(k, branch)
		if _, err := facts.ParseKey(bound.String()); err != nil || slices.Contains(seen, bound) {
			t.Errorf("%s is bound at %s: %v", branch, bound, err)
		}
		seen = append(seen, bound)
	}
	long := facts.Key{Namespace: "domain", Category: "auth", Identifier: "x", Sub: strings.Repeat("a", facts.MaxSegment)}
	if _, err := facts.ParseKey(facts.Bind(long, "main").String()); err != nil {
		t.Error(err)
	}
}

// TestBindTellsApart: no two keys, and no two branches, share where a bound fact
// stands, however long they are.
func TestBindTellsApart(t *testing.T) {
	long := strings.Repeat("a", facts.MaxSegment-1)
	seen := map[facts.Key]string{}
	for _, text := range []string{"domain/db/port", "domain/db/port/sub", "domain/db/" + long + "1", "domain/db/" + long + "2", "domain/db/x/" + long} {
		k, err := facts.ParseKey(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, branch := range []string{"feature/pooler", "feature/Pooler", "日本", strings.Repeat("b", 200)} {
			at := facts.Bind(k, branch)
			if _, err := facts.ParseKey(at.String()); err != nil {
				t.Errorf("%s on %s stands at no key: %v", text, branch, err)
			}
			if seen[at] != "" {
				t.Errorf("%s on %s and %s share %s", text, branch, seen[at], at)
			}
			seen[at] = text + " on " + branch
		}
	}
}
