package gitstore_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/gitstore"
)

// TestIntroducedAgreesWithGit: for a few commits in a row the store compares
// trees itself; git's own comparison of each two has to say the same.
func TestIntroducedAgreesWithGit(t *testing.T) {
	store := must(gitstore.Open(t.Context(), newRepo(t), nil))
	defer store.Close()
	tip := must(store.Apply(t.Context(), "", []gitstore.Write{{Path: "engram.yml", Data: []byte("format: 1\n")}}, gitstore.Meta{Message: "begin\n"}))
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		want := make(map[gitstore.Change]bool)
		from := tip
		for range rapid.IntRange(0, 4).Draw(t, "commits") {
			var writes []gitstore.Write
			for _, path := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a/b/c.yml", "a/b/d.yml", "a/b-c.yml", "a/b/e/f.yml", "z/y/x.yml", "top.md"}), 1, 4, rapid.ID).Draw(t, "paths") {
				n++
				w := gitstore.Write{Path: path, Data: fmt.Appendf(nil, "content %d\n", n%7)}
				if rapid.Bool().Draw(t, "remove") {
					w.Data = nil
				}
				writes = append(writes, w)
			}
			next, err := store.Apply(t.Context(), tip, writes, gitstore.Meta{Message: "change\n"})
			if err != nil {
				t.Fatal(err)
			}
			changes, err := store.Diff(t.Context(), tip, next)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range changes {
				want[gitstore.Change{Path: c.Path, New: c.New}] = true
			}
			tip = next
		}
		list, relation, err := store.Introduced(t.Context(), from, tip)
		got := make(map[gitstore.Change]bool)
		for _, c := range list {
			got[c] = true
		}
		if diff := cmp.Diff(want, got); diff != "" || err != nil || relation != gitstore.Ahead {
			t.Fatalf("relation %v, %v (-git +engram):\n%s", relation, err, diff)
		}
	})
}
