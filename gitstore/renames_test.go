package gitstore_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCodeMoves: what became of each file, between commits and up to what is staged.
func TestCodeMoves(t *testing.T) {
	dir := newRepo(t)
	long := strings.Repeat("a line of a file that is long enough to be known again\n", 20)
	work(t, dir, "same.go", "package same\n")
	work(t, dir, "changed.go", "package changed\n")
	work(t, dir, "gone.go", "package gone\n")
	work(t, dir, "old name.go", long)
	first := work(t, dir, "edited.go", "1\n"+long+long)
	mustDo(t, os.WriteFile(filepath.Join(dir, "changed.go"), []byte("package other\n"), 0o644))
	gitIn(t, dir, "rm", "-q", "gone.go")
	gitIn(t, dir, "mv", "old name.go", "new\tname.go")
	gitIn(t, dir, "mv", "edited.go", "elsewhere.go")
	mustDo(t, os.WriteFile(filepath.Join(dir, "elsewhere.go"), []byte("2\n"+long+long), 0o644))
	mustDo(t, os.WriteFile(filepath.Join(dir, "new.go"), []byte("package fresh\n\nfunc f() {}\n"), 0o644))
	gitIn(t, dir, "add", "-A")
	want := map[string]string{"changed.go": "changed.go", "gone.go": "", "old name.go": "new\tname.go", "edited.go": "elsewhere.go", "": "new.go"}
	s := open(t, dir)
	check := func(name, to string) {
		t.Helper()
		moves, more, err := s.CodeMoves(t.Context(), first, to)
		if err != nil || more != 0 {
			t.Fatalf("%s: %d more, %v", name, more, err)
		}
		got := make(map[string]string)
		for _, m := range moves {
			if got[m.From] = m.Path; (m.Blob == "") != (m.Path == "") || (m.Old == "") != (m.From == "") {
				t.Errorf("%s: %+v", name, m)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	check("staged", "")
	gitIn(t, dir, "commit", "-q", "-m", "moved")
	check("committed", gitIn(t, dir, "rev-parse", "HEAD"))
	if moves, _, err := s.CodeMoves(t.Context(), first, first); err != nil || len(moves) > 0 {
		t.Errorf("between a commit and itself: %+v, %v", moves, err)
	}
	for _, bad := range []string{"--output=x", "HEAD:a b\n"} {
		if _, _, err := s.CodeMoves(t.Context(), bad, ""); err == nil {
			t.Errorf("from %q", bad)
		}
	}
	if paths := s.EarlierPaths(t.Context(), "HEAD", "elsewhere.go"); !slices.Equal(paths, []string{"edited.go"}) {
		t.Errorf("earlier it was %q", paths)
	}
	if paths := s.EarlierPaths(t.Context(), "HEAD", "same.go"); len(paths) > 0 {
		t.Errorf("it was never renamed, and was %q", paths)
	}
}

// TestWorkChanges: what is not as it is staged, and what git does not know.
func TestWorkChanges(t *testing.T) {
	dir := newRepo(t)
	work(t, dir, "a.go", "1")
	work(t, dir, "b.go", "1")
	work(t, dir, ".gitignore", "*.out\n")
	s := open(t, dir)
	if paths, _, err := s.WorkChanges(t.Context()); err != nil || len(paths) > 0 {
		t.Errorf("nothing is changed: %q, %v", paths, err)
	}
	stamp := s.CodeStamp("HEAD")
	for name, text := range map[string]string{"a.go": "changed", "new file.go": "1", "x.out": "1"} {
		mustDo(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	mustDo(t, os.Remove(filepath.Join(dir, "b.go")))
	paths, _, err := s.WorkChanges(t.Context())
	if slices.Sort(paths); err != nil || !slices.Equal(paths, []string{"a.go", "new file.go"}) {
		t.Errorf("%q, %v", paths, err)
	}
	gitIn(t, dir, "add", "-A")
	if s.CodeStamp("HEAD") == stamp {
		t.Error("the stamp is the same after something was staged")
	}
	bare := filepath.Join(t.TempDir(), "bare")
	gitIn(t, dir, "clone", "-q", "--bare", dir, bare)
	if paths, _, err := open(t, bare).WorkChanges(t.Context()); err != nil || len(paths) > 0 {
		t.Errorf("in a bare clone: %q, %v", paths, err)
	}
}

// TestSparselyLeftOut tells what is left out of a work tree from what was deleted.
func TestSparselyLeftOut(t *testing.T) {
	dir := newRepo(t)
	for _, name := range []string{"in/a.go", "out/a.go"} {
		mustDo(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		work(t, dir, name, "1")
	}
	s := open(t, dir)
	left := func(path string, want bool) {
		t.Helper()
		if got, err := s.SparselyLeftOut(t.Context(), path); err != nil || got != want {
			t.Errorf("%s is left out: %v, %v", path, got, err)
		}
	}
	left("out/a.go", false)
	gitIn(t, dir, "sparse-checkout", "set", "in")
	left("out/a.go", true)
	left("in/a.go", false)
	left("no/such.go", false)
	if _, err := os.Stat(filepath.Join(dir, "out", "a.go")); err == nil {
		t.Error("it is there")
	}
}
