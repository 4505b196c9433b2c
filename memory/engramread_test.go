package memory_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"engram/bus"
	"engram/facts"
	"engram/memory"
)

// TestQueryEngramsNearByMeaning: with a model, near goes by the meaning of a claim alone.
func TestQueryEngramsNearByMeaning(t *testing.T) {
	b := newSemanticMemory(t, "session login", "lives lasts valid", "queue broker", "drops loses")
	b.commit(memory.CommitInput{Claim: "A session lives 30 minutes.", Key: "domain/auth/session"})
	b.commit(memory.CommitInput{Claim: "The login lasts for 45 seconds.", Key: "domain/auth/login", Kind: "risk"})
	b.commit(memory.CommitInput{Claim: "The queue drops messages.", Key: "domain/bus/queue"})
	for _, near := range []string{"domain/auth/session", b.get("domain/auth/session").FactID} {
		got, r := b.engrams(memory.EngramQuery{Near: near, K: 1})
		if !slices.Equal(got, []string{"domain/auth/login"}) || r.Mode == memory.ModeLexical || len(r.Notes) != 0 {
			t.Errorf("near %s: %v, %+v", near, got, r)
		}
	}
	got, _ := b.engrams(memory.EngramQuery{Near: "domain/auth/session"})
	if slices.Contains(got, "domain/auth/session") {
		t.Errorf("a fact is near itself: %v", got)
	}
	if got, _ := b.engrams(memory.EngramQuery{Near: "domain/auth/session", Kind: "risk"}); !slices.Equal(got, []string{"domain/auth/login"}) {
		t.Errorf("of a kind: %v", got)
	}
	if _, err := b.QueryEngrams(t.Context(), memory.EngramQuery{Near: "domain/no/such"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("near nothing: %v", err)
	}
}

// TestGetEngram: by its key and by the id of any of its versions, as long as it holds.
func TestGetEngram(t *testing.T) {
	b := newMemory(t)
	commit := b.tenLines("a.go")
	put := b.put(engram("The port is taken.", "repo:a.go#L1@"+commit))
	first, key := put.Engram.ID, put.Commit.Key
	b.commit(memory.CommitInput{Claim: "The port is free.", Key: key, Operation: "update", Pointers: []memory.Pointer{{Ref: "repo:a.go#L1@" + commit}}})
	ctx := t.Context()
	for _, id := range []string{key, first, b.get(key).FactID} {
		r, err := b.GetEngram(ctx, id, "worker")
		if err != nil || r.Engram.Claim != "The port is free." || r.Engram.Key.String() != key || r.Revision != b.tip() {
			t.Errorf("%s: %+v, %v", id, r, err)
			continue
		}
		if len(r.Engram.HashKeys) == 0 || r.Engram.Freshness != memory.Fresh || len(r.Engram.Pointers) != 1 {
			t.Errorf("%s: %+v", id, r.Engram)
		}
	}
	b.agree("permissions:", "  - {agent: guest, read: false}")
	_, err := b.GetEngram(ctx, key, "guest")
	var refused *memory.PermissionError
	if !errors.As(err, &refused) {
		t.Errorf("withheld: %v", err)
	}
	if _, err := b.Retire(ctx, key, "", ""); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{key, first, "domain/no/such", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "", "../x"} {
		if r, err := b.GetEngram(ctx, id, ""); err == nil || r.Engram.Claim != "" {
			t.Errorf("%q: %+v, %v", id, r, err)
		}
	}
	if _, err := b.GetEngram(ctx, first, ""); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("retired: %v", err)
	}
}

