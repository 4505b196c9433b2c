package memory_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"engram/memory"
	"engram/secret"
	stored "engram/session"
)

// newSessions is a repository with a memory that scans for real secrets.
func newSessions(t testing.TB) bench { return sessionsIn(t, newRepo(t)) }

func sessionsIn(t testing.TB, dir string) bench {
	t.Helper()
	c := newClock()
	m, err := memory.Open(t.Context(), dir, secret.New(), &memory.Options{Now: c.Now, NewID: numbered})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return bench{m, t, dir, c}
}

func (b bench) importFiles(files ...string) memory.ImportSessionsResult {
	b.t.Helper()
	r, err := b.ImportSessions(b.t.Context(), memory.ImportSessionsInput{Files: files})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b bench) export(id string) string {
	b.t.Helper()
	var out bytes.Buffer
	if err := b.ExportSession(b.t.Context(), memory.SessionExportInput{ID: id}, &out); err != nil {
		b.t.Fatal(err)
	}
	return out.String()
}

func (b bench) session(id string) memory.SessionResult {
	b.t.Helper()
	r, err := b.Session(b.t.Context(), memory.SessionInput{ID: id})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// eventIDs lists the events of a session, each with its turn and parent, and fails if one
// is there twice or if the summary counts others.
func (b bench) eventIDs(id string) (list []string) {
	b.t.Helper()
	r := b.session(id)
	seen := map[string]bool{}
	for _, e := range r.Events {
		if seen[e.ID] {
			b.t.Errorf("event %s is in %s twice", e.ID, id)
		}
		seen[e.ID] = true
		list = append(list, fmt.Sprint(e.ID, " ", e.Turn, " ", e.Kind, " ", e.Parent))
	}
	if r.Session.Events != len(list) {
		b.t.Errorf("the summary of %s counts %d events, and there are %d", id, r.Session.Events, len(list))
	}
	return list
}

func (b bench) sessionRefs() string {
	b.t.Helper()
	return gitIn(b.t, b.dir, "for-each-ref", "refs/engram/sessions")
}

// writeFile writes a file, with the folders that it is in.
func writeFile(t testing.TB, file, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// Lines of a transcript of Claude Code. at is in seconds since some moment.
type script struct {
	id    string
	cwd   string
	lines []string
	begin time.Time
}

func newScript(id, cwd string) *script {
	return &script{id: id, cwd: cwd, begin: time.Date(2026, 4, 1, 10, 0, 0, 0, time.UTC)}
}

func (s *script) add(kind string, message any) *script {
	n := len(s.lines)
	line := map[string]any{
		"type": kind, "sessionId": s.id, "cwd": s.cwd, "gitBranch": "main", "version": "2.0", "uuid": fmt.Sprintf("%s-%06d", s.id, n),
		"timestamp": s.begin.Add(time.Duration(n) * time.Second).Format("2006-01-02T15:04:05.000Z"), "message": message,
	}
	b, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	s.lines = append(s.lines, string(b)+"\n")
	return s
}

func (s *script) user(text string) *script {
	return s.add("user", map[string]any{"role": "user", "content": text})
}

func (s *script) agent(text string) *script {
	return s.add("assistant", map[string]any{"role": "assistant", "model": "m", "content": []any{map[string]any{"type": "text", "text": text}}})
}

func (s *script) call(id, tool string, input map[string]any) *script {
	return s.add("assistant", map[string]any{"role": "assistant", "model": "m", "content": []any{map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input}}})
}

func (s *script) result(id, text string) *script {
	return s.add("user", map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": text}}})
}

func (s *script) text() string { return strings.Join(s.lines, "") }

// talk is a script with some turns.
func talk(id string, turns int) *script {
	s := newScript(id, "/home/dev/project")
	for i := range turns {
		s.user(fmt.Sprintf("please do the thing number %d", i))
		s.agent(fmt.Sprintf("I am going to do thing %d", i))
		s.call(fmt.Sprint("call", i), "Bash", map[string]any{"command": fmt.Sprintf("make thing%d", i)})
		s.result(fmt.Sprint("call", i), fmt.Sprintf("thing %d was made\n%s", i, strings.Repeat(fmt.Sprintf("line of log %d\n", i), i%4*150)))
	}
	return s
}

// realTranscripts lists real transcripts that tests read if they are there.
func realTranscripts(t testing.TB) (files []string) {
	t.Helper()
	data := os.Getenv("ENGRAM_DATA")
	if data == "" {
		t.Skip("ENGRAM_DATA does not name the folder of measurement data")
	}
	for _, pattern := range []string{"entire-cli/*", "swe-agent/*"} {
		found, _ := filepath.Glob(filepath.Join(data, "sessions", pattern))
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Skip("there are no transcripts in ENGRAM_DATA/sessions")
	}
	return files
}

// TestSessionRoundTrip: every real transcript comes out as it went in, but for what was
// redacted or omitted, and importing it again adds nothing.
func TestSessionRoundTrip(t *testing.T) {
	files := realTranscripts(t)
	if testing.Short() {
		files = files[:8]
	}
	b := newSessions(t)
	ids := map[string][]string{} // the files of each session
	for _, file := range files {
		r := b.importFiles(file)
		for _, s := range r.Sessions {
			ids[s.ID] = append(ids[s.ID], file)
		}
		if len(r.Sessions) == 0 && len(r.Skipped) == 0 {
			t.Errorf("%s is in no session", file)
		}
		for _, s := range r.Skipped {
			t.Errorf("%s was skipped: %s", s.File, s.Reason)
		}
	}
	for id, of := range ids {
		b.checkRestored(id, of)
		b.eventIDs(id)
	}
	before := b.sessionRefs()
	if err := os.RemoveAll(filepath.Join(b.dir, ".git/engram/sessions/cursors")); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if r := b.importFiles(file); r.Events != 0 {
			t.Errorf("the second import of %s brought %d events", file, r.Events)
		}
	}
	if after := b.sessionRefs(); after != before {
		t.Errorf("references moved:\n%s\n%s", before, after)
	}
	gitIn(t, b.dir, "fsck", "--strict")
}

// checkRestored compares the export of a session with its files: it has the lines of the
// first, then those of the others that were new.
func (b bench) checkRestored(id string, files []string) {
	b.t.Helper()
	var want []string
	most := map[string]int{} // how often a line was in one of the files
	for i, file := range files {
		count := map[string]int{}
		content, err := os.ReadFile(file)
		if err != nil {
			b.t.Fatal(err)
		}
		for line := range strings.Lines(string(content)) {
			raw := strings.TrimSuffix(line, "\n")
			if count[raw]++; count[raw] <= most[raw] {
				continue
			}
			most[raw]++
			if i > 0 && len(want) > 0 && !strings.HasSuffix(want[len(want)-1], "\n") {
				want[len(want)-1] += "\n"
			}
			want = append(want, line)
		}
	}
	got := strings.SplitAfter(b.export(id), "\n")
	if got[len(got)-1] == "" {
		got = got[:len(got)-1]
	}
	if len(got) != len(want) {
		b.t.Errorf("%s (%d files) has %d lines, want %d", id, len(files), len(got), len(want))
		return
	}
	for i := range got {
		if got[i] != want[i] && !cleaned(want[i], got[i]) {
			b.t.Fatalf("line %d of %s is\n%.600s\nwant\n%.600s", i, id, got[i], want[i])
		}
	}
}

// cleaned reports whether a line differs from what it was in strings that say so alone.
func cleaned(was, is string) bool {
	var a, b any
	if json.Unmarshal([]byte(was), &a) != nil || json.Unmarshal([]byte(is), &b) != nil {
		return strings.Contains(is, "[redacted: ")
	}
	return sameBut(a, b)
}

func sameBut(was, is any) bool {
	switch was := was.(type) {
	case map[string]any:
		is, ok := is.(map[string]any)
		if !ok || len(is) != len(was) {
			return false
		}
		for key, value := range was {
			if !sameBut(value, is[key]) {
				return false
			}
		}
		return true
	case []any:
		is, ok := is.([]any)
		if !ok || len(is) != len(was) {
			return false
		}
		for i := range was {
			if !sameBut(was[i], is[i]) {
				return false
			}
		}
		return true
	case string:
		text, ok := is.(string)
		return ok && (text == was || strings.Contains(text, "[redacted: ") || strings.HasPrefix(text, "[omitted: "))
	}
	return was == is
}

// fullSessions makes the tests of sessions longer:
// ENGRAM_TEST_FULL=1 go test ./memory -run 'Session|Capture' -v
var fullSessions = os.Getenv("ENGRAM_TEST_FULL") != ""

// TestSessionCuts: in however many parts a transcript is imported, the session is the same.
func TestSessionCuts(t *testing.T) {
	b := newSessions(t)
	n := 0
	checks := flag.Lookup("rapid.checks")
	defer func(was string) { _ = checks.Value.Set(was) }(checks.Value.String())
	_ = checks.Value.Set("4") // each runs git many times
	if fullSessions {
		_ = checks.Value.Set("100")
	}
	rapid.Check(t, func(rt *rapid.T) {
		n++
		id := fmt.Sprintf("cuts-%d", n)
		s := talk(id, rapid.IntRange(1, 6).Draw(rt, "turns"))
		for range rapid.IntRange(0, 3).Draw(rt, "odd lines") {
			at := rapid.IntRange(0, len(s.lines)).Draw(rt, "at")
			odd := rapid.SampledFrom([]string{"\n", "no json\n", "{\"half\":\n", "nul \x00 here\n", "\xff\xfe\n", "\x1b]0;title\a\x1b[2J\n", "  \t\n", "{}\r\n"}).Draw(rt, "odd")
			s.lines = append(s.lines[:at], append([]string{odd}, s.lines[at:]...)...)
		}
		text := s.text()
		if rapid.Bool().Draw(rt, "crlf") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		if rapid.Bool().Draw(rt, "open") {
			text = text[:len(text)-1]
		}
		b.checkCuts(rt, id, text, rapid.SliceOfN(rapid.IntRange(1, len(text)), 1, 5).Draw(rt, "cuts"))
	})
}

// checkCuts imports a text at once in one repository and in parts in another.
func (b bench) checkCuts(rt rapid.TB, id, text string, cuts []int) {
	whole := writeFile(b.t, filepath.Join(b.t.TempDir(), "whole", id+".jsonl"), text)
	parts := filepath.Join(b.t.TempDir(), "parts", id+".jsonl")
	b.importFiles(whole)
	r := b.session(id)
	want, exported := b.eventIDs(id), b.export(id)
	if _, err := b.ForgetSession(b.t.Context(), memory.ForgetSessionInput{ID: id, Apply: true}); err != nil {
		rt.Fatal(err)
	}
	size := 0
	for _, cut := range append(cuts, len(text)) {
		if size = max(size, cut); size == 0 {
			continue
		}
		b.importFiles(writeFile(b.t, parts, text[:size]))
	}
	got := b.session(id)
	// What a record was before it was whole stays, superseded.
	superseded := map[string]bool{}
	for _, e := range got.Events {
		if e.Supersedes != "" {
			superseded[e.Supersedes] = true
		}
	}
	var list []string
	for _, e := range got.Events {
		if !superseded[e.ID] {
			list = append(list, e.ID)
		}
	}
	var ids []string
	for _, e := range r.Events {
		ids = append(ids, e.ID)
	}
	if len(superseded) == 0 {
		if now := b.eventIDs(id); strings.Join(now, "\n") != strings.Join(want, "\n") {
			rt.Fatalf("in parts %v:\n%s\nat once:\n%s", cuts, strings.Join(now, "\n"), strings.Join(want, "\n"))
		}
	}
	if strings.Join(list, "\n") != strings.Join(ids, "\n") {
		rt.Fatalf("in parts %v:\n%s\nat once:\n%s", cuts, strings.Join(list, "\n"), strings.Join(ids, "\n"))
	}
	if again := b.export(id); again != exported || again != text {
		rt.Fatalf("in parts %v: exported\n%q\nat once\n%q\nwant\n%q", cuts, again, exported, text)
	}
}

// TestSessionBadFiles: what is no transcript is skipped, and nothing hangs.
func TestSessionBadFiles(t *testing.T) {
	b := newSessions(t)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "empty.jsonl"), "")
	writeFile(t, filepath.Join(dir, "picture.png"), "\x89PNG\r\n\x1a\n\x00\x00")
	writeFile(t, filepath.Join(dir, "notes.md"), "# Notes\n\nnothing\n")
	writeFile(t, filepath.Join(dir, "good.jsonl"), talk("good-one", 2).text())
	pipe := filepath.Join(dir, "pipe.jsonl")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	done := make(chan memory.ImportSessionsResult, 1)
	go func() { done <- b.importFiles(dir, pipe, "/dev/zero") }()
	select {
	case r := <-done:
		if len(r.Sessions) != 1 || r.Sessions[0].ID != "good-one" {
			t.Errorf("imported %+v", r.Sessions)
		}
		var skipped []string
		for _, s := range r.Skipped {
			skipped = append(skipped, filepath.Base(s.File)+": "+s.Reason)
		}
		if len(skipped) != 5 {
			t.Errorf("skipped %q", skipped)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("import hangs")
	}
}

