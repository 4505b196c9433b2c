package journal_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"engram/session/journal"
)

const roleVariable = "ENGRAM_TEST_JOURNAL"

// TestMain plays a process of a test, where the environment asks for one.
func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "":
		os.Exit(m.Run())
	case "writer":
		write(os.Args[1], os.Args[2], os.Args[3])
	case "sealer":
		for {
			if err := sealInto(os.Args[1], os.Args[2]); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
	case "full":
		full(os.Args[1])
	}
	os.Exit(0)
}

// write appends lines "NAME NUMBER ..." for as long as count says, and prints each number
// once it is acknowledged.
func write(dir, name, count string) {
	n, _ := strconv.Atoi(count)
	j := journal.Open(dir)
	for i := range n {
		err := j.Append(context.Background(), func([]byte, int64) ([][]byte, []journal.Artifact, error) {
			line := fmt.Appendf(nil, "%s %d %s", name, i, strings.Repeat("x", i%3000))
			if i%10 > 0 {
				return [][]byte{line}, nil, nil
			}
			a := artifact(fmt.Sprint(name, i))
			return [][]byte{append(line, " "+a.Digest...)}, []journal.Artifact{a}, nil
		})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(i)
	}
}

func artifact(text string) journal.Artifact {
	return journal.Artifact{Digest: fmt.Sprintf("%x", sha256.Sum256([]byte(text))), Data: []byte(text)}
}

// sealInto moves the log to the end of a file, idempotently: a line is stored once.
func sealInto(dir, file string) error {
	return journal.Open(dir).Seal(context.Background(), func(lines iter.Seq2[[]byte, error], artifact func(string) ([]byte, error)) (done int64, err error) {
		stored, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
		stored = stored[:bytes.LastIndexByte(stored, '\n')+1]
		known := map[string]bool{}
		for line := range strings.Lines(string(stored)) {
			known[line] = true
		}
		for line, err := range lines {
			if err != nil {
				return 0, err
			}
			words := strings.Fields(string(line))
			if digest := words[len(words)-1]; len(digest) == 64 && strings.Trim(digest, "x") != "" {
				if data, err := artifact(digest); err != nil || string(data) != words[0]+words[1] {
					return 0, fmt.Errorf("artifact %s: %q %w", digest, data, err)
				}
			}
			done += int64(len(line)) + 1
			if text := string(line) + "\n"; !known[text] {
				stored = append(stored, text...)
			}
			if done > 100_000 { // leave a rest
				break
			}
		}
		tmp := file + ".tmp"
		if err := os.WriteFile(tmp, stored, 0o644); err != nil {
			return 0, err
		}
		return done, os.Rename(tmp, file)
	})
}

func start(t *testing.T, role string, args ...string) (*exec.Cmd, io.Reader) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