// TestReadEntries: pointers and statements first, excerpts as far as a turn pays.
func TestReadEntries(t *testing.T) {
	b := newBus(t, memory.BusOptions{})
	keys := []string{"domain/gateway/one", "domain/gateway/two", "domain/gateway/three"}
	for _, key := range keys {
		b.commit(memory.CommitInput{Claim: "The gateway has a rule at " + key + ".", Key: key, Detail: "More of it."})
	}
	read := func(in memory.EntriesInput) memory.RetrievedResult {
		t.Helper()
		r, err := b.ReadEntries(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := read(memory.EntriesInput{Keys: keys, Agent: "coder"})
	for i, item := range r.Items {
		want := "sam:" + keys[i] + "@" + b.get(keys[i]).FactID
		if item.Pointer.Ref != want || item.Pointer.Type != "sam" || item.Excerpt != "" || item.Engram == nil || !strings.Contains(item.Engram.Claim, keys[i]) || item.Engram.HashKeys != nil {
			t.Errorf("%+v, want %s", item, want)
		}
	}
	if len(r.Items) != 3 || len(r.Notes) != 0 {
		t.Errorf("%+v", r)
	}
	// Two entries fit a turn.
	r = read(memory.EntriesInput{Keys: keys, Agent: "coder", Excerpts: true})
	for i, item := range r.Items {
		if paid := i < 2; paid != strings.Contains(item.Excerpt, "More of it.") || paid != (item.Pointer.Digest == "sha256:"+facts.ContentHash(item.Engram.Claim)) {
			t.Errorf("%d: %+v", i, item)
		}
	}
	if len(r.Items) != 3 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "no room in this turn") {
		t.Errorf("%+v", r)
	}
	if r := read(memory.EntriesInput{Text: "rules of the gateway", Excerpts: true}); len(r.Items) != 3 || r.Items[0].Excerpt != "" || len(r.Notes) == 0 {
		t.Errorf("nobody pays: %+v", r)
	}
	appended, err := b.AppendEvents(t.Context(), memory.AppendEventsInput{Session: "run-1", Client: "planner", Seal: true, Events: []memory.AppendedEvent{
		{Kind: "user_message", Text: "Why has the gateway no rule for retries?"},
		{Kind: "agent_message", Text: "The gateway's rule for retries is a secret of ours.", Label: "private", Agent: "other"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	r = read(memory.EntriesInput{Text: "rules of the gateway", Agent: "planner", Excerpts: true})
	if last := r.Items[len(r.Items)-1]; len(r.Items) != 4 || last.Pointer.Ref != "sam:run-1@"+appended.Events[0] || last.Engram != nil {
		t.Errorf("with what was said: %+v", r.Items)
	}
	for name, in := range map[string]memory.EntriesInput{
		"nothing": {}, "both": {Text: "x", Keys: keys}, "many": {Keys: slices.Repeat(keys, 5)}, "k": {Text: "x", K: 100},
	} {
		if _, err := b.ReadEntries(t.Context(), in); !errors.Is(err, memory.ErrUsage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := b.ReadEntries(t.Context(), memory.EntriesInput{Keys: []string{"domain/no/such"}}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("no such entry: %v", err)
	}
}

// TestAskDeref: it says whether there is room, what to send where there is none, and
// pulls nothing.
func TestAskDeref(t *testing.T) {
	b := newBus(t, memory.BusOptions{})
	ask := func(reason, agent, ref string) (memory.DerefAskResult, error) {
		return b.AskDeref(t.Context(), memory.DerefAsk{Pointer: memory.EngramPointer{Type: "repo", Ref: ref}, Reason: reason, Agent: agent})
	}
	ref := b.ref("repo:b/four.go#L1")
	for range 5 {
		if r, err := ask("To see it.", "coder", ref); err != nil || !r.Room || r.Request != "" || r.DeniedBy != "" || r.Tokens != 1200 || r.Turn.RepoSpans != 0 {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	for _, path := range []string{"repo:a/one.go#L1", "repo:a/two.go#L1", "repo:a/three.go#L1"} {
		b.pulled("coder", b.ref(path), "")
	}
	r, err := ask("To \"see\"\n it.", "coder", ref)
	if err != nil || r.Room || r.DeniedBy != "max_repo_spans" || r.Turn.RepoSpans != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	message := "ROLE: coder\nTASK_STATUS: waiting\nENGRAMS: []\n" + r.Request + "OUTPUT:\n  summary: I wait.\n"
	m, err := bus.ParseChild([]byte(message))
	if err != nil || len(m.DerefRequests) != 1 || m.DerefRequests[0].Pointer.Ref != ref || m.DerefRequests[0].Reason != `To "see" it.` {
		t.Errorf("the message is %+v, %v\n%s", m, err, message)
	}
	for name, in := range map[string][3]string{
		"no reason": {" ", "coder", ref}, "a long one": {strings.Repeat("why ", 200), "coder", ref},
		"nobody": {"Why not.", "", ref}, "no reference": {"Why not.", "coder", "repo:../x"},
	} {
		if _, err := ask(in[0], in[1], in[2]); !errors.Is(err, memory.ErrUsage) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
