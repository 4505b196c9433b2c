package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/rogpeppe/go-internal/testscript"

	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/secret"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in testdata/script")

// TestMain makes the test binary an engram as well, one whose clock and ids
// tests can fix. The real main knows nothing of that.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"engram": testEngram})
}

func testEngram() {
	now := testClock(os.Getenv("ENGRAM_TEST_CLOCK"))
	patience, _ := time.ParseDuration(os.Getenv("ENGRAM_TEST_AGENT_TIME"))
	evidence, _ := time.ParseDuration(os.Getenv("ENGRAM_TEST_EVIDENCE_TIME"))
	os.Exit(run(os.Args[1:], &app.App{
		AgentTime: patience, EvidenceTime: evidence, Out: term.SystemStreams(now), Getenv: os.Getenv, Executable: testBinary, Now: now,
		NewID: testIDs(os.Getenv("ENGRAM_TEST_IDS")), Scanner: secret.New(),
	}))
}

// testBinary is where engram says it is.
func testBinary() (string, error) {
	if path := os.Getenv("ENGRAM_TEST_BINARY"); path != "" {
		return path, nil
	}
	return exec.LookPath("engram")
}

func testClock(text string) func() time.Time {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return func() time.Time { return t }
	}
	return time.Now
}

// testIDs counts in a file, so that ids rise from process to process.
func testIDs(file string) func(time.Time) string {
	if file == "" {
		return nil
	}
	return func(t time.Time) string {
		b, _ := os.ReadFile(file)
		n, _ := strconv.Atoi(string(b))
		n++
		if err := os.WriteFile(file, []byte(strconv.Itoa(n)), 0o644); err != nil {
			panic(err)
		}
		var entropy [10]byte
		binary.BigEndian.PutUint64(entropy[2:], uint64(n))
		return ulid.MustNew(ulid.Timestamp(t), bytes.NewReader(entropy[:])).String()
	}
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *update, RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: setUpScript,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"repo": cmdRepo, "snapshot": cmdSnapshot, "place": cmdPlace, "bigfile": cmdBigFile, "exits": cmdExits, "capture": cmdCapture,
			"tell": cmdTell, "code": cmdCode, "secret": cmdSecret,
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "root":
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
	})
}

func setUpScript(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	config := "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n"
	env.Setenv("HOME", home)
	env.Setenv("USERPROFILE", home)
	env.Setenv("XDG_CONFIG_HOME", home)
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	env.Setenv("TZ", "UTC")
	env.Setenv("TERM", "xterm")
	env.Setenv("GORACE", "atexit_sleep_ms=0") // else each of hundreds of processes ends a second late
	env.Setenv("ENGRAM_TEST_CLOCK", "2026-05-01T12:00:00Z")
	env.Setenv("ENGRAM_TEST_AGENT_TIME", "20s") // a busy machine is no reason to fail
	env.Setenv("ENGRAM_TEST_EVIDENCE_TIME", "1m")
	env.Setenv("ENGRAM_TEST_IDS", filepath.Join(env.WorkDir, ".ids"))
	env.Setenv("TOKEN", "ghp_"+"4fA9xQ2mZ7"+"Lk3VbN8cR1"+"tY6uW0sJ5e"+"HdPgKo") // in no file, so that no scanner trips over this one
	return os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o644)
}

func gitIn(ts *testscript.TestScript, dir, stdin string, extraEnv []string, args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"), "XDG_CONFIG_HOME="+ts.Getenv("HOME"), "GIT_CONFIG_NOSYSTEM=1")
	cmd.Env = append(cmd.Env, extraEnv...)
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		ts.Fatalf("git %v: %v: %s", args, err, stderr.String())
	}
	return strings.TrimSpace(string(out))
}

