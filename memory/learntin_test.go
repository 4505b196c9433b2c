package memory_test

import (
	"strings"
	"testing"
	"time"

	"engram/memory"
)

// TestLearntIn: a fact that an agent states names the session that runs in the work tree
// if only one can be the agent's, and the session knows its facts.
func TestLearntIn(t *testing.T) {
	b := newMemory(t)
	begin := func(id, client string) string {
		t.Helper()
		r, err := b.AppendEvents(t.Context(), memory.AppendEventsInput{Session: id, Client: client, Agent: client, Events: []memory.AppendedEvent{{Kind: "user_message", Text: "Fix it."}}})
		if err != nil {
			t.Fatal(err)
		}
		return "sam:" + id + "@" + r.Events[0]
	}
	number := 0
	state := func(agent string, in memory.CommitInput) string {
		t.Helper()
		number++
		in.Agent, in.Claim = agent, "Port "+strings.Repeat("1", number)+" is taken."
		if in.Key == "" {
			in.Key = "domain/ports/p" + strings.Repeat("x", number)
		}
		r := b.commit(in)
		got, err := b.Get(t.Context(), memory.GetInput{Key: r.Key})
		if err != nil {
			t.Fatal(err)
		}
		return got.Fact.Session
	}
	if got := state("claude-code", memory.CommitInput{}); got != "" {
		t.Errorf("without a session: %q", got)
	}
	claude := begin("c-1", "claude-code")
	if got := state("claude-code", memory.CommitInput{Key: "domain/ports/one"}); got != claude {
		t.Errorf("%q, want %q", got, claude)
	}
	if got := state("", memory.CommitInput{}); got != "" {
		t.Errorf("a person's: %q", got)
	}
	if got := state("codex-mcp-client", memory.CommitInput{}); got != "" {
		t.Errorf("another client's: %q", got)
	}
	if got := state("claude-code", memory.CommitInput{Session: "c-9"}); got != "sam:c-9" {
		t.Errorf("stated: %q", got)
	}
	codex := begin("x-1", "codex")
	if got := state("codex-mcp-client", memory.CommitInput{}); got != codex {
		t.Errorf("%q, want %q", got, codex)
	}
	if got := state("reviewer", memory.CommitInput{}); got != "" {
		t.Errorf("of one of two: %q", got)
	}
	// What a client says of the session that it runs the commit in decides between several.
	begin("c-2", "claude-code")
	for _, tt := range []struct{ client, within, want string }{
		{"claude-code", "c-1", "c-1"}, {"claude-code", "c-2", "c-2"}, {"codex", "x-1", "x-1"},
		{"claude-code", "", ""}, {"claude-code", "c-unknown", ""}, {"codex", "x-unknown", "x-1"}, {"codex", "", "x-1"}, {"gemini", "c-unknown", ""},
	} {
		got := state("", memory.CommitInput{Client: tt.client, Within: tt.within})
		if id, _, _ := strings.Cut(strings.TrimPrefix(got, "sam:"), "@"); id != tt.want {
			t.Errorf("of %s within %q: %q, want %q", tt.client, tt.within, got, tt.want)
		}
	}
	if got := state("reviewer", memory.CommitInput{Client: "claude-code", Within: "c-1"}); !strings.HasPrefix(got, "sam:c-1@") {
		t.Errorf("of another agent within c-1: %q", got)
	}
	shown, err := b.Session(t.Context(), memory.SessionInput{ID: "c-1"})
	if err != nil || len(shown.Session.Facts) != 3 || shown.Session.Facts[0] != "domain/ports/one" {
		t.Errorf("%+v, %v", shown, err)
	}
	b.clock.add(time.Hour)
	if got := state("claude-code", memory.CommitInput{}); got != "" {
		t.Errorf("of one that is quiet: %q", got)
	}
	if got := state("", memory.CommitInput{Client: "claude-code", Within: "c-1"}); !strings.HasPrefix(got, "sam:c-1@") {
		t.Errorf("within one that is quiet: %q", got)
	}
}
