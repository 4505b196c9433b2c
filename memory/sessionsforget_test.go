package memory_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"engram/memory"
	"engram/secret"
	stored "engram/session"
)

// planted is a word that no rule for secrets finds.
const planted = "Bluebird-Quartz-7"

// traces lists where a word is still in a repository: in objects, reachable or not, and in
// files of engram.
func traces(t testing.TB, dir, word string) (list []string) {
	t.Helper()
	cmd := exec.Command("git", "cat-file", "--batch-all-objects", "--batch", "--unordered")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(bytes.ToLower(out), bytes.ToLower([]byte(word))); n > 0 {
		list = append(list, fmt.Sprintf("%d times in objects", n))
	}
	root := filepath.Join(dir, ".git/engram")
	err = filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(bytes.ToLower(data), bytes.ToLower([]byte(word))) {
			list = append(list, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// secretive is a session that has the planted word everywhere.
func secretive(id string) *script {
	s := newScript(id, "/home/dev/"+planted)
	s.user("the password is " + planted + ", keep it")
	s.agent("It is \"" + planted + "\" indeed")
	s.call("c1", "Write", map[string]any{"file_path": "/home/dev/" + planted + "/a.txt", "content": "quoted \"" + planted + "\"\n"})
	s.result("c1", strings.Repeat("a long log\n", 300)+planted+"\n"+strings.Repeat("more log\n", 300))
	s.lines = append(s.lines, "no json with "+planted+"\n", `{"`+planted+`":"key","sessionId":"`+id+`"}`+"\n")
	return s.user("nothing in here").agent("nothing at all")
}

func (b bench) redact(id, pattern string) memory.ForgetSessionResult {
	b.t.Helper()
	r, err := b.RedactSession(b.t.Context(), memory.RedactSessionInput{ID: id, Pattern: pattern, Apply: true})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func TestRedactSession(t *testing.T) {
	b := newSessions(t)
	s := secretive("redacted-one")
	file := writeFile(t, filepath.Join(t.TempDir(), "redacted-one.jsonl"), s.text())
	b.importFiles(file)
	if got := b.export("redacted-one"); got != s.text() {
		t.Fatalf("exported %q", got)
	}
	ids := b.eventIDs("redacted-one")
	shown, err := b.RedactSession(t.Context(), memory.RedactSessionInput{ID: "redacted-one", Pattern: planted})
	if err != nil || shown.Applied || shown.Events == 0 || shown.Artifacts == 0 {
		t.Errorf("the preview says %+v, %v", shown, err)
	}
	if got := b.export("redacted-one"); got != s.text() {
		t.Error("the preview changed the session")
	}
	r := b.redact("redacted-one", planted)
	if !r.Applied || r.Gone == 0 || len(r.Kept) > 0 || r.Replacements != shown.Replacements {
		t.Errorf("redacted %+v", r)
	}
	if left := traces(t, b.dir, planted); len(left) > 0 {
		t.Errorf("the word is still in %q", left)
	}
	if got, want := b.export("redacted-one"), strings.ReplaceAll(s.text(), planted, "[redacted: by hand]"); got != want {
		t.Errorf("exported\n%s\nwant\n%s", got, want)
	}
	if got := b.eventIDs("redacted-one"); strings.Join(got, "\n") != strings.Join(ids, "\n") {
		t.Error("ids of events changed")
	}
	before := b.sessionRefs()
	if again := b.redact("redacted-one", planted); again.Applied || b.sessionRefs() != before {
		t.Errorf("redacting again did %+v", again)
	}
	if r := b.importFiles(file); r.Events != 0 {
		t.Errorf("the transcript brought %d events back", r.Events)
	}
	if list, err := b.Sessions(t.Context(), memory.SessionsInput{Text: "nothing at all"}); err != nil || len(list.Sessions) != 1 {
		t.Errorf("search finds %+v, %v", list, err)
	}
	// A hook that lost its place reads the transcript from the beginning.
	if err := os.RemoveAll(filepath.Join(b.dir, ".git/engram/sessions/cursors")); err != nil {
		t.Fatal(err)
	}
	b.hook("redacted-one", file)
	if err := b.SealSession(t.Context(), "redacted-one", math.MaxInt64); err != nil {
		t.Fatal(err)
	}
	if got := b.sessionRefs(); got != before {
		t.Errorf("a hook moved the session to %s", got)
	}
	for _, left := range traces(t, b.dir, planted) {
		if !strings.Contains(left, "/cursors/") { // which says in what folder the client is
			t.Errorf("a hook brought the word back in %q", left)
		}
	}
	gitIn(t, b.dir, "fsck", "--strict")
}

// TestPathOfTranscript: it may have a secret, and is not kept.
func TestPathOfTranscript(t *testing.T) {
	b := newSessions(t)
	s := talk("hidden-path", 2)
	file := writeFile(t, filepath.Join(t.TempDir(), planted, "hidden-path.jsonl"), s.text())
	b.importFiles(file)
	b.hook("hidden-path", writeFile(t, file, s.user("more").text()))
	if left := traces(t, b.dir, planted); len(left) > 0 {
		t.Errorf("the path of the transcript is in %q", left)
	}
}

// hook captures a transcript as the hook of a client does.
func (b bench) hook(id, file string) memory.CaptureResult {
	b.t.Helper()
	r, err := captureIn(b.t.Context(), b.dir, id, file)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func captureIn(ctx context.Context, dir, id, file string) (memory.CaptureResult, error) {
	return memory.Capture(ctx, secret.New(), memory.CaptureInput{
		CommonDir: filepath.Join(dir, ".git"), WorkTree: dir, Client: "claude-code", Session: id, Transcript: file, Now: newClock().Now,
	})
}

func TestForgetSession(t *testing.T) {
	b := newSessions(t)
	file := writeFile(t, filepath.Join(t.TempDir(), "forgotten.jsonl"), secretive("forgotten-one").text())
	b.importFiles(file)
	s := secretive("forgotten-one").user("live " + planted)
	writeFile(t, file, s.text())
	b.hook("forgotten-one", file) // it has a journal too
	in := memory.ForgetSessionInput{ID: "forgotten-one"}
	if r, err := b.ForgetSession(t.Context(), in); err != nil || r.Applied || r.Events == 0 {
		t.Errorf("the preview says %+v, %v", r, err)
	}
	in.Apply = true
	if r, err := b.ForgetSession(t.Context(), in); err != nil || !r.Applied || len(r.Kept) > 0 {
		t.Errorf("forgot %+v, %v", r, err)
	}
	if left := traces(t, b.dir, planted); len(left) > 0 {
		t.Errorf("the word is still in %q", left)
	}
	if _, err := b.Session(t.Context(), memory.SessionInput{ID: "forgotten-one"}); !errors.Is(err, memory.ErrNotFound) {
		t.Error(err)
	}
	if r := b.hook("forgotten-one", file); r.Session != "" {
		t.Errorf("a hook brought back %+v", r)
	}
	if left := traces(t, b.dir, planted); len(left) > 0 {
		t.Errorf("a hook brought the word back in %q", left)
	}
	b.importFiles(file)
	if got := b.export("forgotten-one"); got != s.text() {
		t.Error("an import does not bring it back")
	}
	gitIn(t, b.dir, "fsck", "--strict")
}

// TestPruneSessions: artifacts go, into a folder or for good; events, digests and previews
// stay, and what was redacted goes from the folder too.
func TestPruneSessions(t *testing.T) {
	for _, cold := range []string{"", t.TempDir()} {
		dir := newRepo(t)
		m, err := memory.Open(t.Context(), dir, secret.New(), &memory.Options{Now: newClock().Now, NewID: numbered, Sessions: memory.SessionOptions{Cold: cold}})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		b := bench{m, t, dir, nil}
		s := secretive("pruned-one")
		b.importFiles(writeFile(t, filepath.Join(t.TempDir(), "pruned-one.jsonl"), s.text()))
		ids := b.eventIDs("pruned-one")
		shown, err := b.PruneSessions(t.Context(), memory.PruneSessionsInput{Days: 5})
		if err != nil || shown.Applied || shown.Artifacts == 0 || b.export("pruned-one") != s.text() {
			t.Fatalf("the preview says %+v, %v", shown, err)
		}
		if r, err := b.PruneSessions(t.Context(), memory.PruneSessionsInput{Days: 5, Apply: true}); err != nil || !r.Applied || r.Bytes != shown.Bytes {
			t.Fatalf("pruned %+v, %v", r, err)
		}
		if files := gitIn(t, dir, "ls-tree", "-r", stored.Ref("pruned-one")); strings.Contains(files, "artifacts/") {
			t.Error("artifacts are left")
		}
		if got := b.eventIDs("pruned-one"); strings.Join(got, "\n") != strings.Join(ids, "\n") {
			t.Error("events changed")
		}
		if list, err := b.Sessions(t.Context(), memory.SessionsInput{Text: "nothing at all"}); err != nil || len(list.Sessions) != 1 {
			t.Errorf("search finds %+v, %v", list, err)
		}
		var out bytes.Buffer
		err = b.ExportSession(t.Context(), memory.SessionExportInput{ID: "pruned-one"}, &out)
		if cold != "" && (err != nil || out.String() != s.text()) {
			t.Errorf("export from cold storage: %v", err)
		}
		if _, advice := classified(err); cold == "" && (!errors.Is(err, memory.ErrNotFound) || !strings.Contains(advice, "sessions.cold")) {
			t.Errorf("export without artifacts: %v, %s", err, advice)
		}
		b.redact("pruned-one", planted)
		if left := traces(t, dir, planted); len(left) > 0 {
			t.Errorf("the word is still in %q", left)
		}
		if cold != "" {
			if got, want := b.export("pruned-one"), strings.ReplaceAll(s.text(), planted, "[redacted: by hand]"); got != want {
				t.Errorf("exported\n%s\nwant\n%s", got, want)
			}
		}
		gitIn(t, dir, "fsck", "--strict")
	}
}
