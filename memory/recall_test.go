package memory_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"engram/memory"
)

// incident is a session with a needle in a long log, a rationale, and noise.
func incident(dir string) *script {
	s := newScript("incident-1", dir)
	s.user("The checkout is slow since the deploy. Find out why.")
	var log strings.Builder
	for i := range 4000 {
		if i == 2222 {
			log.WriteString("2026-01-07T10:12:57Z ERROR pool exhausted: dial tcp 10.0.3.7:5432 refused\n")
		}
		fmt.Fprintf(&log, "2026-01-07T10:%02d:%02dZ INFO worker %d finished job %d\n", i/60%60, i%60, i%7, i*31)
	}
	s.call("log", "Bash", map[string]any{"command": "kubectl logs checkout"}).result("log", log.String())
	s.agent("The database refuses connections. The image is sha256 a7f3b2c9e1d8, deployed with --max-retries=7 --timeout=3200ms.")
	s.agent("We chose PostgreSQL over MySQL because of JSONB support and better concurrent writes, so the pool has to grow.")
	for i := range 30 {
		s.user(fmt.Sprintf("And what does step %d of the pipeline do?", i))
		s.call(fmt.Sprint("n", i), "Bash", map[string]any{"command": fmt.Sprintf("cat pipeline/step_%d.yml", i)})
		s.result(fmt.Sprint("n", i), strings.Repeat(fmt.Sprintf("step %d builds image %x with --max-retries=%d\n", i, i*7919, i), 20))
		s.agent(fmt.Sprintf("Step %d builds an image.", i))
	}
	return s
}

