package gitstore_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
	"engram/gitstore"
)

// byHand puts a tree on the memory branch as any tool could: from lines of
// `git mktree -z`.
func byHand(t *testing.T, dir string, lines ...string) string {
	t.Helper()
	tree := gitInput(t, dir, strings.Join(lines, "\x00")+"\x00", "mktree", "-z", "--missing")
	commit := gitIn(t, dir, "commit-tree", tree, "-m", "by hand")
	gitIn(t, dir, "update-ref", "refs/heads/engram", commit)
	return commit
}

// TestReadOddPaths: whatever the names are, they come through as they are.
func TestReadOddPaths(t *testing.T) {
	dir := newRepo(t)
	want := map[string]string{}
	var lines []string
	names := []string{"a b.yml", "naïve.yml", "日本.yml", "new\nline.yml", `quo"te.yml`, "tab\t.yml", `back\slash.yml`, "*.yml", ":(top)x", "-option", "latin\xe9.yml", "'", "#x"}
	for _, name := range names {
		blob := gitInput(t, dir, "content of "+name, "hash-object", "-w", "--stdin")
		lines = append(lines, "100644 blob "+blob+"\t"+name)
		want["odd folder/"+name], want[name] = "content of "+name, "content of "+name
	}
	folder := gitInput(t, dir, strings.Join(lines, "\x00")+"\x00", "mktree", "-z")
	first := byHand(t, dir, append(lines, "040000 tree "+folder+"\todd folder")...)
	store := open(t, dir)
	if diff := cmp.Diff(want, contents(t, store, first)); diff != "" {
		t.Error(diff)
	}
	tip := write(t, store, map[string]string{"odd folder/fact.yml": "fact"})
	for _, name := range names {
		for _, path := range []string{name, "odd folder/" + name} {
			file, err := store.Get(t.Context(), tip, path)
			if err != nil || string(file.Data) != want[path] {
				t.Errorf("%q: %q %v", path, file.Data, err)
			}
		}
		history, err := store.History(t.Context(), tip, name, 0)
		if err != nil || len(history) != 1 || history[0].Path != name {
			t.Errorf("%q: history %v %v", name, history, err)
		}
	}
	changes, relation, err := store.Introduced(t.Context(), "", tip)
	if err != nil || relation != gitstore.Ahead || len(changes) != len(want)+1 {
		t.Errorf("introduced %d, want %d: %v", len(changes), len(want)+1, err)
	}
}

// TestReadBadEntries: what is no fact is reported for itself and stops nothing.
func TestReadBadEntries(t *testing.T) {
	dir := newRepo(t)
	blob := func(text string) string { return gitInput(t, dir, text, "hash-object", "-w", "--stdin") }
	good, link, large := blob("good"), blob("good.yml"), blob(strings.Repeat("x", facts.MaxFile+1))
	damaged := gitInput(t, dir, strings.Repeat("0123456789abcdef", 3)+fmt.Sprint(manyWrites(1, 30000)), "hash-object", "-w", "--stdin")
	loose := filepath.Join(dir, ".git/objects", damaged[:2], damaged[2:])
	mustDo(t, os.Chmod(loose, 0o644))
	mustDo(t, os.Truncate(loose, 20000))
	folder := gitInput(t, dir, "100644 blob "+good+"\tx.yml\x00", "mktree", "-z")
	revision := byHand(t, dir,
		"100644 blob "+good+"\tgood.yml", "100755 blob "+good+"\texecutable.yml", "120000 blob "+link+"\tlink.yml",
		"160000 commit "+strings.Repeat("1", 40)+"\tmodule", "100644 blob "+large+"\tlarge.yml",
		"100644 blob "+strings.Repeat("2", 40)+"\tmissing.yml", "100644 blob "+damaged+"\tdamaged.yml", "040000 tree "+folder+"\tfolder",
		"100644 blob "+good+"\tz.yml")
	store := open(t, dir)
	want := map[string]error{"link.yml": gitstore.ErrNotFound, "module": gitstore.ErrNotFound, "large.yml": gitstore.ErrTooLarge,
		"missing.yml": gitstore.ErrNotFound, "damaged.yml": gitstore.ErrDamaged}
	var order []string
	for file, err := range store.All(t.Context(), revision, "") {
		if err != nil {
			t.Fatal(err)
		}
		order = append(order, file.Path)
		if !errors.Is(file.Err, want[file.Path]) || file.Err == nil && string(file.Data) != "good" || file.Err != nil && file.Data != nil {
			t.Errorf("%s: %q %v, want %v", file.Path, file.Data, file.Err, want[file.Path])
		}
	}
	if diff := cmp.Diff([]string{"damaged.yml", "executable.yml", "folder/x.yml", "good.yml", "large.yml", "link.yml", "missing.yml", "module", "z.yml"}, order); diff != "" {
		t.Error(diff)
	}
	for path, want := range map[string]error{"good.yml": nil, "folder": gitstore.ErrNotFound, "": gitstore.ErrNotFound, "none": gitstore.ErrNotFound,
		"good.yml/x": gitstore.ErrNotFound, "module": gitstore.ErrNotFound, "large.yml": gitstore.ErrTooLarge, "./good.yml": gitstore.ErrNotFound,
		"../x": gitstore.ErrNotFound, "missing.yml": gitstore.ErrNotFound} {
		if _, err := store.Get(t.Context(), revision, path); !errors.Is(err, want) {
			t.Errorf("get %q: %v, want %v", path, err, want)
		}
	}
	if _, err := store.Get(t.Context(), revision, "damaged.yml"); err == nil || errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("get damaged.yml: %v", err)
	}
	for path, want := range map[string]string{"good.yml": good, "large.yml": large, "folder": "", "none": ""} {
		if got, err := store.BlobAt(t.Context(), revision, path); err != nil || got != want {
			t.Errorf("blob at %q: %q %v", path, got, err)
		}
	}
	// Writing beside all that works and leaves it as it is.
	next := write(t, store, map[string]string{"executable.yml": "good", "new.yml": "new"})
	if diff := cmp.Diff(gitIn(t, dir, "ls-tree", revision), strings.ReplaceAll(gitIn(t, dir, "ls-tree", next), "100644 blob "+gitInput(t, dir, "new", "hash-object", "--stdin")+"\tnew.yml\n", "")); diff != "" {
		t.Error(diff)
	}
}

