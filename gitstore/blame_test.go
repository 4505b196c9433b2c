package gitstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/gitstore"
)

// TestBlame: lines are followed through moves and indentation, and those of the work tree
// that no commit has are told.
func TestBlame(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	commit := func(files map[string]string) string {
		t.Helper()
		for name, text := range files {
			mustDo(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		gitIn(t, dir, "add", "-A")
		gitIn(t, dir, "commit", "-q", "-m", "change")
		return gitIn(t, dir, "rev-parse", "HEAD")
	}
	moved := "the first line of a longer function, which will move\nthe second line of it, just as long as the first\nand a third one, so that git takes it for moved\n"
	first := commit(map[string]string{"a file.go": "one\n" + moved + "two\n", "other.go": "package other\n"})
	second := commit(map[string]string{"a file.go": "one\n  two\n", "other.go": "package other\n" + moved})
	// named checks what the lines say of their commit, and takes it out.
	named := func(lines []gitstore.BlameLine) []gitstore.BlameLine {
		for i, l := range lines {
			if committed := l.Commit != ""; (l.Subject == "change") != committed || l.Date.IsZero() == committed || (l.Author == "") == committed {
				t.Errorf("%+v", l)
			}
			lines[i].Author, lines[i].Date, lines[i].Subject = "", time.Time{}, ""
		}
		return lines
	}
	got, err := store.Blame(t.Context(), time.Time{}, "", "other.go", 1, 3)
	want := []gitstore.BlameLine{
		{Commit: first, Path: "other.go", OrigLine: 1, FinalLine: 1, Text: "package other"},
		{Commit: first, Path: "a file.go", OrigLine: 2, FinalLine: 2, Text: strings.Split(moved, "\n")[0]},
		{Commit: first, Path: "a file.go", OrigLine: 3, FinalLine: 3, Text: strings.Split(moved, "\n")[1]},
	}
	if diff := cmp.Diff(want, named(got)); err != nil || diff != "" {
		t.Error(err, diff)
	}
	got, err = store.Blame(t.Context(), time.Now().Add(time.Hour), second, "a file.go", 1, 1)
	want = []gitstore.BlameLine{{Commit: second, Path: "a file.go", OrigLine: 1, FinalLine: 1, Text: "one", Older: true}}
	if diff := cmp.Diff(want, named(got)); err != nil || diff != "" {
		t.Error(err, diff)
	}
	mustDo(t, os.WriteFile(filepath.Join(dir, "a file.go"), []byte("new\none\n  two\n"), 0o644))
	got, err = store.Blame(t.Context(), time.Time{}, "", "a file.go", 1, 3)
	want = []gitstore.BlameLine{
		{Path: "a file.go", OrigLine: 1, FinalLine: 1, Text: "new"},
		{Commit: first, Path: "a file.go", OrigLine: 1, FinalLine: 2, Text: "one"},
		{Commit: first, Path: "a file.go", OrigLine: 5, FinalLine: 3, Text: "  two"},
	}
	if diff := cmp.Diff(want, named(got)); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if got, err := store.Blame(t.Context(), time.Time{}, second, "a file.go", 2, 2); err != nil || len(got) != 1 || got[0].FinalLine != 2 {
		t.Error(got, err)
	}
	for _, missing := range []func() ([]gitstore.BlameLine, error){
		func() ([]gitstore.BlameLine, error) {
			return store.Blame(t.Context(), time.Time{}, "", "none.go", 1, 1)
		},
		func() ([]gitstore.BlameLine, error) {
			return store.Blame(t.Context(), time.Time{}, second, "none.go", 1, 1)
		},
		func() ([]gitstore.BlameLine, error) {
			return store.Blame(t.Context(), time.Time{}, second, "other.go", 100, 100)
		},
		func() ([]gitstore.BlameLine, error) {
			return store.Blame(t.Context(), time.Time{}, strings.Repeat("1", 40), "other.go", 1, 1)
		},
	} {
		if got, err := missing(); !errors.Is(err, gitstore.ErrNotFound) {
			t.Error(got, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := store.Blame(ended, time.Time{}, "", "other.go", 1, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestBlameIsFast measures blame of a line in a history of 50,000 commits.
func TestBlameIsFast(t *testing.T) {
	if !full {
		t.Skip("makes a large repository; ENGRAM_TEST_FULL=1 runs it")
	}
	dir := newRepo(t)
	var stream strings.Builder
	const commits, files, lines, runs = 50_000, 500, 60, 5
	texts := make([][]string, files)
	for i := range texts {
		for line := range lines {
			texts[i] = append(texts[i], fmt.Sprintf("line %d of file %d as it was first", line, i))
		}
	}
	for i := range commits {
		f := i % files
		texts[f][i*7919%lines] = fmt.Sprintf("written by commit %d", i)
		body := strings.Join(texts[f], "\n") + "\n"
		fmt.Fprintf(&stream, "commit refs/heads/big\ncommitter A <a@b.c> %d +0000\ndata 2\nm\nM 100644 inline pkg/dir%d/file%d.go\ndata %d\n%s\n", 1_600_000_000+i, f%20, f, len(body), body)
	}
	gitInput(t, dir, stream.String(), "fast-import", "--quiet")
	stream.Reset()
	gitIn(t, dir, "checkout", "-q", "big")
	store := open(t, dir)
	measure := func(state string, since time.Time) {
		var took []time.Duration
		for i := range runs {
			f := i * 31 % files
			begun := time.Now()
			found, err := store.Blame(t.Context(), since, "", fmt.Sprintf("pkg/dir%d/file%d.go", f%20, f), 1+i*7, 1+i*7)
			took = append(took, time.Since(begun))
			if err != nil || len(found) != 1 {
				t.Fatal(found, err)
			}
		}
		slices.Sort(took)
		t.Logf("%s: median %s, slowest %s", state, took[runs/2], took[runs-1])
	}
	measure("all of it", time.Time{})
	measure("the last 5,000", time.Unix(1_600_000_000+commits-5000, 0))
	gitIn(t, dir, "commit-graph", "write", "--reachable")
	measure("all, with a commit-graph as git gc writes it", time.Time{})
	measure("the last 5,000, with it", time.Unix(1_600_000_000+commits-5000, 0))
}
