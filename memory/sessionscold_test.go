package memory_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"engram/memory"
	"engram/secret"
	stored "engram/session"
)

// archiving opens a repository again, with cold storage.
func (b bench) archiving(cold string) bench {
	b.t.Helper()
	m, err := memory.Open(b.t.Context(), b.dir, secret.New(), &memory.Options{Now: newClock().Now, NewID: numbered, Sessions: memory.SessionOptions{Cold: cold}})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = m.Close() })
	return bench{m, b.t, b.dir, nil}
}

func (b bench) prune(apply bool) memory.PruneSessionsResult {
	b.t.Helper()
	r, err := b.PruneSessions(b.t.Context(), memory.PruneSessionsInput{Days: 5, Apply: apply})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// artifactOf imports a session whose tool answered at length.
func (b bench) artifactOf(id string) *script {
	b.t.Helper()
	s := newScript(id, b.dir).user("list the rows")
	s.call("c1", "Bash", map[string]any{"command": "rows"})
	s.result("c1", strings.Repeat("a row of "+id+"\n", 900))
	b.importFiles(writeFile(b.t, filepath.Join(b.t.TempDir(), id+".jsonl"), s.text()))
	return s
}

func (b bench) fetchArtifacts(id string) memory.FetchSessionsResult {
	b.t.Helper()
	r, err := b.FetchSessions(b.t.Context(), memory.FetchSessionsInput{IDs: []string{id}, Artifacts: true})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// hasArtifacts reports whether the session's own tree has artifacts.
func (b bench) hasArtifacts(id string) bool {
	b.t.Helper()
	return strings.Contains(gitIn(b.t, b.dir, "ls-tree", "-r", stored.Ref(id)), "/artifacts/")
}

// TestColdRemote: artifacts go to a git remote, are there before they go from here, and come
// back when somebody asks.
func TestColdRemote(t *testing.T) {
	one, _, bare := sharing(t)
	one = one.archiving("remote:origin")
	s := one.artifactOf("cold-one")
	ref := strings.Replace(stored.Ref("cold-one"), "sessions", "artifacts", 1)
	if r := one.prune(false); r.Applied || r.Artifacts != 1 || r.Cold != "remote:origin" || gitIn(t, bare, "for-each-ref", "refs/engram") != "" {
		t.Fatalf("the preview did %+v", r)
	}
	// A remote that takes nothing: nothing goes.
	hook := writeFile(t, filepath.Join(bare, "hooks/pre-receive"), "#!/bin/sh\nexit 1\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := one.PruneSessions(t.Context(), memory.PruneSessionsInput{Days: 5, Apply: true}); err == nil || !one.hasArtifacts("cold-one") {
		t.Errorf("a remote that refuses: %v", err)
	}
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	if r := one.prune(true); !r.Applied || one.hasArtifacts("cold-one") {
		t.Fatalf("pruned %+v", r)
	}
	if got := gitIn(t, bare, "ls-tree", "-r", "--name-only", ref); strings.Count(got, "/artifacts/") != 1 || strings.Contains(got, "events") {
		t.Errorf("the remote has %s", got)
	}
	if left := traces(t, one.dir, strings.Repeat("a row of cold-one\n", 500)); len(left) > 0 {
		t.Errorf("the bytes are still in %q", left)
	}
	if got := gitIn(t, one.dir, "for-each-ref", "refs/engram/remotes", "refs/engram/artifacts"); got != "" {
		t.Errorf("left behind: %s", got)
	}
	err := one.ExportSession(t.Context(), memory.SessionExportInput{ID: "cold-one"}, &strings.Builder{})
	if _, advice := classified(err); !strings.Contains(advice, "engram session fetch cold-one --artifacts") {
		t.Errorf("%v: %s", err, advice)
	}
	if r := one.fetchArtifacts("cold-one"); r.Artifacts != 1 || one.hasArtifacts("cold-one") {
		t.Errorf("brought %+v", r)
	}
	if one.export("cold-one") != s.text() {
		t.Error("the artifact came back as something else")
	}
	if got := gitIn(t, one.dir, "for-each-ref", "refs/engram/remotes"); got != "" {
		t.Errorf("left behind: %s", got)
	}
	// What goes on is added to what is there.
	s.call("c2", "Bash", map[string]any{"command": "more"}).result("c2", strings.Repeat("another row\n", 900))
	one.importFiles(writeFile(t, filepath.Join(t.TempDir(), "cold-one.jsonl"), s.text()))
	one.prune(true)
	if got := gitIn(t, bare, "ls-tree", "-r", "--name-only", ref); strings.Count(got, "/artifacts/") != 2 {
		t.Errorf("the remote has %s", got)
	}
	if r := one.fetchArtifacts("cold-one"); r.Artifacts != 2 || one.export("cold-one") != s.text() {
		t.Errorf("brought %+v", r)
	}
	gitIn(t, one.dir, "fsck", "--strict")
	gitIn(t, bare, "fsck", "--strict")
}

// TestColdRemoteKeepsPrivate: artifacts of a private session go to no remote.
func TestColdRemoteKeepsPrivate(t *testing.T) {
	one, _, bare := sharing(t)
	one = one.archiving("remote:origin")
	s := newScript("cold-private", one.dir).user("list").call("c1", "Bash", map[string]any{"command": "rows"}).result("c1", strings.Repeat("a row\n", 900))
	file := writeFile(t, filepath.Join(t.TempDir(), "cold-private.jsonl"), s.text())
	if _, err := one.ImportSessions(t.Context(), memory.ImportSessionsInput{Files: []string{file}, Label: "private"}); err != nil {
		t.Fatal(err)
	}
	if r := one.prune(true); len(r.Sessions) != 0 || len(r.Notes) != 1 || !one.hasArtifacts("cold-private") || gitIn(t, bare, "for-each-ref", "refs/engram") != "" {
		t.Errorf("pruned %+v", r)
	}
}

// TestPruneThenShare: a remote that has the artifacts keeps them, and does not bring them
// back unless somebody asks.
func TestPruneThenShare(t *testing.T) {
	one, two, bare := sharing(t)
	one = one.archiving("")
	s := one.artifactOf("pruned-shared")
	if _, err := one.shareSession("pruned-shared"); err != nil {
		t.Fatal(err)
	}
	shared := gitIn(t, bare, "rev-parse", stored.Ref("pruned-shared"))
	one.prune(true)
	if err := one.fetchSession("pruned-shared"); err != nil || one.hasArtifacts("pruned-shared") {
		t.Errorf("a fetch brought the artifacts back: %v", err)
	}
	if r, err := one.shareSession("pruned-shared"); err != nil || len(r.Sessions) != 0 || len(r.Withheld) != 1 || one.hasArtifacts("pruned-shared") {
		t.Errorf("shared %+v, %v", r, err)
	}
	if got := gitIn(t, bare, "rev-parse", stored.Ref("pruned-shared")); got != shared {
		t.Errorf("the remote moved to %s", got)
	}
	if err := two.fetchSession("pruned-shared"); err != nil || two.export("pruned-shared") != s.text() {
		t.Errorf("another clone: %v", err)
	}
	one.fetchArtifacts("pruned-shared")
	if !one.hasArtifacts("pruned-shared") || one.export("pruned-shared") != s.text() {
		t.Error("asked for, they did not come")
	}
	// A session that goes on is joined with what the remote has.
	one.prune(true)
	one.importFiles(writeFile(t, filepath.Join(t.TempDir(), "pruned-shared.jsonl"), s.user("go on").text()))
	if r, err := one.shareSession("pruned-shared"); err != nil || !r.Applied {
		t.Errorf("shared %+v, %v", r, err)
	}
	if err := two.fetchSession("pruned-shared"); err != nil || two.export("pruned-shared") != s.text() {
		t.Errorf("another clone: %v", err)
	}
	// What is redacted after a prune replaces what the remote has.
	one.prune(true)
	one.redact("pruned-shared", "go on")
	if r, err := one.shareSession("pruned-shared"); err != nil || !r.Applied {
		t.Errorf("shared %+v, %v", r, err)
	}
	for _, b := range []bench{one, two} {
		gitIn(t, b.dir, "fsck", "--strict")
	}
}
