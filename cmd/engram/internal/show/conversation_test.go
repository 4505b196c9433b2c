package show_test

import (
	"bufio"
	"bytes"
	"strings"
	"testing"
	"time"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/term"
	"engram/memory"
	"engram/session"
)

// TestCommitsAreToldOnce: git's hook notes a commit before the client's transcript has the
// call that made it.
func TestCommitsAreToldOnce(t *testing.T) {
	at := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	note := func(id, commit string, second int) memory.SessionEvent {
		return memory.SessionEvent{ID: id, Turn: 1, Kind: session.SystemNote, Tags: []string{session.TagCommit}, Commits: []string{commit}, Text: "commit " + commit, At: at.Add(time.Duration(second) * time.Second)}
	}
	list := []memory.SessionEvent{
		{ID: "a", Turn: 1, Kind: session.UserMessage, Text: "Please do.", At: at},
		note("n1", "1111111aaaa", 2),
		note("n2", "2222222bbbb", 4),
		{ID: "b", Turn: 1, Kind: session.ToolCall, Tool: "Bash", Text: `{"command":"git commit -m one"}`, At: at.Add(time.Second)},
		{ID: "c", Turn: 1, Kind: session.ToolResult, Parent: "b", Text: "[main 1111111] one", Commits: []string{"1111111"}, At: at.Add(2 * time.Second)},
		{ID: "d", Turn: 1, Kind: session.ToolCall, Tool: "Bash", Text: `{"command":"./release.sh"}`, At: at.Add(3 * time.Second)},
		{ID: "e", Turn: 1, Kind: session.AgentMessage, Text: "All is done.", At: at.Add(5 * time.Second)},
	}
	print := func(c show.Conversation) string {
		var out bytes.Buffer
		data := bufio.NewWriter(&out)
		c.Out = &term.Streams{Data: data, Width: 80}
		c.Print(list)
		_ = data.Flush()
		return out.String()
	}
	got := print(show.Conversation{})
	if strings.Contains(got, "commit 1111111aaaa") || strings.Count(got, "commit 1111111") != 1 {
		t.Errorf("a commit that a result names is told again:\n%s", got)
	}
	last := -1
	for _, text := range []string{"Please do.", "git commit -m one", "./release.sh", "commit 2222222bbbb", "All is done."} {
		i := strings.Index(got, text)
		if i <= last {
			t.Errorf("%q is not where it belongs:\n%s", text, got)
		}
		last = i
	}
	if all := print(show.Conversation{Notes: true}); !strings.Contains(all, "commit 1111111aaaa") {
		t.Errorf("a note is missing although all are wanted:\n%s", all)
	}
	if list[1].ID != "n1" {
		t.Error("the caller's events were moved")
	}
}

// TestResultsNameTheirCalls if they do not follow them: agents call several tools at once.
func TestResultsNameTheirCalls(t *testing.T) {
	list := []memory.SessionEvent{
		{ID: "a", Turn: 1, Kind: session.ToolCall, Tool: "Read", Text: `{"file_path":"a.go"}`},
		{ID: "b", Turn: 1, Kind: session.ToolCall, Tool: "Grep", Text: `{"pattern":"round"}`},
		{ID: "c", Turn: 1, Kind: session.ToolResult, Parent: "a", Text: "package a"},
		{ID: "d", Turn: 1, Kind: session.ToolResult, Parent: "b", Text: "a.go:\treturn round(cents) // " + strings.Repeat("and so on ", 20)},
		{ID: "e", Turn: 1, Kind: session.ToolCall, Tool: "Read", Text: `{"file_path":"b.go"}`},
		{ID: "f", Turn: 1, Kind: session.ToolResult, Parent: "e", Text: "package b"},
	}
	var out bytes.Buffer
	data := bufio.NewWriter(&out)
	show.Conversation{Out: &term.Streams{Data: data, Width: 60}}.Print(list)
	_ = data.Flush()
	for text, want := range map[string]int{"result of Read  a.go:\n": 1, "result of Grep  round:\n": 1, "result of Read  b.go": 0, `\t`: 0} {
		if strings.Count(out.String(), text) != want {
			t.Errorf("%q is not there %d times:\n%s", text, want, out.String())
		}
	}
}
