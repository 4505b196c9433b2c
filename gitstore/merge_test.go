package gitstore_test

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
	"engram/gitstore"
	"engram/internal/gittest"
)

// greater lets the greater bytes win, and moves files to a folder of their own.
type greater struct{ calls map[string]bool }

func (g greater) Join(_ context.Context, c gitstore.Contest) ([]gitstore.Write, error) {
	if g.calls != nil {
		g.calls[fmt.Sprintf("%s: %s|%s|%s", c.Path, c.Base, min(string(c.Ours), string(c.Theirs)), max(string(c.Ours), string(c.Theirs)))] = true
	}
	return []gitstore.Write{{Path: c.Path, Data: []byte(max(string(c.Ours), string(c.Theirs)))}}, nil
}

func (greater) Move(_ context.Context, path string, data []byte) (gitstore.Write, error) {
	return gitstore.Write{Path: "moved/" + strings.ReplaceAll(path, "/", "_") + fmt.Sprintf("-%.3x", sha1.Sum([]byte(path))), Data: data}, nil
}

// commitTree makes a commit of files in the notation of gittest.Commit, without
// the rules that engram has for its own.
func commitTree(t testing.TB, dir string, files map[string]string, parents ...string) string {
	t.Helper()
	return gittest.Commit(t, dir, files, parents...)
}

// treeText is a tree in the notation of commitTree.
func treeText(t testing.TB, dir, revision string) map[string]string {
	t.Helper()
	files := map[string]string{}
	var paths, blobs []string
	for line := range strings.SplitSeq(gitIn(t, dir, "ls-tree", "-r", "-z", revision), "\x00") {
		meta, path, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		fields := strings.Fields(meta)
		if fields[0] == "160000" {
			files[path] = "s:"
			continue
		}
		files[path] = map[string]string{"100644": "", "100755": "x:", "120000": "l:"}[fields[0]]
		paths, blobs = append(paths, path), append(blobs, fields[2])
	}
	cmd := exec.Command("git", "cat-file", "--batch")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(strings.Join(blobs, "\n")+"\n")
	rest := string(must(cmd.Output()))
	for i, path := range paths {
		header, content, _ := strings.Cut(rest, "\n")
		size, err := strconv.Atoi(header[strings.LastIndexByte(header, ' ')+1:])
		if !strings.HasPrefix(header, blobs[i]+" blob ") || err != nil {
			t.Fatalf("%s: %q", path, header)
		}
		files[path] += content[:size]
		rest = content[size+1:]
	}
	return files
}

// mergeAt makes the branch stand at ours and merges theirs.
func mergeAt(t testing.TB, dir, ours, theirs string, j gitstore.Joiner) (gitstore.MergeResult, error) {
	t.Helper()
	return mergeIn(t, open(t, dir), dir, ours, theirs, j)
}

// mergeIn is mergeAt with a store that is open already.
func mergeIn(t testing.TB, store *gitstore.Store, dir, ours, theirs string, j gitstore.Joiner) (gitstore.MergeResult, error) {
	t.Helper()
	mustDo(t, os.WriteFile(filepath.Join(dir, ".git/refs/heads/engram"), []byte(ours+"\n"), 0o644))
	return store.Merge(t.Context(), theirs, j, func(r gitstore.MergeResult) gitstore.Meta {
		return gitstore.Meta{Message: fmt.Sprintf("merge: %d contested\n", len(r.Contested))}
	})
}

