package gitstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/gitstore"
)

// joinFunc joins by a function, and moves every file to one place.
type joinFunc func(gitstore.Contest) ([]gitstore.Write, error)

func (f joinFunc) Join(_ context.Context, c gitstore.Contest) ([]gitstore.Write, error) { return f(c) }

func (f joinFunc) Move(context.Context, string, []byte) (gitstore.Write, error) {
	return gitstore.Write{Path: "moved", Data: []byte("moved")}, nil
}

// TestJoinElsewhere: what gives way gets a path of its own; where something
// stands there it is contested in its turn, without a base.
func TestJoinElsewhere(t *testing.T) {
	both := joinFunc(func(c gitstore.Contest) ([]gitstore.Write, error) {
		if c.Path == "lost/x" {
			if c.Base != nil {
				return nil, errors.New("a base for what has none")
			}
			lines := slices.Sorted(maps.Keys(map[string]bool{string(c.Ours): true, string(c.Theirs): true}))
			return []gitstore.Write{{Path: c.Path, Data: []byte(strings.Join(lines, "+"))}}, nil
		}
		win, lose := string(c.Ours), string(c.Theirs)
		if win < lose {
			win, lose = lose, win
		}
		return []gitstore.Write{{Path: c.Path, Data: []byte(win)}, {Path: "lost/x", Data: []byte(lose)}}, nil
	})
	for _, test := range []struct {
		name               string
		base, ours, theirs files
		want               files
	}{
		{"free", files{"a": "0"}, files{"a": "1"}, files{"a": "2"}, files{"a": "2", "lost/x": "1"}},
		{"the same there", files{"a": "0", "lost/x": "1"}, files{"a": "1", "lost/x": "1"}, files{"a": "2", "lost/x": "1"}, files{"a": "2", "lost/x": "1"}},
		{"another there", files{"a": "0", "lost/x": "z"}, files{"a": "1", "lost/x": "z"}, files{"a": "2", "lost/x": "z"}, files{"a": "2", "lost/x": "1+z"}},
		{"one side has one", files{"a": "0"}, files{"a": "1", "lost/x": "z"}, files{"a": "2"}, files{"a": "2", "lost/x": "1+z"}},
		{"three at once", files{"a": "0", "b": "0", "c": "0"}, files{"a": "1", "b": "2", "c": "3"}, files{"a": "4", "b": "5", "c": "6"}, files{"a": "4", "b": "5", "c": "6", "lost/x": "1+2+3"}},
		{"beside a twin", files{"a": "0", "lost/X": "z"}, files{"a": "1", "lost/X": "z"}, files{"a": "2", "lost/X": "z"}, files{"a": "2", "lost/X": "z", "moved": "moved"}},
		{"below a file", files{"a": "0", "lost": "z"}, files{"a": "1", "lost": "z"}, files{"a": "2", "lost": "z"}, files{"a": "2", "lost": "z", "moved": "moved"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := newRepo(t)
			base := commitTree(t, dir, test.base)
			got := mergeBoth(t, dir, commitTree(t, dir, test.ours, base), commitTree(t, dir, test.theirs, base), both)
			if diff := cmp.Diff(test.want, treeText(t, dir, got.Revision)); diff != "" {
				t.Error(diff)
			}
			fsck(t, dir)
		})
	}
}

