package memory_test

import (
	"slices"
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
	shown, err := b.Session(t.Context(), memory.SessionInput{ID: "c-1"})
	if err != nil || !slices.Equal(shown.Session.Facts, []string{"domain/ports/one"}) {
		t.Errorf("%+v, %v", shown, err)
	}
	b.clock.add(time.Hour)
	if got := state("claude-code", memory.CommitInput{}); got != "" {
		t.Errorf("of one that is quiet: %q", got)
	}
}