// mergeBoth merges each side into the other, and requires the same tree and
// the same report of both.
func mergeBoth(t testing.TB, dir, ours, theirs string, j gitstore.Joiner) gitstore.MergeResult {
	t.Helper()
	store := open(t, dir)
	var both [2]gitstore.MergeResult
	for i, sides := range [][2]string{{ours, theirs}, {theirs, ours}} {
		var err error
		if both[i], err = mergeIn(t, store, dir, sides[0], sides[1], j); err != nil {
			t.Fatal(err)
		}
	}
	one, other := both[0], both[1]
	said := strings.Fields(gitIn(t, dir, "rev-parse", one.Revision+"^{tree}", other.Revision+"^{tree}", one.Revision+"^1", one.Revision+"^2", other.Revision+"^1", other.Revision+"^2"))
	if said[0] != said[1] {
		t.Errorf("the trees differ:\n%s", cmp.Diff(treeText(t, dir, one.Revision), treeText(t, dir, other.Revision)))
	}
	for i, r := range both {
		if parents := said[2+2*i:][:2]; r.Kind != gitstore.Joined || parents[0] != r.Before {
			t.Errorf("kind %d, parents %s", r.Kind, parents)
		}
	}
	a, b := one, other
	a.Revision, a.Before, b.Revision, b.Before = "", "", "", ""
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("the reports differ:\n%s", diff)
	}
	return one
}

type files = map[string]string