// TestJoinerMisbehaves: errors and paths that are none end the merge with the
// branch as it was; answers that always clash do not keep it from ending.
func TestJoinerMisbehaves(t *testing.T) {
	dir := newRepo(t)
	base := commitTree(t, dir, files{"a": "0", "z": "0"})
	ours, theirs := commitTree(t, dir, files{"a": "1", "z": "0", "d/x": "1"}, base), commitTree(t, dir, files{"a": "2", "z": "0", "d/X": "2"}, base)
	for name, join := range map[string]joinFunc{
		"error":       func(gitstore.Contest) ([]gitstore.Write, error) { return nil, errors.New("no") },
		"bad path":    func(gitstore.Contest) ([]gitstore.Write, error) { return writes(files{"../x": "1"}), nil },
		"other's end": func(gitstore.Contest) ([]gitstore.Write, error) { return []gitstore.Write{{Path: "z"}}, nil },
	} {
		if _, err := mergeAt(t, dir, ours, theirs, join); err == nil || gitIn(t, dir, "rev-parse", "engram") != ours {
			t.Errorf("%s: %v", name, err)
		}
	}
	got := mergeBoth(t, dir, ours, theirs, joinFunc(func(c gitstore.Contest) ([]gitstore.Write, error) {
		return []gitstore.Write{{Path: "a", Data: []byte("a")}, {Path: "Z", Data: append([]byte("more"), max(string(c.Ours), string(c.Theirs))...)}, {Path: "A", Data: append([]byte("again"), c.Path...)}}, nil
	}))
	if tree := treeText(t, dir, got.Revision); tree["A"] != "againa" || tree["Z"] != "more2" || clashes(tree) {
		t.Error(tree)
	}
	got = mergeBoth(t, dir, ours, theirs, joinFunc(func(c gitstore.Contest) ([]gitstore.Write, error) { return nil, nil }))
	if diff := cmp.Diff(files{"d/X": "2", "z": "0", "moved": "moved"}, treeText(t, dir, got.Revision)); diff != "" {
		t.Error(diff)
	}
	fsck(t, dir)
}

// TestMergeHostile: names that a checkout could be attacked with do not come in.
func TestMergeHostile(t *testing.T) {
	dir := newRepo(t)
	base := commitTree(t, dir, files{"a": "0"})
	blob := gitInput(t, dir, "evil", "hash-object", "-w", "--stdin")
	evil := gitInput(t, dir, "100644 blob "+blob+"\tconfig\n", "mktree")
	tree := gitInput(t, dir, "040000 tree "+evil+"\t.GIT\n100644 blob "+blob+"\tb\n100644 blob "+blob+"\tgit~1\n", "mktree")
	theirs := gitIn(t, dir, "commit-tree", tree, "-p", base, "-m", "evil")
	got := mergeBoth(t, dir, commitTree(t, dir, files{"a": "0", "o": "o"}, base), theirs, greater{})
	if diff := cmp.Diff(files{"b": "evil", "o": "o"}, treeText(t, dir, got.Revision)); diff != "" || !slices.Equal(got.Refused, []string{".GIT/config", "git~1"}) {
		t.Errorf("%v %s", got.Refused, diff)
	}
}

// TestMergeMissing: a contested file whose object is lost does not stop the merge.
func TestMergeMissing(t *testing.T) {
	dir := newRepo(t)
	base := commitTree(t, dir, files{"d/a.yml": "0"})
	ours, theirs := commitTree(t, dir, files{"d/a.yml": "1", "o": "o"}, base), commitTree(t, dir, files{"d/a.yml": "2"}, base)
	blob := gitIn(t, dir, "rev-parse", theirs+":d/a.yml")
	mustDo(t, os.Remove(filepath.Join(dir, ".git/objects", blob[:2], blob[2:])))
	got := mergeBoth(t, dir, ours, theirs, greater{})
	names := strings.Split(gitIn(t, dir, "ls-tree", "-r", "--name-only", got.Revision), "\n")
	if !slices.Equal(names, []string{"d/a-" + blob[:12] + ".yml", "d/a.yml", "o"}) && gitIn(t, dir, "rev-parse", got.Revision+":d/a.yml") != blob {
		t.Error(names)
	}
}