func add(t *testing.T, j *journal.Journal, lines ...string) {
	t.Helper()
	err := j.Append(t.Context(), func([]byte, int64) ([][]byte, []journal.Artifact, error) {
		var all [][]byte
		for _, line := range lines {
			all = append(all, []byte(line))
		}
		return all, nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, j *journal.Journal) (lines []string) {
	t.Helper()
	for line, err := range j.ReadAll(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	return lines
}

// TestAppend: a writer sees the last line, a torn one is cut off, and what fails leaves
// the log as it was.
func TestAppend(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "ab", "one")
	j := journal.Open(dir)
	if got := read(t, j); len(got) > 0 {
		t.Error(got)
	}
	add(t, j, "first", strings.Repeat("long", 50_000))
	f, err := os.OpenFile(filepath.Join(dir, "log"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, strings.Repeat("torn", 40_000))
	f.Close()
	if got := read(t, j); len(got) != 2 {
		t.Errorf("%d lines are read", len(got))
	}
	for _, bad := range []string{"", "a\nb"} {
		err := j.Append(t.Context(), func(last []byte, size int64) ([][]byte, []journal.Artifact, error) {
			if len(last) != 200_000 || size != 200_007 {
				t.Errorf("last line of %d bytes, log of %d", len(last), size)
			}
			return [][]byte{[]byte("good"), []byte(bad)}, nil, nil
		})
		if !errors.Is(err, journal.ErrLine) {
			t.Error(err)
		}
	}
	cause := errors.New("no")
	if err := j.Append(t.Context(), func([]byte, int64) ([][]byte, []journal.Artifact, error) { return nil, nil, cause }); !errors.Is(err, cause) {
		t.Error(err)
	}
	bad := []journal.Artifact{{Digest: "../../" + strings.Repeat("a", 58)}}
	if err := j.Append(t.Context(), func([]byte, int64) ([][]byte, []journal.Artifact, error) { return nil, bad, nil }); err == nil {
		t.Error("an artifact outside of the journal")
	}
	add(t, j, "last")
	if got := read(t, j); len(got) != 3 || got[0] != "first" || got[2] != "last" {
		t.Errorf("%d lines", len(got))
	}
	live, err := journal.Live(root)
	if err != nil || len(live) != 1 || live[0].ID != "one" || live[0].Size != 200_012 || time.Since(live[0].Modified) > time.Minute {
		t.Error(live, err)
	}
}

// TestSeal: what was stored is removed, the rest stays with the artifacts that it names.
func TestSeal(t *testing.T) {
	root := t.TempDir()
	j := journal.Open(filepath.Join(root, "ab", "one"))
	a, b := artifact("a"), artifact("b")
	err := j.Append(t.Context(), func([]byte, int64) ([][]byte, []journal.Artifact, error) {
		return [][]byte{[]byte(`one "` + a.Digest + `"`), []byte(`two "sha256:` + b.Digest + `"`)}, []journal.Artifact{a, b}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	seal := func(n int64, cause error) error {
		return j.Seal(t.Context(), func(iter.Seq2[[]byte, error], func(string) ([]byte, error)) (int64, error) { return n, cause })
	}
	cause := errors.New("no")
	if err := seal(71, cause); !errors.Is(err, cause) {
		t.Error(err)
	}
	if err := seal(5, nil); err == nil {
		t.Error("half a line was removed")
	}
	if err := seal(1000, nil); err == nil {
		t.Error("more than there is was removed")
	}
	if got := read(t, j); len(got) != 2 {
		t.Fatal(got)
	}
	if err := seal(71, nil); err != nil {
		t.Fatal(err)
	}
	if got := read(t, j); len(got) != 1 || !strings.HasPrefix(got[0], "two") {
		t.Error(got)
	}
	if _, err := j.Artifact(a.Digest); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if data, err := j.Artifact(b.Digest); string(data) != "b" {
		t.Error(err)
	}
	if err := seal(78, nil); err != nil {
		t.Fatal(err)
	}
	if live, err := journal.Live(root); len(live) > 0 || err != nil {
		t.Error(live, err)
	}
	if _, err := j.Artifact(b.Digest); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := seal(1, nil); err != nil {
		t.Error(err)
	}
	if live, err := journal.Live(filepath.Join(root, "none")); len(live) > 0 || err != nil {
		t.Error(live, err)
	}
}

// TestWriters: eight processes lose neither order nor bytes of each other's lines.
func TestWriters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ab", "one")
	const writers, each = 8, 200
	var cmds []*exec.Cmd
	for w := range writers {
		cmd, out := start(t, "writer", dir, fmt.Sprint("w", w), fmt.Sprint(each))
		go func() { _, _ = io.Copy(io.Discard, out) }()
		cmds = append(cmds, cmd)
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	checkOrder(t, read(t, journal.Open(dir)), writers*each)
}

// checkOrder fails where a line is torn or the lines of a writer are not in order.
func checkOrder(t *testing.T, lines []string, want int) map[string]int {
	t.Helper()
	next := map[string]int{}
	for _, line := range lines {
		words := strings.SplitN(line, " ", 3)
		n, err := strconv.Atoi(words[1])
		if err != nil || n != next[words[0]] || !strings.HasPrefix(words[2], strings.Repeat("x", n%3000)) {
			t.Fatalf("line %.60q comes after %d", line, next[words[0]]-1)
		}
		next[words[0]]++
	}
	if want > 0 && len(lines) != want {
		t.Errorf("%d lines, want %d", len(lines), want)
	}
	return next
}

// TestKills: no line that was acknowledged is lost when processes are killed, also beside
// one that seals and is killed as well; and each is stored once.
func TestKills(t *testing.T) {
	kills := 100
	if testing.Short() {
		kills = 10
	}
	dir, file := filepath.Join(t.TempDir(), "ab", "one"), filepath.Join(t.TempDir(), "stored")
	acknowledged := map[string]int{}
	for i := range kills {
		name := fmt.Sprint("w", i)
		writer, out := start(t, "writer", dir, name, "1000000")
		var sealer *exec.Cmd
		if i%2 == 1 {
			var said io.Reader
			sealer, said = start(t, "sealer", dir, file)
			go func() {
				if text, _ := io.ReadAll(said); len(text) > 0 {
					t.Errorf("the sealer says %s", text)
				}
			}()
		}
		done, first := make(chan int, 1), make(chan struct{})
		go func() {
			last := -1
			defer func() {
				if last < 0 {
					close(first)
				}
			}()
			for lines := bufio.NewScanner(out); lines.Scan(); {
				n, err := strconv.Atoi(lines.Text())
				if err != nil {
					t.Errorf("the writer says %s", lines.Text())
					break
				}
				if last < 0 {
					close(first)
				}
				last = n
			}
			done <- last
		}()
		<-first // a process under the race detector takes its time to start
		time.Sleep(time.Duration(i*7919%60) * time.Millisecond)
		_ = writer.Process.Kill()
		acknowledged[name] = <-done
		_ = writer.Wait()
		if sealer != nil {
			time.Sleep(time.Duration(i*104729%20) * time.Millisecond)
			_ = sealer.Process.Kill()
			_ = sealer.Wait()
		}
	}
	j := journal.Open(dir)
	add(t, j, "end 0 ")
	for range 1000 {
		if err := sealInto(dir, file); err != nil {
			t.Fatal(err)
		}
		if len(read(t, j)) == 0 {
			break
		}
	}
	stored, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := checkOrder(t, slices.Collect(func(yield func(string) bool) {
		for line := range strings.Lines(string(stored)) {
			if !yield(strings.TrimSuffix(line, "\n")) {
				return
			}
		}
	}), 0)
	total := 0
	for name, last := range acknowledged {
		if got[name] < last+1 {
			t.Errorf("%s acknowledged line %d, and %d lines are there", name, last, got[name])
		}
		total += last + 1
	}
	if left, err := os.ReadDir(filepath.Join(dir, "artifacts")); err != nil && !errors.Is(err, fs.ErrNotExist) || len(left) > 0 {
		t.Errorf("%d artifacts are left, %v", len(left), err)
	}
	t.Logf("%d kills, %d acknowledged lines, %d stored", kills, total, len(strings.Split(string(stored), "\n"))-1)
}

func BenchmarkAppend(b *testing.B) {
	root, err := os.MkdirTemp(os.Getenv("ENGRAM_BENCH_DIR"), "journal")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(root)
	j := journal.Open(filepath.Join(root, "ab", "one"))
	line := bytes.Repeat([]byte("x"), 2000)
	var took []time.Duration
	for b.Loop() {
		begun := time.Now()
		err := j.Append(b.Context(), func([]byte, int64) ([][]byte, []journal.Artifact, error) { return [][]byte{line}, nil, nil })
		if err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}
