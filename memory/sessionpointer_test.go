package memory_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"engram/memory"
)

// talk appends a session in which a tool's result is long and one event is private.
func (b bench) talk(id string, seal bool) memory.AppendEventsResult {
	b.t.Helper()
	at := time.Date(2026, 4, 30, 9, 0, 0, 0, time.UTC)
	r, err := b.AppendEvents(b.t.Context(), memory.AppendEventsInput{Session: id, Client: "orchestrator", Agent: "coder", Seal: seal, Events: []memory.AppendedEvent{
		{Kind: "user_message", At: at, Text: "Why nine retries? The key is " + marker + "."},
		{Kind: "tool_result", At: at, Tool: "Bash", Text: "# Limits\n\n" + strings.Repeat("The gateway answers 429 above nine calls.\n", 200) + "\n# Other\n\nNothing.\n"},
		{Kind: "agent_message", At: at, Text: "Nine, because the gateway blocks at ten.\u202e\x1b[2J"},
		{Kind: "agent_message", At: at, Label: "private", Text: "The customer is Acme."},
	}})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// TestAppendEvents: what is appended is scanned, durable, and there once however often the
// call is made; bad input leaves nothing.
func TestAppendEvents(t *testing.T) {
	b := newMemory(t)
	first := b.talk("run-7", false)
	if first.Added != 4 || first.Redacted != 1 || first.Revision != "" {
		t.Fatalf("%+v", first)
	}
	again := b.talk("run-7", true)
	if again.Added != 0 || again.Revision == "" || !slices.Equal(again.Events, first.Events) {
		t.Errorf("again: %+v", again)
	}
	shown, err := b.Session(t.Context(), memory.SessionInput{ID: "run-7"})
	if err != nil || len(shown.Events) != 4 || shown.Session.Client != "orchestrator" || shown.Session.Turns != 1 || shown.Session.Redacted != 1 {
		t.Fatalf("%+v, %v", shown, err)
	}
	if text := shown.Events[0].Text; strings.Contains(text, marker) || !strings.Contains(text, "[redacted: marker]") {
		t.Errorf("it says %q", text)
	}
	later, err := b.AppendEvents(t.Context(), memory.AppendEventsInput{Session: "run-7", Events: []memory.AppendedEvent{{Kind: "user_message", Text: "Go on."}, {Kind: "decision", Text: "Nine."}, {Kind: "decision", Text: "Nine."}}})
	if err != nil || later.Added != 3 || later.Events[1] == later.Events[2] {
		t.Fatalf("%+v, %v", later, err)
	}
	if shown, err = b.Session(t.Context(), memory.SessionInput{ID: "run-7", Turn: 2}); err != nil || len(shown.Events) != 3 {
		t.Errorf("turn 2: %+v, %v", shown, err)
	}
	for _, bad := range []memory.AppendEventsInput{
		{}, {Session: "x"}, {Session: "a " + marker, Seal: true},
		{Session: "x", Events: []memory.AppendedEvent{{Text: "no kind"}}},
		{Session: "x", Events: []memory.AppendedEvent{{Kind: "shout"}}},
		{Session: "x", Events: []memory.AppendedEvent{{Kind: "decision", Label: "secret"}}},
		{Session: "x", Events: []memory.AppendedEvent{{Kind: "decision", Parent: "me"}}},
		{Session: "x", Events: []memory.AppendedEvent{{Kind: "decision", Tags: []string{"frame"}}}},
		{Session: "x", Events: []memory.AppendedEvent{{Kind: "decision", Commits: []string{"HEAD"}}}},
		{Session: "x", Events: []memory.AppendedEvent{{Kind: "decision", Text: strings.Repeat("x", 5<<20)}}},
		{Session: "x", Events: slices.Repeat([]memory.AppendedEvent{{Kind: "decision"}}, 501)},
	} {
		if _, err := b.AppendEvents(t.Context(), bad); !errors.Is(err, memory.ErrUsage) && !errors.As(err, new(*memory.SecretError)) {
			t.Errorf("%.80v: %v", bad, err)
		}
	}
	if _, err := b.Session(t.Context(), memory.SessionInput{ID: "x"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("after bad input: %v", err)
	}
}

// TestSessionPointers: a pointer to an event or an artifact is read within budgets, shows
// agents nothing private, and is evidence whose freshness can be told.
func TestSessionPointers(t *testing.T) {
	b := newMemory(t)
	ids := b.talk("run-7", true).Events
	said, err := b.Deref(t.Context(), memory.DerefInput{Ref: "sam:run-7@" + ids[2], Strict: true, Agent: "reviewer"})
	if err != nil || said.Excerpt != "coder, agent_message, turn 1, 2026-04-30T09:00:00Z\n\nNine, because the gateway blocks at ten.[2J\n" {
		t.Fatalf("%q, %v", said.Excerpt, err)
	}
	if said.Turn == nil || said.Turn.SAMItems != 1 || said.Pointer.Ref != "sam:run-7@"+ids[2] {
		t.Errorf("%+v", said)
	}
	whole, err := b.Deref(t.Context(), memory.DerefInput{Ref: "sam:run-7"})
	if err != nil || !strings.Contains(whole.Excerpt, "session: run-7\nclient: orchestrator") {
		t.Errorf("%q, %v", whole.Excerpt, err)
	}
	if _, err := b.Deref(t.Context(), memory.DerefInput{Ref: "sam:run-7@" + ids[3], Agent: "reviewer"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("an agent reads what is private: %v", err)
	}
	if _, err := b.Deref(t.Context(), memory.DerefInput{Ref: "sam:run-7@" + ids[3]}); err != nil {
		t.Errorf("a person reads what is private: %v", err)
	}
	shown, err := b.Session(t.Context(), memory.SessionInput{ID: "run-7"})
	if err != nil {
		t.Fatal(err)
	}
	artifact := "artifact:" + shown.Events[1].Artifacts[0].Digest
	part, err := b.Deref(t.Context(), memory.DerefInput{Ref: artifact + "#sec=Other", Strict: true, Agent: "reviewer"})
	if err != nil || part.Excerpt != "# Other\n\nNothing.\n" || part.Turn.ArtifactSections != 1 {
		t.Errorf("%+v, %v", part, err)
	}
	cut, err := b.Deref(t.Context(), memory.DerefInput{Ref: artifact, MaxTokens: 50})
	if err != nil || !cut.Truncated || cut.Tokens > 50 || cut.ContentDigest != "sha256:"+shown.Events[1].Artifacts[0].Digest {
		t.Errorf("%+v, %v", cut, err)
	}
	b.commit(memory.CommitInput{Key: "domain/gateway/retries", Claim: "The gateway blocks at ten calls.", Pointers: []memory.Pointer{{Ref: "sam:run-7@" + ids[2]}, {Ref: artifact}}})
	fact := func() (states []string) {
		got, err := b.Get(t.Context(), memory.GetInput{Key: "domain/gateway/retries"})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range got.Fact.Pointers {
			if p.Digest == "" {
				t.Errorf("no digest: %+v", p)
			}
			states = append(states, string(p.Freshness))
		}
		return states
	}
	if got := fact(); !slices.Equal(got, []string{"fresh", "fresh"}) {
		t.Errorf("freshness: %v", got)
	}
	if _, err := b.RedactSession(t.Context(), memory.RedactSessionInput{ID: "run-7", Pattern: "blocks at ten", Apply: true}); err != nil {
		t.Fatal(err)
	}
	if got := fact(); got[0] != "drifted" {
		t.Errorf("after a redaction: %v", got)
	}
	if _, err := b.ForgetSession(t.Context(), memory.ForgetSessionInput{ID: "run-7", Apply: true}); err != nil {
		t.Fatal(err)
	}
	if got := fact(); !slices.Equal(got, []string{"unchecked", "unchecked"}) {
		t.Errorf("after it was forgotten: %v", got)
	}
}