// TestMergeRules: every rule of decide, and what clashes, from both sides.
func TestMergeRules(t *testing.T) {
	big1, big2 := strings.Repeat("1", facts.MaxFile+1), strings.Repeat("2", facts.MaxFile+1)
	for _, test := range []struct {
		name               string
		base, ours, theirs files
		want               files
		result             gitstore.MergeResult
		count              bool // want counts the files only: names hold hashes
	}{
		{name: "one side each", base: files{"a/1": "b", "a/2": "b", "z": "b"}, ours: files{"a/1": "o", "a/2": "b", "z": "b", "n/o": "o"}, theirs: files{"a/1": "b", "a/2": "t", "z": "b", "n/t": "t"}, want: files{"a/1": "o", "a/2": "t", "z": "b", "n/o": "o", "n/t": "t"}},
		{name: "deletion", base: files{"a/1": "b", "a/2": "b"}, ours: files{"a/2": "b"}, theirs: files{"a/1": "b"}, want: files{}},
		{name: "both the same", base: files{"a": "b", "d": "b"}, ours: files{"a": "s", "n": "s", "o": "o"}, theirs: files{"a": "s", "n": "s", "t": "t"}, want: files{"a": "s", "n": "s", "o": "o", "t": "t"}},
		{name: "deleted and changed", base: files{"a": "b", "b": "b"}, ours: files{"b": "o"}, theirs: files{"a": "t"}, want: files{"a": "t", "b": "o"}, result: gitstore.MergeResult{Kept: []string{"a", "b"}}},
		{name: "contested", base: files{"d/a": "b"}, ours: files{"d/a": "o", "d/n": "2"}, theirs: files{"d/a": "t", "d/n": "1"}, want: files{"d/a": "t", "d/n": "2"}, result: gitstore.MergeResult{Contested: []string{"d/a", "d/n"}}},
		{name: "empty file", base: files{"a": "b"}, ours: files{"a": ""}, theirs: files{"a": "t"}, want: files{"a": "t"}, result: gitstore.MergeResult{Contested: []string{"a"}}},
		{name: "bit and content", base: files{"a": "b"}, ours: files{"a": "x:b"}, theirs: files{"a": "t"}, want: files{"a": "x:t"}},
		{name: "bit taken", base: files{"a": "x:b", "o": "x:b"}, ours: files{"a": "b", "o": "x:b"}, theirs: files{"a": "x:t", "o": "b"}, want: files{"a": "t", "o": "b"}},
		{name: "bit without a base", ours: files{"a": "x:s", "b": "1"}, theirs: files{"a": "s", "b": "x:2"}, want: files{"a": "x:s", "b": "x:2"}, result: gitstore.MergeResult{Contested: []string{"b"}}},
		{name: "link and submodule, one side", base: files{"z": "b"}, ours: files{"l": "l:o", "z": "b"}, theirs: files{"s": "s:t", "z": "b"}, want: files{"l": "l:o", "s": "s:", "z": "b"}},
		{name: "link and file", base: files{"a": "b"}, ours: files{"a": "l:o"}, theirs: files{"a": "t"}, want: files{"a": "t"}, result: gitstore.MergeResult{Contested: []string{"a"}}},
		{name: "link and link", base: files{"a": "l:b"}, ours: files{"a": "l:o", "s": "s:1"}, theirs: files{"a": "s:t", "s": "s:2"}, want: files{"a": "l:o", "s": "s:"}, result: gitstore.MergeResult{Contested: []string{"a", "s"}}},
		{name: "too large", base: files{"d/a.yml": "b"}, ours: files{"d/a.yml": big1}, theirs: files{"d/a.yml": big2}, want: files{"": "2"}, count: true, result: gitstore.MergeResult{Contested: []string{"d/a.yml"}}},
		{name: "one too large", base: files{"d/a.yml": big1}, ours: files{"d/a.yml": "o"}, theirs: files{"d/a.yml": "t"}, want: files{"d/a.yml": "t"}, result: gitstore.MergeResult{Contested: []string{"d/a.yml"}}},
		{name: "case of a file", base: files{"d/z": "b"}, ours: files{"d/X": "o", "d/z": "b"}, theirs: files{"d/x": "t", "d/z": "b"}, want: files{"d/X": "o", "d/z": "b", "moved/d_x-" + short("d/x"): "t"}, result: gitstore.MergeResult{Moved: []string{"d/x"}}},
		{name: "case of a folder", base: files{"z": "b"}, ours: files{"D/e/1": "o", "z": "b"}, theirs: files{"d/e/1": "t", "d/e/2": "t", "z": "b"}, want: files{"D/e/1": "o", "z": "b", "moved/d_e_1-" + short("d/e/1"): "t", "moved/d_e_2-" + short("d/e/2"): "t"}, result: gitstore.MergeResult{Moved: []string{"d/e/1", "d/e/2"}}},
		{name: "file and folder", base: files{"z": "b"}, ours: files{"a": "o", "z": "b"}, theirs: files{"a/b": "t", "z": "b"}, want: files{"a": "o", "z": "b", "moved/a_b-" + short("a/b"): "t"}, result: gitstore.MergeResult{Moved: []string{"a/b"}}},
		{name: "file and folder by case", base: files{"z": "b"}, ours: files{"a": "o", "z": "b"}, theirs: files{"A/b": "t", "z": "b"}, want: files{"A/b": "t", "z": "b", "moved/a-" + short("a"): "o"}, result: gitstore.MergeResult{Moved: []string{"a"}}},
		{name: "twins of old", base: files{"d/x": "1", "d/X": "2", "D/q": "3"}, ours: files{"d/x": "1", "d/X": "2", "D/q": "3", "d/o": "o"}, theirs: files{"d/x": "1", "d/X": "4", "D/q": "3", "D/t": "t"}, want: files{"d/x": "1", "d/X": "4", "D/q": "3", "d/o": "o", "D/t": "t"}},
		{name: "twins of one side", base: files{"z": "b"}, ours: files{"z": "b", "o": "o"}, theirs: files{"z": "b", "d/x": "1", "d/X": "2"}, want: files{"z": "b", "o": "o", "d/x": "1", "d/X": "2"}},
		{name: "twins and a third", base: files{"d/kk": "1", "z": "b"}, ours: files{"d/kk": "1", "d/Kk": "o", "z": "b"}, theirs: files{"d/kk": "1", "d/kK": "t", "z": "b"}, want: files{"d/Kk": "o", "z": "b", "moved/d_kk-" + short("d/kk"): "1", "moved/d_kK-" + short("d/kK"): "t"}, result: gitstore.MergeResult{Moved: []string{"d/kK", "d/kk"}}},
		{name: "renamed by case", base: files{"d/x": "b", "z": "b"}, ours: files{"d/X": "b", "z": "b"}, theirs: files{"d/x": "t", "z": "b"}, want: files{"d/X": "b", "z": "b", "moved/d_x-" + short("d/x"): "t"}, result: gitstore.MergeResult{Kept: []string{"d/x"}, Moved: []string{"d/x"}}},
		{name: "link by case", base: files{"z": "b"}, ours: files{"d/X": "l:o", "z": "b"}, theirs: files{"d/x": "s:t", "z": "b"}, want: files{"": "3"}, count: true, result: gitstore.MergeResult{Moved: []string{"d/x"}}},
		{name: "everything gone", base: files{"a": "b"}, ours: files{"a": "b", "o": "o"}, theirs: files{}, want: files{"o": "o"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := newRepo(t)
			base := commitTree(t, dir, test.base)
			ours, theirs := commitTree(t, dir, test.ours, base), commitTree(t, dir, test.theirs, base)
			got := mergeBoth(t, dir, ours, theirs, greater{})
			tree := treeText(t, dir, got.Revision)
			if test.count {
				tree = files{"": fmt.Sprint(len(tree))}
			}
			for path, text := range test.want {
				if strings.HasPrefix(text, "s:") {
					test.want[path] = "s:"
				}
			}
			if diff := cmp.Diff(test.want, tree); diff != "" {
				t.Errorf("tree (-want +got):\n%s", diff)
			}
			got.Revision, got.Before = "", ""
			test.result.Kind = gitstore.Joined
			if diff := cmp.Diff(test.result, got); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
			fsck(t, dir)
			noLitter(t, open(t, dir))
		})
	}
}

