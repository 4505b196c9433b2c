package memory_test

import (
	"path/filepath"
	"strings"
	"testing"

	"engram/memory"
	stored "engram/session"
)

// sharing is two clones of a bare repository.
func sharing(t *testing.T) (one, two bench, bare string) {
	t.Helper()
	dir := newRepo(t)
	bare = filepath.Join(t.TempDir(), "bare.git")
	gitIn(t, dir, "init", "-q", "--bare", "-b", "main", bare)
	gitIn(t, dir, "remote", "add", "origin", bare)
	gitIn(t, dir, "push", "-q", "-u", "origin", "HEAD:main")
	other := filepath.Join(t.TempDir(), "two")
	gitIn(t, dir, "clone", "-q", bare, other)
	configure(t, other)
	return sessionsIn(t, dir), sessionsIn(t, other), bare
}

func (b bench) shareSession(id string) (memory.ShareSessionsResult, error) {
	return b.ShareSessions(b.t.Context(), memory.ShareSessionsInput{IDs: []string{id}, Apply: true})
}

func (b bench) fetchSession(id string) error {
	_, err := b.FetchSessions(b.t.Context(), memory.FetchSessionsInput{IDs: []string{id}})
	return err
}

// TestShareSessions: two clones continue a session and come to the same events.
func TestShareSessions(t *testing.T) {
	one, two, bare := sharing(t)
	s := talk("shared-one", 3)
	file := filepath.Join(t.TempDir(), "shared-one.jsonl")
	one.importFiles(writeFile(t, file, s.text()))
	if r, err := one.ShareSessions(t.Context(), memory.ShareSessionsInput{IDs: []string{"shared-one"}}); err != nil || r.Applied || gitIn(t, bare, "for-each-ref", "refs/engram") != "" {
		t.Fatalf("the preview did %+v, %v", r, err)
	}
	if r, err := one.shareSession("shared-one"); err != nil || !r.Applied {
		t.Fatal(r, err)
	}
	gitIn(t, two.dir, "fetch", "-q")
	if two.sessionRefs() != "" {
		t.Error("git fetch brought the session")
	}
	if err := two.fetchSession("shared-one"); err != nil || two.export("shared-one") != s.text() {
		t.Fatal(err)
	}
	mine, theirs := *s, *s
	mine.lines, theirs.lines = s.lines[:len(s.lines):len(s.lines)], s.lines[:len(s.lines):len(s.lines)]
	one.importFiles(writeFile(t, file, mine.user("mine").agent("done").text()))
	two.importFiles(writeFile(t, filepath.Join(t.TempDir(), "shared-one.jsonl"), theirs.user("theirs").agent("done as well").text()))
	for _, b := range []bench{one, two} {
		if r, err := b.shareSession("shared-one"); err != nil || !r.Applied {
			t.Fatal(r, err)
		}
	}
	if err := one.fetchSession("shared-one"); err != nil {
		t.Fatal(err)
	}
	a, b := one.eventIDs("shared-one"), two.eventIDs("shared-one")
	if strings.Join(a, "\n") != strings.Join(b, "\n") || len(a) != len(s.lines)+4 {
		t.Errorf("%d events:\n%s\nand %d:\n%s", len(a), strings.Join(a, "\n"), len(b), strings.Join(b, "\n"))
	}
	for _, dir := range []string{one.dir, two.dir, bare} {
		gitIn(t, dir, "fsck", "--strict")
	}
}

// TestShareWithholds: a session with a private event stays, and so does everything if the
// policy does not say otherwise.
func TestShareWithholds(t *testing.T) {
	one, _, bare := sharing(t)
	file := writeFile(t, filepath.Join(t.TempDir(), "private-one.jsonl"), talk("private-one", 1).text())
	if _, err := one.ImportSessions(t.Context(), memory.ImportSessionsInput{Files: []string{file}, Label: "private"}); err != nil {
		t.Fatal(err)
	}
	r, err := one.shareSession("private-one")
	if err != nil || r.Applied || len(r.Withheld) != 1 || gitIn(t, bare, "for-each-ref", "refs/engram") != "" {
		t.Errorf("shared %+v, %v", r, err)
	}
}

// TestShareRedacted: what was taken out does not come back from where it was shared before.
func TestShareRedacted(t *testing.T) {
	one, two, bare := sharing(t)
	s := secretive("shared-secret")
	one.importFiles(writeFile(t, filepath.Join(t.TempDir(), "shared-secret.jsonl"), s.text()))
	if _, err := one.shareSession("shared-secret"); err != nil {
		t.Fatal(err)
	}
	if err := two.fetchSession("shared-secret"); err != nil {
		t.Fatal(err)
	}
	one.redact("shared-secret", planted)
	tip := gitIn(t, one.dir, "rev-parse", stored.Ref("shared-secret"))
	// Fetching the old version is refused, and leaves nothing.
	err := one.fetchSession("shared-secret")
	if code, advice := classified(err); code != memory.CodeRefused || !strings.Contains(advice, "share it") {
		t.Errorf("fetched the old version: %v (%v, %s)", err, code, advice)
	}
	if left := traces(t, one.dir, planted); len(left) > 0 {
		t.Errorf("the word came back in %q", left)
	}
	shown, err := one.ShareSessions(t.Context(), memory.ShareSessionsInput{IDs: []string{"shared-secret"}})
	if err != nil || len(shown.Notes) != 1 || !strings.Contains(shown.Notes[0], "replaced") {
		t.Errorf("the preview says %+v, %v", shown, err)
	}
	if r, err := one.shareSession("shared-secret"); err != nil || !r.Applied {
		t.Fatal(r, err)
	}
	if got := gitIn(t, bare, "rev-parse", stored.Ref("shared-secret")); got != tip {
		t.Errorf("the remote is at %s, want %s", got, tip)
	}
	// The other clone still has it: it must not bring it back.
	if code, _ := classified(two.fetchSession("shared-secret")); code != memory.CodeRefused {
		t.Error("the other clone joined the old version")
	}
	if _, err := two.shareSession("shared-secret"); err == nil || gitIn(t, bare, "rev-parse", stored.Ref("shared-secret")) != tip {
		t.Errorf("the other clone brought it back: %v", err)
	}
	if _, err := two.ForgetSession(t.Context(), memory.ForgetSessionInput{ID: "shared-secret", Apply: true}); err != nil {
		t.Fatal(err)
	}
	if err := two.fetchSession("shared-secret"); err != nil || strings.Contains(two.export("shared-secret"), planted) {
		t.Error(err)
	}
	if left := traces(t, two.dir, planted); len(left) > 0 {
		t.Errorf("the other clone still has the word in %q", left)
	}
	// Nor may a transcript that is imported again, with a history of its own.
	if _, err := two.ForgetSession(t.Context(), memory.ForgetSessionInput{ID: "shared-secret", Apply: true}); err != nil {
		t.Fatal(err)
	}
	two.importFiles(writeFile(t, filepath.Join(t.TempDir(), "shared-secret.jsonl"), s.user("and more").text()))
	if code, _ := classified(two.fetchSession("shared-secret")); code != memory.CodeRefused {
		t.Error("a transcript that was imported again was joined with what was redacted")
	}
}

