package memory_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"engram/internal/filelock"
	"engram/memory"
)

// windowOf appends turns to a session and returns what a window would have of them.
func windowOf(t *testing.T, m *memory.Memory, id string, from, turns int) (items []memory.WindowItem) {
	t.Helper()
	at := time.Date(2026, 5, 1, 8, 0, 0, 0, time.UTC)
	for turn := from; turn < from+turns; turn++ {
		var events []memory.AppendedEvent
		for n, text := range []string{fmt.Sprintf("Look at service%d.go.", turn), strings.Repeat(fmt.Sprintf("service%d.go: pool of connections is empty\n", turn), 40)} {
			kind := []string{"user_message", "tool_result"}[n]
			events = append(events, memory.AppendedEvent{Kind: kind, Text: text, At: at.Add(time.Duration(2*turn+n) * time.Minute)})
		}
		added, err := m.AppendEvents(t.Context(), memory.AppendEventsInput{Session: id, Client: "planner", Events: events})
		if err != nil {
			t.Fatal(err)
		}
		for n, event := range added.Events {
			items = append(items, memory.WindowItem{ID: event, Turn: turn, Class: "tool_result", Text: events[n].Text})
		}
	}
	return items
}

// TestCompactEvictsOnlyWhatIsStoredAndIndexed: whatever a caller says is in its window, what
// leaves it can be found again; an event of the journal alone stays.
func TestCompactEvictsOnlyWhatIsStoredAndIndexed(t *testing.T) {
	r := newMemory(t)
	m := r.Memory
	items := windowOf(t, m, "run-1", 1, 20)
	forged := items[3]
	forged.ID = "01KQF45CBGX1M8MSTR95XX78YP"
	items = append([]memory.WindowItem{forged}, items...)
	in := memory.CompactInput{Session: "run-1", Items: items, Window: 3000, KeepTurns: 2}

	// While somebody reads the journal, nothing can be sealed.
	logs, err := filepath.Glob(filepath.Join(r.dir, ".git", "engram", "sessions", "live", "*", "run-1", "lock"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	release, err := filelock.Acquire(t.Context(), logs[0], filelock.Shared)
	if err != nil {
		t.Fatal(err)
	}
	held, err := m.Compact(t.Context(), in)
	if err != nil || len(held.Evicted) != 0 || held.Held["not stored"] == 0 || len(held.Notes) == 0 {
		t.Errorf("events of the journal alone: evicted %v, held %v, notes %v, %v", held.Evicted, held.Held, held.Notes, err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}

	done, err := m.Compact(t.Context(), in)
	if err != nil || !done.Fits || len(done.Evicted) == 0 || len(done.Markers) == 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	for _, id := range done.Evicted {
		if id == forged.ID {
			t.Error("an event that nobody stored was evicted")
		}
		found, err := m.Session(t.Context(), memory.SessionInput{ID: "run-1", Around: id})
		if err != nil || len(found.Events) == 0 {
			t.Errorf("%s is not stored: %v", id, err)
		}
	}
	if info, err := os.Stat(filepath.Join(filepath.Dir(logs[0]), "log")); err == nil && info.Size() != 0 {
		t.Errorf("the journal still has %d bytes", info.Size())
	}
	again, err := m.Recall(t.Context(), memory.RecallInput{Queries: []string{"service2.go pool of connections"}, Session: "run-1"})
	if err != nil || len(again.Items) == 0 || !strings.Contains(again.Items[0].Text, "service2.go") {
		t.Errorf("what was evicted is not found: %+v, %v", again.Items, err)
	}

	in.Window = 0
	if _, err := m.Compact(t.Context(), in); err == nil || !strings.Contains(err.Error(), "size of the window") {
		t.Errorf("without a window: %v", err)
	}
	in.Window, in.Items = 100, []memory.WindowItem{{ID: "../x", Class: "dialogue"}}
	if _, err := m.Compact(t.Context(), in); err == nil {
		t.Error("an id that is none is accepted")
	}
}

func init() { roles["holder"] = hold }

// hold holds a lock file until its input ends.
func hold(args []string) error {
	release, err := filelock.Acquire(context.Background(), args[0], filelock.Exclusive)
	if err != nil {
		return err
	}
	fmt.Println("held")
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, release())
}

// TestCompactDoesNotWaitForAJournal: a process that holds the journal of a session does not stop
// those who ask for a compaction.
func TestCompactDoesNotWaitForAJournal(t *testing.T) {
	r := newMemory(t)
	items := windowOf(t, r.Memory, "run-1", 1, 20)
	if _, err := r.ReadySession(t.Context(), "run-1", 1<<30); err != nil {
		t.Fatal(err)
	}
	windowOf(t, r.Memory, "run-1", 21, 1)
	logs, err := filepath.Glob(filepath.Join(r.dir, ".git", "engram", "sessions", "live", "*", "run-1", "lock"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	cmd := exec.Command(os.Args[0], logs[0])
	cmd.Env = append(os.Environ(), roleVariable+"=holder")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
			t.Error(err)
		}
	}()
	if _, err := out.Read(make([]byte, 4)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	result, err := r.Compact(ctx, memory.CompactInput{Session: "run-1", Items: items, Window: 3000, KeepTurns: 2})
	if err != nil || len(result.Evicted) == 0 || len(result.Notes) != 2 {
		t.Errorf("evicted %v, notes %q, %v", result.Evicted, result.Notes, err)
	}
}

// TestPackOfASession: blocks keep to their budgets, in their order, and markers are the same
// whether they are made at once or bit by bit.
func TestPackOfASession(t *testing.T) {
	r := newMemory(t)
	m := r.Memory
	pack := func(m *memory.Memory, in memory.PackInput) memory.PackResult {
		t.Helper()
		result, err := m.Pack(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	if empty := pack(m, memory.PackInput{}); !empty.Empty() {
		t.Errorf("a memory without anything: %+v", empty)
	}
	bits := ""
	for turn := 1; turn < 300; turn += 30 {
		windowOf(t, m, "run-2", turn, 30)
		if _, err := m.ReadySession(t.Context(), "run-2", 1<<30); err != nil {
			t.Fatal(err)
		}
		bits = fmt.Sprint(pack(m, memory.PackInput{Session: "run-2"}).Markers)
	}
	if _, err := m.SetTaskState(t.Context(), memory.SetTaskStateInput{Input: memory.TaskStateInput{Session: "run-2"}, Goals: []string{"Fill the pool"}}); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(r.dir, ".git", "engram", "sessions", "outlines")); err != nil {
		t.Fatal(err)
	}
	result := pack(m, memory.PackInput{Session: "run-2", System: "You plan.", User: "Go on.", Tail: 2})
	most := map[string]int{"system": 4000, "brief": 400, "recall": 100, "task_state": 800, "markers": 1200, "tail": 12000, "user": 10}
	var names []string
	for _, b := range result.Blocks {
		names = append(names, b.Name)
		if b.Tokens > most[b.Name] {
			t.Errorf("%s has %d tokens", b.Name, b.Tokens)
		}
	}
	if got := strings.Join(names, " "); got != "system recall task_state markers tail user" {
		t.Errorf("blocks: %s", got)
	}
	if text := result.Text(); !strings.Contains(text, "- Fill the pool") || !strings.Contains(text, "[T300 user] Look at service300.go.") ||
		result.Markers[0].First != 1 || result.Markers[len(result.Markers)-1].Last != 298 || len(result.Markers) > 20 {
		t.Errorf("markers %v in\n%s", result.Markers, text)
	}
	if whole := fmt.Sprint(pack(m, memory.PackInput{Session: "run-2"}).Markers); whole != bits {
		t.Errorf("markers that were made at once differ:\n%s\n%s", whole, bits)
	}
	if none := pack(m, memory.PackInput{Session: "run-2", Left: memory.LeftCompacted}); len(none.Markers) != 0 {
		t.Errorf("nothing was compacted, but there are markers: %v", none.Markers)
	}
}

func BenchmarkPack(b *testing.B) {
	r := newMemory(b)
	m := r.Memory
	var events []memory.AppendedEvent
	for n := range 400 {
		events = append(events, memory.AppendedEvent{Kind: "user_message", Text: fmt.Sprintf("Look at service%d.go.", n)})
	}
	if _, err := m.AppendEvents(b.Context(), memory.AppendEventsInput{Session: "run-3", Events: events}); err != nil {
		b.Fatal(err)
	}
	if _, err := m.ReadySession(b.Context(), "run-3", 1<<30); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := m.Pack(b.Context(), memory.PackInput{Session: "run-3", User: "Go on."}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestTaskOfAnotherClone: who goes on in another clone is told the state of the task that was
// written there, if it is newer, on the same branch and by the same person.
func TestTaskOfAnotherClone(t *testing.T) {
	one, two, _ := sharing(t)
	set := func(b bench, id, goal string) {
		t.Helper()
		windowOf(t, b.Memory, id, 1, 1)
		if _, err := b.SetTaskState(t.Context(), memory.SetTaskStateInput{Input: memory.TaskStateInput{Session: id}, Goals: []string{goal}}); err != nil {
			t.Fatal(err)
		}
	}
	begun := 0
	told := func(b bench) string { // a session that begins
		t.Helper()
		begun++
		id := fmt.Sprint("new-", begun)
		windowOf(t, b.Memory, id, 1, 1)
		r, err := b.Pack(t.Context(), memory.PackInput{Session: id, WithoutBrief: true, Left: memory.LeftNone})
		if err != nil {
			t.Fatal(err)
		}
		return r.Text()
	}
	set(two, "two", "An old goal.")
	b := told(two)
	if !strings.Contains(b, "An old goal.") {
		t.Fatalf("told %q", b)
	}
	for range 4 { // the clocks of the two go on with what they do
		set(one, "one", "Ship the checkout.")
	}
	if r, err := one.shareSession("one"); err != nil || !r.Applied {
		t.Fatal(r, err)
	}
	if err := two.fetchSession("one"); err != nil {
		t.Fatal(err)
	}
	if b = told(two); !strings.Contains(b, "Ship the checkout.") || !strings.Contains(b, "Written in session one of another clone") || strings.Contains(b, "An old goal.") {
		t.Errorf("after the fetch: %q", b)
	}
	for range 6 {
		set(two, "two", "A newer goal.")
	}
	if b = told(two); !strings.Contains(b, "A newer goal.") {
		t.Errorf("a newer one here: %q", b)
	}
	for range 9 {
		set(one, "one", "Not yours.")
	}
	gitIn(t, two.dir, "config", "user.email", "bob@example.com")
	if r, err := one.shareSession("one"); err != nil || !r.Applied {
		t.Fatal(r, err)
	}
	other := sessionsIn(t, two.dir) // another process, which asks git again who works here
	if err := other.fetchSession("one"); err != nil {
		t.Fatal(err)
	}
	if b = told(other); strings.Contains(b, "Not yours.") {
		t.Errorf("of another person: %q", b)
	}
}