func short(path string) string { return fmt.Sprintf("%.3x", sha1.Sum([]byte(path))) }

// TestMergeKinds: what a merge does by what the sides have of each other, and
// what it reports; nothing of the user's changes in any of them.
func TestMergeKinds(t *testing.T) {
	dir := busyRepo(t)
	base := commitTree(t, dir, files{"a": "1"})
	later := commitTree(t, dir, files{"a": "2"}, base)
	side := commitTree(t, dir, files{"a": "1", "b": "1"}, base)
	store := open(t, dir)
	message := func(gitstore.MergeResult) gitstore.Meta { return gitstore.Meta{Message: "merge\n"} }
	for _, step := range []struct {
		theirs string
		kind   gitstore.MergeKind
	}{{base, gitstore.Began}, {base, gitstore.UpToDate}, {later[:10], gitstore.FastForward}, {base, gitstore.UpToDate}, {side, gitstore.Joined}, {side, gitstore.UpToDate}} {
		unchanged(t, dir, func() {
			before, _ := store.Tip(t.Context())
			got, err := store.Merge(t.Context(), step.theirs, greater{}, message)
			if err != nil || got.Kind != step.kind || got.Before != before || got.Revision != must(store.Tip(t.Context())) {
				t.Errorf("merge %s: %+v %v", step.theirs, got, err)
			}
		})
	}
	tip := must(store.Tip(t.Context()))
	for _, wrong := range []string{"", "-x", "nothing", "0123456789012345678901234567890123456789", base + "^{tree}"} {
		if _, err := store.Merge(t.Context(), wrong, greater{}, message); !errors.Is(err, gitstore.ErrNotFound) {
			t.Errorf("merge %q: %v", wrong, err)
		}
	}
	if now := must(store.Tip(t.Context())); now != tip {
		t.Error("the branch moved")
	}
	fsck(t, dir)
}

// TestMergeCheckedOut: no kind of merge moves the branch under a work tree.
func TestMergeCheckedOut(t *testing.T) {
	dir := newRepo(t)
	base := commitTree(t, dir, files{"a": "1"})
	later, side := commitTree(t, dir, files{"a": "2"}, base), commitTree(t, dir, files{"b": "1"}, base)
	gitIn(t, dir, "update-ref", "refs/heads/engram", later)
	gitIn(t, dir, "checkout", "-q", "engram")
	for _, theirs := range []string{side, commitTree(t, dir, files{"a": "3"}, later)} {
		store := open(t, dir)
		if _, err := store.Merge(t.Context(), theirs, greater{}, func(gitstore.MergeResult) gitstore.Meta { return gitstore.Meta{Message: ""} }); !errors.Is(err, gitstore.ErrCheckedOut) {
			t.Errorf("got %v", err)
		}
	}
	if now := gitIn(t, dir, "rev-parse", "engram"); now != later {
		t.Error("the branch moved")
	}
}