// TestRedactedTwice: each of two clones takes another word out of a session that both have. They
// are not joined, because each side has the word that only the other one took out. After what the
// refusal advises, both words are gone everywhere.
func TestRedactedTwice(t *testing.T) {
	one, two, bare := sharing(t)
	const id, first, second = "redacted-twice", "alphasecret", "betasecret"
	ref := stored.Ref(id)
	s := newScript(id, one.dir).user("the words are " + first + " and " + second)
	one.importFiles(writeFile(t, filepath.Join(t.TempDir(), id+".jsonl"), s.text()))
	if _, err := one.shareSession(id); err != nil {
		t.Fatal(err)
	}
	if err := two.fetchSession(id); err != nil {
		t.Fatal(err)
	}
	one.redact(id, first)
	two.redact(id, second)
	if r, err := one.shareSession(id); err != nil || !r.Applied {
		t.Fatal(r, err)
	}
	clean := func(b bench, words ...string) {
		t.Helper()
		for _, word := range words {
			if left := traces(t, b.dir, word); len(left) > 0 {
				t.Errorf("%s is in %q", word, left)
			}
		}
	}
	at := gitIn(t, bare, "rev-parse", ref)
	if _, err := two.shareSession(id); err == nil || gitIn(t, bare, "rev-parse", ref) != at {
		t.Errorf("the second redaction was shared over the first: %v", err)
	} else if _, advice := classified(err); !strings.Contains(advice, "engram session fetch "+id) {
		t.Errorf("advice: %s", advice)
	}
	err := two.fetchSession(id)
	if code, advice := classified(err); code != memory.CodeRefused || !strings.Contains(err.Error(), "here and at the remote") || !strings.Contains(advice, "make both redactions in one clone") {
		t.Errorf("joined: %v (%v, %s)", err, code, advice)
	}
	clean(one, first)
	clean(two, second)

	if _, err := two.ForgetSession(t.Context(), memory.ForgetSessionInput{ID: id, Apply: true}); err != nil {
		t.Fatal(err)
	}
	if err := two.fetchSession(id); err != nil {
		t.Fatal(err)
	}
	two.redact(id, second)
	if r, err := two.shareSession(id); err != nil || !r.Applied {
		t.Fatal(r, err)
	}
	clean(two, first, second)
	if code, advice := classified(one.fetchSession(id)); code != memory.CodeRefused || !strings.Contains(advice, "remove the old version here") {
		t.Errorf("the first clone: %v, %s", code, advice)
	}
	if _, err := one.ForgetSession(t.Context(), memory.ForgetSessionInput{ID: id, Apply: true}); err != nil {
		t.Fatal(err)
	}
	if err := one.fetchSession(id); err != nil {
		t.Fatal(err)
	}
	clean(one, first, second)
	if text := gitIn(t, bare, "grep", "-h", "by hand", ref); strings.Contains(text, first) || strings.Contains(text, second) {
		t.Errorf("the remote has %s", text)
	}
	if one.export(id) != two.export(id) {
		t.Error("the clones differ")
	}
}

// TestRedactedAlike: two clones that take out the same are joined, and go on.
func TestRedactedAlike(t *testing.T) {
	one, two, _ := sharing(t)
	const id, word = "redacted-alike", "alphasecret"
	s := newScript(id, one.dir).user("the word is " + word)
	one.importFiles(writeFile(t, filepath.Join(t.TempDir(), id+".jsonl"), s.text()))
	if _, err := one.shareSession(id); err != nil {
		t.Fatal(err)
	}
	if err := two.fetchSession(id); err != nil {
		t.Fatal(err)
	}
	one.redact(id, word)
	two.redact(id, word)
	if r, err := one.shareSession(id); err != nil || !r.Applied {
		t.Fatal(r, err)
	}
	if err := two.fetchSession(id); err != nil {
		t.Fatal(err)
	}
	if r, err := two.shareSession(id); err != nil || !r.Applied {
		t.Fatal(r, err)
	}
	if err := one.fetchSession(id); err != nil || one.export(id) != two.export(id) {
		t.Error(err)
	}
	for _, b := range []bench{one, two} {
		if left := traces(t, b.dir, word); len(left) > 0 {
			t.Errorf("the word is in %q", left)
		}
		gitIn(t, b.dir, "fsck", "--strict")
	}
}
