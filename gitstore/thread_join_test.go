package gitstore_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/gitstore"
)

// TestJoinThreads: what two clones added is all there, in the same tree on both sides,
// whoever joins what first.
func TestJoinThreads(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	ref := func(name string) string { return gitstore.ThreadPrefix + name }
	base := extend(t, store, ref("base"), map[string]string{"session.json": "{}"})
	sides := map[string]string{}
	for i, name := range []string{"a", "b", "c"} {
		if name != "c" { // c began by itself
			got, err := store.JoinThreads(t.Context(), ref(name), base)
			if err != nil || got != base {
				t.Fatal(got, err)
			}
		}
		sides[name] = extend(t, store, ref(name), map[string]string{
			"session.json":                         "{}",
			"0000/00-01JX/events.jsonl":            "of " + name,
			fmt.Sprintf("0000/0%d-x/artifacts", i): name,
		})
	}
	join := func(into, from string) string {
		t.Helper()
		commit, err := store.JoinThreads(t.Context(), ref(into), from)
		mustDo(t, err)
		return commit
	}
	ab := join("a", sides["b"])
	if again := join("a", sides["b"]); again != ab {
		t.Error("joined twice")
	}
	abc := join("a", sides["c"])
	if got := join("b", abc); got != abc {
		t.Error("did not move forward")
	}
	cb := join("c", sides["b"])
	cba := join("c", sides["a"])
	if cb == cba {
		t.Error("nothing joined")
	}
	got := threadContents(t, store, abc)
	if diff := cmp.Diff(got, threadContents(t, store, cba)); diff != "" {
		t.Errorf("the order of joining shows:\n%s", diff)
	}
	contents := map[string]bool{}
	for _, path := range []string{"0000/00-01JX/events.jsonl", "0000/00-01JX-2/events.jsonl", "0000/00-01JX-3/events.jsonl"} {
		contents[got[path]] = true
	}
	if len(contents) != 3 || len(got) != 7 {
		t.Errorf("got %v", got)
	}
	both := join("c", abc)
	if diff := cmp.Diff(got, threadContents(t, store, both)); diff != "" {
		t.Errorf("joining two that are joined changes something:\n%s", diff)
	}
	fsck(t, dir)
}