// TestExportSubAgent: the transcript of a sub-agent is written again by itself, and is no part of
// that of its session.
func TestExportSubAgent(t *testing.T) {
	b := newSessions(t)
	dir := t.TempDir()
	s, helper := talk("with-helper", 2), talk("with-helper", 3)
	for i, line := range helper.lines {
		helper.lines[i] = strings.Replace(strings.Replace(line, `{"cwd"`, `{"isSidechain":true,"agentId":"a17","cwd"`, 1), "with-helper-", "helper-", 1)
	}
	b.importFiles(writeFile(t, filepath.Join(dir, "with-helper.jsonl"), s.text()),
		writeFile(t, filepath.Join(dir, "with-helper", "subagents", "agent-a17.jsonl"), helper.text()))
	r := b.session("with-helper")
	if strings.Join(r.Session.SubAgents, " ") != "a17" || r.Session.Turns != 2 {
		t.Errorf("the session has the sub-agents %q and %d turns", r.Session.SubAgents, r.Session.Turns)
	}
	if b.export("with-helper") != s.text() {
		t.Error("the transcript of the session is another one")
	}
	for stream, want := range map[string]string{"a17": helper.text(), "a1": ""} {
		var out bytes.Buffer
		err := b.ExportSession(t.Context(), memory.SessionExportInput{ID: "with-helper", Stream: stream}, &out)
		if out.String() != want || (err == nil) != (want != "") {
			t.Errorf("of sub-agent %s: %q, %v", stream, out.String(), err)
		}
	}
}