// TestMergeManyCrossings: a past deeper than maxPasts does not stop it either.
func TestMergeManyCrossings(t *testing.T) {
	dir := newRepo(t)
	base := commitTree(t, dir, files{"a": "0"})
	one, two := commitTree(t, dir, files{"a": "1"}, base), commitTree(t, dir, files{"a": "2"}, base)
	for range 100 { // in history only: the trees do not matter
		left, right := commitTree(t, dir, files{"a": "0"}, one, two), commitTree(t, dir, files{"a": "0"}, two, one)
		one, two = left, right
	}
	start := time.Now()
	mergeBoth(t, dir, commitTree(t, dir, files{"a": "3"}, one), commitTree(t, dir, files{"a": "4"}, two), greater{})
	t.Logf("both took %s", time.Since(start).Round(time.Millisecond))
}

// TestMergeLostRace: a git that knows no lock of engram's comes in between, and
// the merge is made again with what it wrote.
func TestMergeLostRace(t *testing.T) {
	dir := newRepo(t)
	base := commitTree(t, dir, files{"a": "0"})
	ours, theirs := commitTree(t, dir, files{"a": "1"}, base), commitTree(t, dir, files{"a": "2"}, base)
	calls := 0
	got, err := mergeAt(t, dir, ours, theirs, joinFunc(func(c gitstore.Contest) ([]gitstore.Write, error) {
		if calls++; calls == 1 {
			gitIn(t, dir, "update-ref", "refs/heads/engram", commitTree(t, dir, files{"a": "3", "s": "s"}, ours), ours)
		}
		return greater{}.Join(t.Context(), c)
	}))
	if err != nil || calls != 2 {
		t.Fatalf("%d calls, %v", calls, err)
	}
	if diff := cmp.Diff(files{"a": "3", "s": "s"}, treeText(t, dir, got.Revision)); diff != "" {
		t.Error(diff)
	}
}

// runMerger: REPOSITORY REVISION… merges each and prints what the branch is then.
func runMerger(args []string) error {
	store, err := gitstore.Open(context.Background(), args[0], nil)
	if err != nil {
		return err
	}
	defer store.Close()
	for _, revision := range args[1:] {
		got, err := store.Merge(context.Background(), revision, greater{}, func(gitstore.MergeResult) gitstore.Meta { return gitstore.Meta{Message: "merge\n"} })
		if err != nil {
			return fmt.Errorf("%s: %w", revision, err)
		}
		fmt.Println(got.Revision, revision)
	}
	return nil
}

