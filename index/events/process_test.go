package events_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"engram/index/events"
)

// The test binary is its own other process: with childRole set it does not run tests but
// plays a part on the index in childDir.
const (
	childRole = "ENGRAM_TEST_ROLE"
	childDir  = "ENGRAM_TEST_DIR"
	steps     = 40 // what every process knows of the sessions
)

func TestMain(m *testing.M) {
	role := os.Getenv(childRole)
	if role == "" {
		os.Exit(m.Run())
	}
	if err := play(role, os.Getenv(childDir)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// grown is what there is after some steps, the same in every process. Each step adds
// three events to one of four sessions.
func grown(step int) *memory {
	m := newMemory()
	z := newZipf(5, 200)
	for n := range step {
		for i := range 3 {
			m.add(fmt.Sprintf("s%d", n%4), event(n*3+i, z.text(30)+" step"+strconv.Itoa(n)))
		}
		m.generation = 0 // tips depend on the step alone
	}
	return m
}

// play is what a child process does: a line is printed for every step.
func play(role, dir string) error {
	if role == "embed" {
		return playEmbed(dir)
	}
	for n := 1; n <= steps; n++ {
		step := n
		if role == "read" {
			step = 1 + rand.IntN(steps)
		}
		x := events.New(dir, grown(step), nil)
		if role == "rebuild" {
			if err := x.Remove(ctx); err != nil {
				return err
			}
		}
		if err := found(x, step); err != nil {
			return fmt.Errorf("%s: %w", role, err)
		}
		fmt.Println(n)
	}
	return nil
}

// found reports an error unless a search finds the newest events of a step. Processes
// that are behind move the index back, so that only those at the same step agree on it;
// each must find its own.
func found(x *events.Index, step int) error {
	a, err := x.Search(ctx, events.Query{Text: "step" + strconv.Itoa(step-1), Exact: []string{"step" + strconv.Itoa(step-1)}})
	if err != nil {
		return err
	}
	if !a.Behind && a.Total != 3 {
		return fmt.Errorf("%d events of step %d: %+v", a.Total, step, a)
	}
	return nil
}

func child(t *testing.T, role, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childRole+"="+role, childDir+"="+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

// Readers, writers and one that removes the index, in processes of their own.
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
	sameAnswers(t, newZipf(5, 200), events.New(dir, grown(steps), nil), events.New(filepath.Join(t.TempDir(), "fresh"), grown(steps), nil))
}

// Whenever a process is killed, also in the middle of a batch or a build, the next one
// repairs what it left.
func TestKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 16 {
		cmd := child(t, []string{"write", "rebuild"}[i%2], dir)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for range r.IntN(6) {
			lines.Scan()
		}
		time.Sleep(time.Duration(r.IntN(20_000)) * time.Microsecond)
		must(t, cmd.Process.Signal(syscall.SIGKILL))
		_ = cmd.Wait()
		step := 1 + r.IntN(steps)
		must(t, found(events.New(dir, grown(step), nil), step))
	}
	sameAnswers(t, newZipf(5, 200), events.New(dir, grown(steps), nil), events.New(filepath.Join(t.TempDir(), "fresh"), grown(steps), nil))
}

// Goroutines share one Index while sessions grow.
func TestGoroutines(t *testing.T) {
	m := grown(10)
	x := events.New(filepath.Join(t.TempDir(), "index"), m, nil)
	var workers sync.WaitGroup
	for g := range 6 {
		workers.Go(func() {
			for n := range 20 {
				word := fmt.Sprintf("unique%dx%d", g, n)
				m.add(fmt.Sprintf("g%d", g), event(1000+g*100+n, "a line with "+word))
				a, err := x.Search(ctx, events.Query{Exact: []string{word}})
				if err != nil || a.Total != 1 || a.Behind {
					t.Errorf("%s: %+v, %v", word, a, err)
				}
			}
		})
	}
	workers.Wait()
}

// What is forgotten leaves no byte behind.
func TestForget(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	m := grown(steps)
	m.add("leak", event(500, "the password is hunterquux"))
	x := events.New(dir, m, nil)
	a, err := x.Search(ctx, events.Query{Text: "hunterquux"})
	must(t, err)
	if a.Total != 1 || !contains(t, dir, "leak") {
		t.Fatalf("%+v", a)
	}
	_, err = x.Forget(ctx, "leak")
	must(t, err)
	if contains(t, dir, "leak") { // hits are named in the same files that have the terms
		t.Error("a forgotten session is still in the files")
	}
	m.remove("leak")
	a, err = x.Search(ctx, events.Query{Text: "hunterquux"})
	must(t, err)
	if a.Total != 0 || a.Behind {
		t.Errorf("%+v", a)
	}
	a, err = x.Search(ctx, events.Query{Text: "step7"})
	must(t, err)
	if a.Total == 0 || a.Behind {
		t.Errorf("%+v", a)
	}
}

func contains(t *testing.T, dir, word string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	must(t, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		must(t, err)
		if strings.Contains(string(raw), word) {
			return true
		}
	}
	return false
}

// A damaged file is noticed, and the index built again; without an index, a search builds it.
func TestDamage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	x := events.New(dir, grown(steps), nil)
	_, err := x.CatchUp(ctx)
	must(t, err)
	files, _ := filepath.Glob(filepath.Join(dir, "current", "*.zap"))
	must(t, os.Truncate(files[0], 100))
	a, err := x.Search(ctx, events.Query{Exact: []string{"step39"}})
	must(t, err)
	if !a.Report.Rebuilt || a.Total != 3 {
		t.Errorf("%+v", a)
	}
	stats, err := x.Stats(ctx)
	must(t, err)
	if stats.Events != steps*3 || stats.Sessions != 4 || stats.Bytes == 0 {
		t.Errorf("%+v", stats)
	}
}

// What must be in an event is found whatever the words of the question.
func TestExact(t *testing.T) {
	m := newMemory()
	m.add("s",
		event(1, "git commit --no-verify -m x\n[main 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567] x"),
		event(2, "panic: runtime error: index out of range [3] with length 2\n\tinternal/auth/token.go:41"),
		event(3, "Hello gateway, running the tests of the gateway"),
	)
	x := events.New(filepath.Join(t.TempDir(), "index"), m, nil)
	for exact, turn := range map[string]int{
		"--no-verify": 1, "0a1b2c3d4e5f": 1, "internal/auth/token.go": 2, "internal/auth": 2,
		"index out of range [3] with length 2": 2, "gateways": 3, "running": 3, "gatew": 3,
	} {
		for _, text := range []string{"", "hello nothing"} {
			a, err := x.Search(ctx, events.Query{Text: text, Exact: []string{exact}})
			must(t, err)
			if a.Total != 1 || a.Hits[0].Turn != turn {
				t.Errorf("%q: %+v", exact, a)
			}
		}
	}
}