// TestSessionRewritten: transcripts that were changed, shortened, rotated or divided.
func TestSessionRewritten(t *testing.T) {
	b := newSessions(t)
	file := filepath.Join(t.TempDir(), "one.jsonl")
	s := talk("one", 5)
	b.importFiles(writeFile(t, file, s.text()))
	had := b.eventIDs("one")
	t.Run("same size", func(t *testing.T) {
		text := strings.Replace(s.text(), "thing number 2", "thing number 9", 1)
		writeFile(t, file, text)
		if err := os.Chtimes(file, time.Time{}, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if r := b.importFiles(file); r.Events != 1 {
			t.Errorf("a changed line brought %d events", r.Events)
		}
		for _, e := range b.session("one").Events {
			if strings.Contains(e.Text, "thing number 9") && e.Turn != 3 {
				t.Errorf("the changed line is of turn %d", e.Turn)
			}
		}
	})
	t.Run("front removed", func(t *testing.T) {
		s.user("one more").agent("and done")
		writeFile(t, file, strings.Join(s.lines[6:], ""))
		if r := b.importFiles(file); r.Events != 2 {
			t.Errorf("two new lines brought %d events", r.Events)
		}
		list := b.session("one").Events
		if last := list[len(list)-1]; last.Text != "and done" || last.Turn != 6 {
			t.Errorf("the last event is %q of turn %d", last.Text, last.Turn)
		}
	})
	t.Run("rotated", func(t *testing.T) {
		if err := os.Rename(file, file+".1.jsonl"); err != nil {
			t.Fatal(err)
		}
		s.user("after the rotation").agent("fine")
		writeFile(t, file, strings.Join(s.lines[len(s.lines)-2:], ""))
		if r := b.importFiles(file, file+".1.jsonl"); r.Events != 2 {
			t.Errorf("two new lines brought %d events", r.Events)
		}
		list := b.session("one").Events
		if last := list[len(list)-1]; last.Turn != 7 || len(list) != len(had)+5 {
			t.Errorf("the last event is of turn %d, and there are %d", last.Turn, len(list))
		}
	})
	t.Run("reference deleted", func(t *testing.T) {
		gitIn(t, b.dir, "update-ref", "-d", stored.Ref("one"))
		whole := writeFile(t, filepath.Join(t.TempDir(), "again.jsonl"), talk("one", 5).text())
		b.importFiles(whole)
		if got := b.eventIDs("one"); strings.Join(got, "\n") != strings.Join(had, "\n") {
			t.Errorf("imported again:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(had, "\n"))
		}
	})
	t.Run("a beginning and the whole", func(t *testing.T) {
		s := talk("two-files", 5)
		half := writeFile(t, filepath.Join(t.TempDir(), "half.jsonl"), strings.TrimSuffix(strings.Join(s.lines[:9], ""), "\n"))
		whole := writeFile(t, filepath.Join(t.TempDir(), "whole.jsonl"), s.text())
		b.importFiles(half)
		b.importFiles(whole)
		if b.export("two-files") != s.text() {
			t.Error("the export is not the longer file")
		}
		gitIn(t, b.dir, "update-ref", "-d", stored.Ref("two-files"))
		b.importFiles(whole)
		b.importFiles(half)
		if b.export("two-files") != s.text() {
			t.Error("the export of the longer file and its beginning is not the longer one")
		}
		changed := strings.Replace(s.lines[4], "thing", "other thing", 1)
		b.importFiles(writeFile(t, filepath.Join(t.TempDir(), "changed.jsonl"), strings.Join(s.lines[:4], "")+changed+strings.Join(s.lines[5:], "")))
		if b.export("two-files") != s.text()+changed {
			t.Error("the export of a changed record is not both")
		}
	})
	t.Run("two sessions in one file", func(t *testing.T) {
		x, y := talk("two-x", 3), talk("two-y", 2)
		mixed := writeFile(t, filepath.Join(t.TempDir(), "mixed.jsonl"), x.text()+y.text()+x.user("back").lines[len(x.lines)-1])
		b.importFiles(mixed)
		if got := b.export("two-x"); got != x.text() {
			t.Errorf("exported %q", got)
		}
		if got := b.export("two-y"); got != y.text() {
			t.Errorf("exported %q", got)
		}
	})
}

// TestSessionLongLine: a line of 4 MB, in full 50, comes back, whatever is in it.
func TestSessionLongLine(t *testing.T) {
	size := 4 << 20
	if fullSessions {
		size = 50 << 20
	}
	b := newSessions(t)
	for name, line := range map[string]string{
		"long-json":   newScript("long-json", "/w").user("go").result("c", strings.Repeat("a line of a log that is long\n", size/29)).text(),
		"long-broken": newScript("long-broken", "/w").user("go").text() + "{\"broken\xff\":" + strings.Repeat("no end ", size/7) + "\n",
	} {
		b.importFiles(writeFile(t, filepath.Join(t.TempDir(), name+".jsonl"), line))
		if got := b.export(name); got != line {
			t.Errorf("%s: %d bytes came back of %d", name, len(got), len(line))
		}
	}
}
