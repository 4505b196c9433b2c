package gitstore_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/gitstore"
)

// TestApplyIsAMap: whatever sequence of commits is made, the branch holds what
// a map holds, git reads the same of it and finds it sound, and the diff of
// two revisions is that of two maps.
func TestApplyIsAMap(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	last := ""
	rapid.Check(t, func(r *rapid.T) {
		if last != "" { // each sequence begins a branch of its own
			gitIn(t, dir, "update-ref", "-d", "refs/heads/engram")
		}
		last = ""
		model := map[string]string{}
		for range rapid.IntRange(1, 6).Draw(r, "commits") {
			edits := drawEdits(r)
			want := maps.Clone(model)
			for path, text := range edits {
				if text == "" {
					delete(want, path)
				} else {
					want[path] = text
				}
			}
			next, err := store.Apply(t.Context(), last, writes(edits), gitstore.Meta{Message: "step\n"})
			if clashes(want) {
				if !errors.Is(err, gitstore.ErrClash) {
					r.Fatalf("%v onto %v: %v", edits, model, err)
				}
				continue
			}
			if err != nil {
				r.Fatalf("%v onto %v: %v", edits, model, err)
			}
			if same := maps.Equal(model, want); same != (next == last) {
				r.Fatalf("%v onto %v: went from %q to %q", edits, model, last, next)
			}
			if next == "" {
				continue
			}
			checkDiff(r, t, store, last, next, model, want)
			model, last = want, next
		}
		if last == "" {
			return
		}
		if diff := cmp.Diff(model, contents(t, store, last)); diff != "" {
			r.Fatal(diff)
		}
		listing := gitIn(t, dir, "-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", last)
		if want := slices.Sorted(maps.Keys(model)); strings.Join(want, "\n") != listing {
			r.Fatalf("git lists %q, want %q", listing, want)
		}
	})
	fsck(t, dir)
}

// drawEdits are few paths, so that they meet: names whose order depends on the
// slash of folders, and names that differ by case.
func drawEdits(r *rapid.T) map[string]string {
	segment := rapid.SampledFrom([]string{"a", "a.yml", "a-b", "A", "ab", "b.yml", "é"})
	edits := map[string]string{}
	for range rapid.IntRange(0, 5).Draw(r, "edits") {
		path := strings.Join(rapid.SliceOfN(segment, 1, 3).Draw(r, "path"), "/")
		edits[path] = rapid.SampledFrom([]string{"", "", "1", "2", "3"}).Draw(r, "text")
	}
	if rapid.IntRange(0, 9).Draw(r, "many") == 0 { // enough for a pack, and for the map of names
		for _, name := range "cdefghijklmnopqrstuvwxyz0123456789" {
			edits["many/"+string(name)] = string(name)
		}
	}
	return edits
}

// clashes reports whether among the files is a name that differs
// from another by case alone, or a path that is both a file and a folder.
func clashes(files map[string]string) bool {
	names := map[string]string{} // folded path of every file and folder → as written and its kind
	for path := range files {
		for at := range len(path) + 1 {
			if at < len(path) && path[at] != '/' {
				continue
			}
			kind := "folder "
			if at == len(path) {
				kind = "file "
			}
			folded := strings.ToLower(path[:at])
			if other, known := names[folded]; known && other != kind+path[:at] {
				return true
			}
			names[folded] = kind + path[:at]
		}
	}
	return false
}

func checkDiff(r *rapid.T, t *testing.T, store *gitstore.Store, from, to string, old, new map[string]string) {
	if from == "" {
		return
	}
	changes, err := store.Diff(t.Context(), from, to)
	if err != nil {
		r.Fatal(err)
	}
	got := map[string][2]bool{}
	for _, c := range changes {
		got[c.Path] = [2]bool{c.Old != "", c.New != ""}
	}
	want := map[string][2]bool{}
	for path, text := range new {
		if before, was := old[path]; before != text {
			want[path] = [2]bool{was, true}
		}
	}
	for path := range old {
		if _, is := new[path]; !is {
			want[path] = [2]bool{true, false}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.Fatal(diff)
	}
}