// TestReadHuge: a file of 100 MB is one file that cannot be read, and costs
// no memory here.
func TestReadHuge(t *testing.T) {
	dir := newRepo(t)
	gitIn(t, dir, "config", "core.compression", "1")
	huge := filepath.Join(t.TempDir(), "huge")
	mustDo(t, os.WriteFile(huge, bytes.Repeat([]byte("0123456789abcde\n"), 100<<20/16), 0o644))
	blob := gitIn(t, dir, "hash-object", "-w", huge)
	good := gitInput(t, dir, "good", "hash-object", "-w", "--stdin")
	revision := byHand(t, dir, "100644 blob "+blob+"\ta.yml", "100644 blob "+good+"\tb.yml")
	store := open(t, dir)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var got []string
	for file, err := range store.All(t.Context(), revision, "") {
		got = append(got, fmt.Sprint(file.Path, " ", errors.Is(file.Err, gitstore.ErrTooLarge), " ", string(file.Data), err))
	}
	if diff := cmp.Diff([]string{"a.yml true <nil>", "b.yml false good<nil>"}, got); diff != "" {
		t.Error(diff)
	}
	if _, err := store.Get(t.Context(), revision, "a.yml"); !errors.Is(err, gitstore.ErrTooLarge) {
		t.Errorf("get: %v", err)
	}
	if _, err := store.Blob(t.Context(), blob); !errors.Is(err, gitstore.ErrTooLarge) {
		t.Errorf("blob: %v", err)
	}
	if file, err := store.Get(t.Context(), revision, "b.yml"); err != nil || string(file.Data) != "good" {
		t.Errorf("get after it: %q %v", file.Data, err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 {
		t.Errorf("%d bytes were allocated", took)
	}
}

// TestReadPart: prefixes, early ends, and nothing left running.
func TestReadPart(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	files := map[string]string{}
	for i := range 3000 {
		files[fmt.Sprintf("domain/c%d/f%d.yml", i%20, i)] = strings.Repeat("x", 1000)
	}
	files["domain.yml"], files["domain/c1.yml"], files["tool/x.yml"] = "x", "x", "x"
	revision := write(t, store, files)
	for prefix, want := range map[string]int{"": 3003, "domain": 3002, "domain/": 3001, "domain/c1": 151 + 10*150, "domain/c1/": 150, "domain/c1/f1.yml": 1, "none": 0, "none/": 0, "/": 0, "*": 0, "tool/x.yml/": 0} {
		list, err := store.Files(t.Context(), revision, prefix)
		if err != nil || len(list) != want {
			t.Errorf("%q: %d files, want %d: %v", prefix, len(list), want, err)
		}
	}
	mustDo(t, store.Close())
	store = open(t, dir)
	running := len(gitChildren(t))
	for range 3 {
		for _, err := range store.All(t.Context(), revision, "") {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		func() {
			defer func() { _ = recover() }()
			for range store.All(t.Context(), revision, "") {
				panic("a caller that panics")
			}
		}()
	}
	if now := len(gitChildren(t)); now != running {
		t.Errorf("%d gits run, %d before", now, running)
	}
	for range store.ReadAll(t.Context(), nil) {
		t.Error("nothing yields something")
	}
}

// TestRevisions: what is no revision is not found, and never an option of git's.
func TestRevisions(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	tip := write(t, store, map[string]string{"x": "1"})
	leak := filepath.Join(t.TempDir(), "leak")
	for _, revision := range []string{"", "-", "--output=" + leak, "--help", ":", ":x", "a\nb", strings.Repeat("3", 40)} {
		if _, err := store.Get(t.Context(), revision, "x"); !errors.Is(err, gitstore.ErrNotFound) {
			t.Errorf("get %q: %v", revision, err)
		}
		if _, err := store.Files(t.Context(), revision, ""); err == nil {
			t.Errorf("files of %q", revision)
		}
		if _, err := store.Diff(t.Context(), revision, tip); err == nil {
			t.Errorf("diff from %q", revision)
		}
		if _, err := store.Diff(t.Context(), tip, revision); err == nil {
			t.Errorf("diff to %q", revision)
		}
		if _, err := store.History(t.Context(), revision, "x", 0); err == nil {
			t.Errorf("history of %q", revision)
		}
		if _, _, err := store.Introduced(t.Context(), "", revision); err == nil {
			t.Errorf("introduced by %q", revision)
		}
		if _, relation, err := store.Introduced(t.Context(), revision, tip); revision != "" && (err != nil || relation != gitstore.Diverged) {
			t.Errorf("introduced since %q: %v %v", revision, relation, err)
		}
	}
	if exists(leak) {
		t.Error("a revision was taken for an option")
	}
}
