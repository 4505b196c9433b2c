package memory_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"engram/internal/gittest"
	"engram/memory"
)

// roleVariable makes the test binary play one process of a test instead of
// running the tests.
const roleVariable = "ENGRAM_TEST_ROLE"

var roles = map[string]func(args []string) error{"committer": runCommitter}

// TestMain shuts out the configuration of whoever runs the tests.
func TestMain(m *testing.M) {
	if role, ok := roles[os.Getenv(roleVariable)]; ok {
		if err := role(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if cache, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" { // benchmarks build engram
		os.Setenv("GOCACHE", filepath.Join(cache, "go-build"))
	}
	remove := gittest.Isolate()
	code := m.Run()
	remove()
	os.Exit(code)
}

// marker is what the tests' scanner takes for a secret.
const marker = "S3CRET"

type markerScanner struct{}

func (markerScanner) Redact(text string) (string, []string) {
	if !strings.Contains(text, marker) {
		return text, nil
	}
	return strings.ReplaceAll(text, marker, "[redacted: marker]"), []string{"marker"}
}

func (markerScanner) Scan(text string) (string, bool) {
	return "marker", strings.Contains(text, marker)
}

// clock is a clock that a test sets and that moves a second a reading.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 4, 30, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Second)
	return c.now
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// numbered makes IDs that count up, across all memories of a test run.
func numbered(time.Time) string {
	return fmt.Sprintf("01ARZ3NDEKTSV4RRFFQ%07d", counter.Add(1))
}

var counter atomic.Int64

// bench is a repository with its memory, ready to be written to.
type bench struct {
	*memory.Memory
	t     testing.TB
	dir   string
	clock *clock
}

func newMemory(t testing.TB) bench {
	t.Helper()
	b := openMemory(t, newRepo(t))
	if _, err := b.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

func openMemory(t testing.TB, dir string) bench {
	t.Helper()
	return openWith(t, dir, nil)
}

func openWith(t testing.TB, dir string, embedder memory.Embedder) bench {
	t.Helper()
	c := newClock()
	m, err := memory.Open(t.Context(), dir, markerScanner{}, &memory.Options{Now: c.Now, NewID: numbered, Embedder: embedder, EvidenceTime: patience(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return bench{m, t, dir, c}
}

// patience is how long evidence is checked in tests: on a busy machine longer than
// anybody would wait. Benchmarks measure what people get.
func patience(t testing.TB) time.Duration {
	if _, measures := t.(*testing.B); measures {
		return 0
	}
	return time.Minute
}

func (b bench) commit(in memory.CommitInput) memory.CommitResult {
	b.t.Helper()
	r, err := b.Commit(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b bench) get(key string) memory.Fact {
	b.t.Helper()
	r, err := b.Get(b.t.Context(), memory.GetInput{Key: key})
	if err != nil {
		b.t.Fatal(err)
	}
	return r.Fact
}

func (b bench) tip() string { return gitIn(b.t, b.dir, "rev-parse", "engram") }

// place puts a file on the branch the way a person with git would.
func (b bench) place(path, content string) {
	b.t.Helper()
	tree := filepath.Join(b.t.TempDir(), "tree")
	gitIn(b.t, b.dir, "worktree", "add", "-q", tree, "engram")
	defer gitIn(b.t, b.dir, "worktree", "remove", "--force", tree)
	file := filepath.Join(tree, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
	gitIn(b.t, tree, "add", "-A")
	gitIn(b.t, tree, "commit", "-q", "-m", "by hand")
}

// newRepo is a repository with one commit on main and an identity.
func newRepo(t testing.TB) string {
	t.Helper()
	return gittest.New(t)
}

func configure(t testing.TB, dir string) {
	t.Helper()
	gitIn(t, dir, "config", "user.name", "Ada")
	gitIn(t, dir, "config", "user.email", "ada@example.com")
}

func gitIn(t testing.TB, dir string, args ...string) string {
	t.Helper()
	return gitInput(t, dir, "", args...)
}

func gitInput(t testing.TB, dir, input string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// edit replaces a text in a file.
func edit(t testing.TB, file, old, new string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, []byte(strings.ReplaceAll(string(b), old, new)), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// classified is memory.Classify with the hint as the command line shows it.
func classified(err error) (memory.Code, string) {
	code, advice := memory.Classify(err)
	return code, advice.String()
}