// cmdRepo makes a repository with one commit, a staged and a changed file, and
// goes there.
func cmdRepo(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o755))
	gitIn(ts, dir, "", nil, "init", "--quiet", "-b", "main")
	write := func(name, text string) {
		ts.Check(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("main.go", "package main\n")
	gitIn(ts, dir, "", nil, "add", "main.go")
	gitIn(ts, dir, "", nil, "commit", "--quiet", "-m", "code")
	write("staged.go", "package main // staged\n")
	gitIn(ts, dir, "", nil, "add", "staged.go")
	write("main.go", "package main // changed\n")
	gitIn(ts, dir, "", nil, "tag", "v1")
	gitIn(ts, dir, "", nil, "branch", "feature")
	ts.Check(ts.Chdir(dir))
}

// cmdSnapshot remembers, or compares with what it remembers, everything that
// engram must never touch: HEAD, index, stash, configuration, hooks, work tree
// and every ref but the memory branch.
func cmdSnapshot(ts *testscript.TestScript, _ bool, _ []string) {
	dir := ts.MkAbs(".")
	var b strings.Builder
	for line := range strings.SplitSeq(gitIn(ts, dir, "", nil, "for-each-ref"), "\n") {
		if !strings.HasSuffix(line, "\trefs/heads/engram") {
			b.WriteString(line + "\n")
		}
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.IsDir() && ignoredBySnapshot(dir, path) {
				return filepath.SkipDir
			}
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		fmt.Fprintf(&b, "%x %s\n", sha256.Sum256(data), name)
		return err
	})
	ts.Check(err)
	file := filepath.Join(ts.Getenv("WORK"), ".snapshot-"+filepath.Base(dir))
	before, err := os.ReadFile(file)
	if err != nil {
		ts.Check(os.WriteFile(file, []byte(b.String()), 0o644))
		return
	}
	if string(before) != b.String() {
		ts.Fatalf("the repository was touched:\nbefore:\n%s\nafter:\n%s", before, b.String())
	}
}

// ignoredBySnapshot: what git and engram write as they should. Refs are
// compared by name, logs of other refs below.
func ignoredBySnapshot(dir, path string) bool {
	name, _ := filepath.Rel(dir, path)
	switch filepath.ToSlash(name) {
	case ".git/objects", ".git/engram", ".git/refs", ".git/logs/refs/heads":
		return true
	}
	return false
}

// cmdPlace puts a file on the memory branch by hand: place PATH FILE.
func cmdPlace(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(".")
	blob := gitIn(ts, dir, "", nil, "hash-object", "-w", "--no-filters", ts.MkAbs(args[1]))
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(ts.Getenv("WORK"), ".place-index")}
	gitIn(ts, dir, "", index, "read-tree", "engram")
	gitIn(ts, dir, "", index, "update-index", "--add", "--cacheinfo", "100644,"+blob+","+args[0])
	tree := gitIn(ts, dir, "", index, "write-tree")
	dates := []string{"GIT_AUTHOR_DATE=2026-05-01T12:00:00Z", "GIT_COMMITTER_DATE=2026-05-01T12:00:00Z"}
	commit := gitIn(ts, dir, "by hand", dates, "commit-tree", tree, "-p", "engram")
	gitIn(ts, dir, "", nil, "update-ref", "refs/heads/engram", commit)
}

// cmdBigFile makes a file of so many bytes.
func cmdBigFile(ts *testscript.TestScript, _ bool, args []string) {
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(f.Truncate(size))
	ts.Check(f.Close())
}

// cmdExits runs a command and checks its exit status: exits 3 engram list.
func cmdExits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err = ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("run %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d; stderr: %s", got, want, ts.ReadFile("stderr"))
	}
}

// cmdCapture keeps what a command prints in a variable: capture REV git
// rev-parse engram.
func cmdCapture(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(ts.Exec(args[1], args[2:]...))
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}

// cmdTell commits a fact in another clone and pushes it: tell CLONE NAME.
func cmdTell(ts *testscript.TestScript, _ bool, args []string) {
	dir := filepath.Join(ts.Getenv("WORK"), args[0])
	ts.Check(ts.Exec("engram", "--repo", dir, "commit", "The clone says "+args[1]+".", "--key", "domain/told/"+args[1], "--scope", args[1]))
	gitIn(ts, dir, "", nil, "push", "--quiet", "origin", "engram")
}

// cmdCode commits a file in another clone and pushes it: code CLONE NAME.
func cmdCode(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(filepath.Join(args[0], args[1]), []byte("theirs\n"), 0o644))
	gitIn(ts, args[0], "", nil, "add", args[1])
	gitIn(ts, args[0], "", nil, "commit", "--quiet", "-m", args[1])
	gitIn(ts, args[0], "", nil, "push", "--quiet", "origin", "main")
}

// cmdSecret writes a fact that holds a secret: secret FILE.
func cmdSecret(ts *testscript.TestScript, _ bool, args []string) {
	fact := "key: domain/hand/secret\nid: 01HX0000000000000000000002\nlineage: 01HX0000000000000000000002\nclaim: The deploy token is " + ts.Getenv("TOKEN") + ".\nvalid_from: 2026-04-01T12:00:00Z\n"
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(fact), 0o644))
}