// TestMergeUnrelated: two people each began a memory. In a shallow clone that
// is not to be told from a past that was cut off.
func TestMergeUnrelated(t *testing.T) {
	dir := newRepo(t)
	ours, theirs := commitTree(t, dir, files{"a": "1", "o": "o", "s": "s"}), commitTree(t, dir, files{"a": "2", "t": "t", "s": "s"})
	got := mergeBoth(t, dir, ours, theirs, greater{})
	if diff := cmp.Diff(files{"a": "2", "o": "o", "t": "t", "s": "s"}, treeText(t, dir, got.Revision)); diff != "" {
		t.Error(diff)
	}
	base := commitTree(t, dir, files{"a": "1"})
	gitIn(t, dir, "update-ref", "refs/heads/engram", commitTree(t, dir, files{"a": "1", "b": "2"}, base))
	gitIn(t, dir, "update-ref", "refs/heads/theirs", commitTree(t, dir, files{"a": "3"}, base))
	clone := filepath.Join(t.TempDir(), "shallow")
	gitIn(t, dir, "clone", "-q", "--depth=1", "--no-single-branch", "file://"+dir, clone)
	gitIn(t, clone, "branch", "-q", "engram", "origin/engram")
	store := open(t, clone)
	_, err := store.Merge(t.Context(), "origin/theirs", greater{}, func(gitstore.MergeResult) gitstore.Meta { return gitstore.Meta{Message: ""} })
	if !errors.Is(err, gitstore.ErrShallow) || !strings.Contains(err.Error(), "--unshallow") {
		t.Errorf("got %v", err)
	}
	gitIn(t, clone, "config", "user.name", "Ada")
	gitIn(t, clone, "config", "user.email", "ada@example.com")
	gitIn(t, clone, "fetch", "-q", "--unshallow")
	if _, err := store.Merge(t.Context(), "origin/theirs", greater{}, func(gitstore.MergeResult) gitstore.Meta { return gitstore.Meta{Message: ""} }); err != nil {
		t.Error(err)
	}
}

// TestMergeCrossed: where the sides have merged one another crosswise, the past
// is the merge of their common ancestors, however often they did it.
func TestMergeCrossed(t *testing.T) {
	dir := newRepo(t)
	base := commitTree(t, dir, files{"a": "1", "b": "1"})
	one, two := commitTree(t, dir, files{"a": "5", "b": "1"}, base), commitTree(t, dir, files{"a": "7", "b": "3"}, base)
	calls := map[string]bool{}
	for i := range 6 {
		left, err := mergeAt(t, dir, one, two, greater{})
		if err != nil {
			t.Fatal(err)
		}
		right, err := mergeAt(t, dir, two, one, greater{calls})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := gitIn(t, dir, "rev-parse", left.Revision+"^{tree}"), gitIn(t, dir, "rev-parse", right.Revision+"^{tree}"); a != b {
			t.Fatalf("round %d: %v, %v", i, treeText(t, dir, left.Revision), treeText(t, dir, right.Revision))
		}
		edited := treeText(t, dir, left.Revision)
		edited["a"] = fmt.Sprint(9 - i) // less than before: a wrong past would undo it
		one = commitTree(t, dir, edited, left.Revision)
		edited["a"] = fmt.Sprint(10 + i)
		edited["b"] = fmt.Sprint("b", i)
		two = commitTree(t, dir, edited, right.Revision)
	}
	got := mergeBoth(t, dir, one, two, greater{calls})
	if diff := cmp.Diff(files{"a": "4", "b": "b5"}, treeText(t, dir, got.Revision)); diff != "" {
		t.Error(diff)
	}
	if !calls["a: 5|15|4"] {
		t.Errorf("joined %v", slices.Sorted(maps.Keys(calls)))
	}
	fsck(t, dir)
}
