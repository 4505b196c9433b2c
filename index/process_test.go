package index_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"engram/facts"
	"engram/fixtures"
	"engram/index"
)

// The test binary is its own other process: with childRole set it does not run
// tests but plays a part on the index in childDir.
const (
	childRole = "ENGRAM_TEST_ROLE"
	childDir  = "ENGRAM_TEST_DIR"
	// Every process knows the same memory: this many facts in the first
	// revision, and this many revisions of one more fact each.
	sharedFacts, sharedRevisions = 200, 30
)

func TestMain(m *testing.M) {
	switch role := os.Getenv(childRole); role {
	case "":
		os.Exit(m.Run())
	case "read", "write", "rebuild":
		if err := play(role, os.Getenv(childDir)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// play is what a child process does. Each writer brings the index up revision
// by revision and looks whether the newest fact is found; readers ask for
// revisions at random. A line is printed for every step.
func play(role, dir string) error {
	m := grown(sharedFacts, sharedRevisions)
	x := index.New(dir, m, nil)
	r := rand.New(rand.NewPCG(uint64(os.Getpid()), 1))
	for n := 1; n <= sharedRevisions+1; n++ {
		revision := n
		switch role {
		case "read":
			revision = 1 + r.IntN(sharedRevisions)
		case "rebuild":
			if err := x.Remove(ctx); err != nil {
				return err
			}
		}
		if err := reflects(x, m, revision); err != nil {
			return fmt.Errorf("%s %d: %w", role, revision, err)
		}
		fmt.Println(revision)
	}
	return nil
}

// reflects reports an error unless a view of a revision has its newest fact.
func reflects(x *index.Index, m *memory, revision int) error {
	_, err := x.View(ctx, m.name(revision), func(v *index.View) error {
		for _, data := range m.log[revision] {
			f, err := facts.Parse(data)
			if err != nil {
				return err
			}
			hits, _, err := v.Search(ctx, index.Query{ID: f.ID, Now: fixtures.End(), AsOf: f.ValidFrom, Ephemeral: true})
			if err != nil {
				return err
			}
			if len(hits) != 1 || hits[0].Key != f.Key {
				return fmt.Errorf("%v of revision %d is not found at %s: %v", f.Key, revision, v.Revision(), hits)
			}
		}
		return nil
	})
	return err
}

func child(t *testing.T, role, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childRole+"="+role, childDir+"="+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

// Readers, writers and one that removes the index again and again: every
// process sees every revision that it asks for.
func TestProcesses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	var children []*exec.Cmd
	for _, role := range []string{"write", "read", "write", "read", "rebuild"} {
		cmd := child(t, role, dir)
		must(t, cmd.Start())
		children = append(children, cmd)
	}
	for _, cmd := range children {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %v", cmd.Env[len(cmd.Env)-2:], err)
		}
	}
	m := grown(sharedFacts, sharedRevisions)
	fresh := index.New(filepath.Join(t.TempDir(), "fresh"), m, nil)
	want, got := contents(t, fresh, m.tip()), contents(t, index.New(dir, m, nil), m.tip())
	if len(got.Names) != len(want.Names) || len(got.Names) != sharedFacts+sharedRevisions {
		t.Errorf("%d documents, want %d", len(got.Names), len(want.Names))
	}
}

// A process that is killed at any moment, also in the middle of a batch or a
// build, leaves the others working and every revision reachable.
func TestKilledWriters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	m := grown(sharedFacts, sharedRevisions)
	x := index.New(dir, m, nil)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 12 {
		role := []string{"write", "rebuild"}[i%2]
		cmd := child(t, role, dir)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for range r.IntN(4) {
			lines.Scan()
		}
		time.Sleep(time.Duration(r.IntN(20_000)) * time.Microsecond)
		must(t, cmd.Process.Signal(syscall.SIGKILL))
		_ = cmd.Wait()
		if err := reflects(x, m, 1+r.IntN(sharedRevisions)); err != nil {
			t.Fatalf("after killing %d: %v", i, err)
		}
	}
	fresh := index.New(filepath.Join(t.TempDir(), "fresh"), m, nil)
	want, got := contents(t, fresh, m.tip()), contents(t, x, m.tip())
	if len(want.Names) != len(got.Names) {
		t.Errorf("%d documents, want %d", len(got.Names), len(want.Names))
	}
	stale, _ := filepath.Glob(filepath.Join(dir, "build-*"))
	must(t, x.Remove(ctx))
	_, err := x.CatchUp(ctx, m.tip())
	must(t, err)
	if left, _ := filepath.Glob(filepath.Join(dir, "build-*")); len(left) > 0 {
		t.Errorf("builders that died left %v, and %v is still there after a rebuild", stale, left)
	}
}

// Several goroutines share one Index, cold and warm.
func TestGoroutines(t *testing.T) {
	m := grown(sharedFacts, 30)
	x := index.New(filepath.Join(t.TempDir(), "index"), m, nil)
	var workers sync.WaitGroup
	for g := range 6 {
		workers.Go(func() {
			for n := 1; n <= 31; n++ {
				revision := n
				if g%2 == 1 {
					revision = 32 - n
				}
				if err := reflects(x, m, revision); err != nil {
					t.Errorf("goroutine %d: %v", g, err)
				}
			}
		})
	}
	workers.Wait()
}

// A build by one process is waited for and not done twice.
func TestBuildIsShared(t *testing.T) {
	m := grown(2000, 0)
	dir := filepath.Join(t.TempDir(), "index")
	var mu sync.Mutex
	rebuilt := 0
	var workers sync.WaitGroup
	for range 5 {
		workers.Go(func() {
			report, err := index.New(dir, m, nil).CatchUp(ctx, m.tip())
			if err != nil || report.Revision != m.tip() {
				t.Errorf("%+v, %v", report, err)
			}
			mu.Lock()
			defer mu.Unlock()
			if report.Rebuilt {
				rebuilt++
			}
		})
	}
	workers.Wait()
	if rebuilt != 1 {
		t.Errorf("built %d times", rebuilt)
	}
}

// Where the folder cannot be written, an index is read as it stands, and one
// in memory serves where there is none.
func TestReadOnlyFolder(t *testing.T) {
	if dir := os.Getenv("ENGRAM_TEST_READ_ONLY"); dir != "" {
		readOnly(t, dir)
		return
	}
	m := grown(50, 5)
	base := t.TempDir()
	_, err := index.New(filepath.Join(base, "with"), m, nil).CatchUp(ctx, m.name(2))
	must(t, err)
	must(t, os.MkdirAll(filepath.Join(base, "without"), 0o755))
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestReadOnlyFolder$", "-test.v")
	cmd.Env = append(os.Environ(), "ENGRAM_TEST_READ_ONLY="+base)
	if os.Geteuid() == 0 { // root may write anywhere, so be somebody else
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		binary := filepath.Join(base, "test"+strconv.Itoa(os.Getpid()))
		data, err := os.ReadFile(os.Args[0])
		must(t, err)
		must(t, os.WriteFile(binary, data, 0o755))
		cmd.Path = binary
		for dir := base; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
			must(t, os.Chmod(dir, 0o755))
		}
	}
	must(t, filepath.WalkDir(base, func(path string, d os.DirEntry, err error) error {
		mode := os.FileMode(0o444)
		if d.IsDir() || filepath.Dir(path) == base {
			mode = 0o555
		}
		return os.Chmod(path, mode)
	}))
	t.Cleanup(func() {
		_ = filepath.WalkDir(base, func(path string, d os.DirEntry, err error) error { return os.Chmod(path, 0o755) })
	})
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func readOnly(t *testing.T, base string) {
	m := grown(50, 5)
	q := index.Query{Text: fixtures.Questions(1, 1)[0], Now: fixtures.End()}
	for _, c := range []struct {
		dir, revision, reflects string
		rebuilt                 bool
	}{
		{"with", m.name(2), m.name(2), false},
		{"with", m.tip(), m.name(2), false}, // behind, and says so
		{"without", m.tip(), m.tip(), true},
		{"missing/folder", m.tip(), m.tip(), true},
	} {
		report, err := index.New(filepath.Join(base, c.dir), m, nil).View(ctx, c.revision, func(v *index.View) error {
			if v.Revision() != c.reflects {
				t.Errorf("%s: the view reflects %s, want %s", c.dir, v.Revision(), c.reflects)
			}
			hits, _, err := v.Search(ctx, q)
			if len(hits) == 0 {
				t.Errorf("%s: %q finds nothing", c.dir, q.Text)
			}
			return err
		})
		if err != nil || report.Revision != c.reflects || report.Rebuilt != c.rebuilt {
			t.Errorf("%s: %+v, %v", c.dir, report, err)
		}
	}
}