// TestMergersAtOnce: processes merge while others write; nothing is lost.
func TestMergersAtOnce(t *testing.T) {
	dir := newRepo(t)
	base := commitTree(t, dir, files{"engram.yml": "1"})
	gitIn(t, dir, "update-ref", "refs/heads/engram", base)
	var wg sync.WaitGroup
	outs := make([]bytes.Buffer, 3)
	var all []string
	for p := range outs {
		args := []string{dir}
		for i := range 6 {
			args = append(args, commitTree(t, dir, files{"engram.yml": "1", fmt.Sprintf("m/%d-%d", p, i): "m", "m/shared": fmt.Sprint(p, i)}, base))
		}
		all = append(all, args[1:]...)
		cmd := startRole(t, "merger", args...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &outs[p], &stderr
		wg.Go(func() {
			if err := cmd.Run(); err != nil {
				t.Errorf("process %d: %v: %s", p, err, stderr.String())
			}
		})
	}
	acknowledged := runUpdaters(t, dir, 2, 10, "")
	wg.Wait()
	for i := range outs {
		for line := range strings.Lines(outs[i].String()) {
			revision, _, _ := strings.Cut(line, " ")
			all = append(all, revision)
		}
	}
	checkReachableOnce := map[string]bool{}
	for _, revision := range append(all, acknowledged...) {
		revision, _, _ = strings.Cut(revision, " ")
		if !checkReachableOnce[revision] {
			checkReachableOnce[revision] = true
			if out, err := exec.Command("git", "-C", dir, "merge-base", "--is-ancestor", revision, "engram").CombinedOutput(); err != nil {
				t.Errorf("lost %s: %s", revision, out)
			}
		}
	}
	if got := treeText(t, dir, "engram"); len(got) != 1+3*6+1+2*10 || got["m/shared"] != "2 5" {
		t.Errorf("%d files, shared %q", len(got), got["m/shared"])
	}
	fsck(t, dir)
	noLitter(t, open(t, dir))
}

// TestMergeConverges: three clones edit and merge; whatever the order, those
// that have seen the same commits hold the same files.
func TestMergeConverges(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	paths := []string{"a/1", "a/2", "a/b/3", "c/4", "c/5", "d"}
	checks := 0
	rapid.Check(t, func(r *rapid.T) {
		if checks++; checks > 12 && !full {
			return // some 60 gits a check
		}
		edit := func(from files, who string) files {
			next := maps.Clone(from)
			for range rapid.IntRange(0, 4).Draw(r, "edits "+who) {
				path := rapid.SampledFrom(paths).Draw(r, "path")
				if rapid.IntRange(0, 3).Draw(r, "remove") == 0 {
					delete(next, path)
				} else {
					next[path] = rapid.SampledFrom([]string{"1", "2", "3", "4", "x:2"}).Draw(r, "text")
				}
			}
			next["keep"] = "k"
			return next
		}
		merge := func(ours, theirs string) string {
			got, err := mergeIn(t, store, dir, ours, theirs, greater{})
			if err != nil {
				r.Fatal(err)
			}
			return got.Revision
		}
		base := edit(files{"a/1": "0", "c/4": "0", "d": "0"}, "base")
		root := commitTree(t, dir, base)
		var tips [3]string
		for i := range tips {
			tips[i] = commitTree(t, dir, edit(base, fmt.Sprint(i)), root)
		}
		var merged []string
		for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			merged = append(merged, merge(merge(tips[order[0]], tips[order[1]]), tips[order[2]])+"^{tree}")
		}
		// Crosswise: each merges a neighbour first, then what the others made.
		left, right := merge(tips[0], tips[1]), merge(tips[1], tips[2])
		merged = append(merged, merge(left, right)+"^{tree}", merge(right, left)+"^{tree}")
		trees := strings.Fields(gitIn(t, dir, append([]string{"rev-parse"}, merged...)...))
		if slices.Sort(trees); trees[0] != trees[len(trees)-1] {
			r.Errorf("different trees: %v", slices.Compact(trees))
		}
	})
	fsck(t, dir)
}

// TestMergeClashes: names that meet by case, and files that are folders, end up
// the same from both sides, and nothing clashes that did not before.
func TestMergeClashes(t *testing.T) {
	dir := newRepo(t)
	checks := 0
	rapid.Check(t, func(r *rapid.T) {
		if checks++; checks > 25 && !full {
			return // some 20 gits a check
		}
		segment := rapid.SampledFrom([]string{"a", "A", "b", "B.yml", "b.yml", "K", "k"})
		draw := func(who string) files {
			drawn := files{"keep": "k"}
			for range rapid.IntRange(0, 4).Draw(r, who) {
				path := strings.Join(rapid.SliceOfN(segment, 1, 3).Draw(r, "path"), "/")
				drawn[path] = rapid.SampledFrom([]string{"1", "2", "l:3"}).Draw(r, "text")
				for at := range path { // a tree cannot hold both
					delete(drawn, path[:at])
				}
				for other := range drawn {
					if strings.HasPrefix(other, path+"/") {
						delete(drawn, other)
					}
				}
			}
			return drawn
		}
		base, ours, theirs := draw("base"), draw("ours"), draw("theirs")
		ours["ours"], theirs["theirs"] = "o", "t"
		root := commitTree(t, dir, base)
		got := mergeBoth(t, dir, commitTree(t, dir, ours, root), commitTree(t, dir, theirs, root), greater{})
		tree := treeText(t, dir, got.Revision)
		if t.Failed() {
			r.Fatalf("%v %v %v: %v", base, ours, theirs, tree)
		}
		if !clashes(ours) && !clashes(theirs) && clashes(tree) {
			r.Fatalf("%v %v %v: %v", base, ours, theirs, tree)
		}
	})
	fsck(t, dir)
}