func (b bench) recall(in memory.RecallInput) memory.RecallResult {
	b.t.Helper()
	r, err := b.Recall(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	tokens := 0
	for _, item := range r.Items {
		tokens += item.Tokens
	}
	if tokens != r.Tokens || tokens > r.Budget {
		b.t.Errorf("%d tokens, %d are said, of a budget of %d", tokens, r.Tokens, r.Budget)
	}
	return r
}

func texts(r memory.RecallResult) string {
	var list []string
	for _, item := range r.Items {
		list = append(list, item.Text)
	}
	return strings.Join(list, "\n")
}

func TestRecall(t *testing.T) {
	b := newSessions(t)
	if _, err := b.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	file := writeFile(t, filepath.Join(t.TempDir(), "incident.jsonl"), incident(b.dir).text())
	b.importFiles(file)
	for _, tt := range []struct{ query, want string }{
		{"which address refused the connection of the pool?", "dial tcp 10.0.3.7:5432 refused"},
		{"10.0.3.7:5432", "pool exhausted: dial tcp 10.0.3.7:5432 refused"},
		{"what is the hash of the image that was deployed?", "a7f3b2c9e1d8"},
		{"a7f3b2c9e1d8", "a7f3b2c9e1d8"},
		{"which flags was it deployed with", "--max-retries=7 --timeout=3200ms"},
		{"why PostgreSQL and not MySQL", "because of JSONB support"},
		{"pipeline/step_17.yml", "pipeline/step_17.yml"},
	} {
		r := b.recall(memory.RecallInput{Queries: []string{tt.query}, Budget: 800})
		if len(r.Items) == 0 || !strings.Contains(texts(r), tt.want) {
			t.Errorf("recall %q lacks %q:\n%s", tt.query, tt.want, texts(r))
			continue
		}
		if exact := r.Items[0]; strings.ContainsAny(tt.query, "/:") && !strings.Contains(tt.query, " ") && !strings.Contains(exact.Text, tt.query) {
			t.Errorf("recall %q begins with %q", tt.query, exact.Text)
		}
		for _, item := range r.Items {
			if _, err := b.Deref(t.Context(), memory.DerefInput{Ref: item.Pointer}); err != nil {
				t.Errorf("%s cannot be read: %v", item.Pointer, err)
			}
		}
	}

	// A reason is found in other words, once decisions were derived.
	if _, err := b.Consolidate(t.Context(), memory.ConsolidateInput{}); err != nil {
		t.Fatal(err)
	}
	if r := b.recall(memory.RecallInput{Queries: []string{"Why did we pick this relational storage engine?"}}); !strings.Contains(texts(r), "because of JSONB support") {
		t.Errorf("the reason is missing:\n%s", texts(r))
	}

	// The passage of a long artifact says where it stands.
	item := b.recall(memory.RecallInput{Queries: []string{"10.0.3.7:5432"}}).Items[0]
	if item.Whole || item.Artifact == "" || !item.Exact || len(item.Lines) == 0 || item.Lines[0][0] > 2223 || item.Lines[len(item.Lines)-1][1] < 2223 {
		t.Errorf("%+v", item)
	}

	// What was returned before can be left out.
	first := b.recall(memory.RecallInput{Queries: []string{"image"}, Budget: 300})
	var seen []string
	for _, item := range first.Items {
		seen = append(seen, item.Pointer)
	}
	for _, item := range b.recall(memory.RecallInput{Queries: []string{"image"}, Budget: 300, Seen: seen}).Items {
		if slices.Contains(seen, item.Pointer) {
			t.Errorf("%s comes again", item.Pointer)
		}
	}

	// Nothing that was said is in the log, only counts and ids.
	log, err := os.ReadFile(filepath.Join(b.dir, ".git/engram/sessions/recalls.jsonl"))
	if err != nil || strings.Contains(string(log), "PostgreSQL") || strings.Count(string(log), "\n") < 8 || !strings.Contains(string(log), `"returned":["sam:incident-1@`) {
		t.Errorf("the log: %v\n%.500s", err, log)
	}
	for line := range strings.Lines(string(log)) {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
}

// A second hop finds what only the first one's answer names.
func TestRecallHops(t *testing.T) {
	b := newSessions(t)
	s := newScript("hops-1", b.dir)
	s.user("Who signs the release?").agent("The release is signed by zephyr_42.")
	for i := range 40 {
		s.user(fmt.Sprintf("Next, look at number %d.", i)).agent(fmt.Sprintf("Number %d is fine.", i))
	}
	s.user("Look at the key store.").agent("In the key store, zephyr_42 uses slot 9c1f77ab.")
	b.importFiles(writeFile(t, filepath.Join(t.TempDir(), "hops.jsonl"), s.text()))
	one := b.recall(memory.RecallInput{Queries: []string{"who signs the release"}, Budget: 200})
	two := b.recall(memory.RecallInput{Queries: []string{"who signs the release"}, Budget: 400, Hops: 2})
	if strings.Contains(texts(one), "9c1f77ab") {
		t.Error("one hop finds it as well: the test tests nothing")
	}
	if !strings.Contains(texts(two), "9c1f77ab") || !strings.Contains(texts(two), "zephyr_42") {
		t.Errorf("two hops:\n%s", texts(two))
	}
}

// A line in the middle of long output is found by its one rare word, although many short events
// count for more, because they are short.
func TestRecallOfARareWord(t *testing.T) {
	b := newSessions(t)
	var events []memory.AppendedEvent
	add := func(kind, text string) { events = append(events, memory.AppendedEvent{Kind: kind, Text: text}) }
	long := strings.Repeat("compiled one module without a warning and went on to the next\n", 150)
	add("tool_result", long+"The leak of the session controller is at core.go:41.\n"+long)
	for i := range 120 {
		add("agent_message", fmt.Sprintf("Number %d is about the %s.", i, []string{"file", "line", "session", "controller"}[i%4]))
	}
	if _, err := b.AppendEvents(t.Context(), memory.AppendEventsInput{Session: "rare-1", Events: events, Seal: true}); err != nil {
		t.Fatal(err)
	}
	if r := b.recall(memory.RecallInput{Queries: []string{"In which file and line is the leak of the session controller?"}}); !strings.Contains(texts(r), "core.go:41") {
		t.Errorf("%s", texts(r))
	}
}

// The state of a task weighs in: its key events are found, and what it supersedes goes back.
func TestRecallKnowsTheTask(t *testing.T) {
	b := newSessions(t)
	add := func(events ...memory.AppendedEvent) []string {
		r, err := b.AppendEvents(t.Context(), memory.AppendEventsInput{Session: "plan-1", Agent: "planner", Events: events, Seal: true})
		if err != nil {
			t.Fatal(err)
		}
		return r.Events
	}
	at := time.Date(2026, 1, 7, 10, 0, 0, 0, time.UTC)
	old := add(memory.AppendedEvent{Kind: "user_message", At: at, Text: "The objective of the migration is to finish in March."})
	add(memory.AppendedEvent{Kind: "user_message", At: at.Add(time.Minute), Text: "The objective of the migration is to finish in May.", Supersedes: old[0]})
	key := add(memory.AppendedEvent{Kind: "agent_message", At: at.Add(2 * time.Minute), Text: "Ada holds the credentials of the cluster."})
	if _, err := b.SetTaskState(t.Context(), memory.SetTaskStateInput{Input: memory.TaskStateInput{Session: "plan-1"}, KeyEvents: key}); err != nil {
		t.Fatal(err)
	}
	r := b.recall(memory.RecallInput{Queries: []string{"objective of the migration"}, Session: "plan-1", Explain: true})
	if !strings.Contains(texts(r), "Ada holds") {
		t.Errorf("the key event is missing:\n%s", texts(r))
	}
	if !strings.Contains(r.Items[0].Text, "May") {
		t.Errorf("first is %+v, want the newer objective", r.Items[0])
	}
	for _, item := range r.Items {
		if f := item.Factors; f == nil || f.Score < f.Base*f.Modifier-1e-9 {
			t.Errorf("factors of %s: %+v", item.Pointer, f)
		}
	}
	if all := b.recall(memory.RecallInput{Queries: []string{"objective of the migration"}, Historical: true}); !strings.Contains(texts(all), "March") {
		t.Errorf("the older objective is gone:\n%s", texts(all))
	}
}

func TestRecallSeesWhatItsReaderMay(t *testing.T) {
	b := newSessions(t)
	_, err := b.AppendEvents(t.Context(), memory.AppendEventsInput{Session: "s-1", Agent: "planner", Seal: true, Events: []memory.AppendedEvent{
		{Kind: "agent_message", Text: "The canary of the private note is bluebird.", Label: "private"},
		{Kind: "agent_message", Text: "The canary of the public note is robin."},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Consolidate(t.Context(), memory.ConsolidateInput{}); err != nil {
		t.Fatal(err)
	}
	for agent, want := range map[string]bool{"": true, "planner": true, "stranger": false} {
		r := b.recall(memory.RecallInput{Queries: []string{"canary of the note", "bluebird"}, AskedBy: agent})
		if got := strings.Contains(texts(r), "bluebird"); got != want {
			t.Errorf("%q sees the private note: %v", agent, got)
		}
		if !strings.Contains(texts(r), "robin") {
			t.Errorf("%q does not see the public note", agent)
		}
	}
}

func TestRecallOfAnything(t *testing.T) {
	b := newSessions(t)
	b.importFiles(writeFile(t, filepath.Join(t.TempDir(), "x.jsonl"), talk("any-1", 5).text()))
	for _, queries := range [][]string{{strings.Repeat("long query ", 10_000)}, {"日本語の質問", "вопрос"}, {`"`, "\x00\xff"}, {"*?[]{}()|\\"}, {"a", "b", "c", "d", "e", "f", "g", "h"}} {
		r := b.recall(memory.RecallInput{Queries: queries, Hops: 2, Explain: true})
		if len(queries[0]) > 4096 && len(r.Notes) == 0 {
			t.Error("nothing says that the query was cut")
		}
	}
	for name, in := range map[string]memory.RecallInput{
		"nothing": {}, "spaces": {Queries: []string{"  "}}, "nine": {Queries: make([]string, 9)},
		"kind": {Queries: []string{"x"}, Kinds: []string{"rumour"}}, "session": {Queries: []string{"x"}, Session: "none-such"},
	} {
		if _, err := b.Recall(t.Context(), in); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	empty := newSessions(t)
	if r := empty.recall(memory.RecallInput{Queries: []string{"x"}}); len(r.Items) > 0 {
		t.Errorf("%+v", r.Items)
	}
}

func BenchmarkRecall(b *testing.B) {
	s := newSessions(b)
	s.importFiles(realTranscripts(b)...)
	if _, err := s.Consolidate(b.Context(), memory.ConsolidateInput{}); err != nil {
		b.Fatal(err)
	}
	queries := []string{"how was the telemetry opt-out decided", "TestTruncateRunes", "what was the root cause of the missing agent type", "cmd/entire/cli/list/tree.go:42:24"}
	for i := 0; b.Loop(); i++ {
		s.recall(memory.RecallInput{Queries: queries[i%len(queries) : i%len(queries)+1]})
	}
}
