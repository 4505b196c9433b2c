package ledger_test

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/bus"
	"engram/bus/ledger"
)

func ctxBackground() context.Context { return context.Background() }

func (b *bench) note(events ...ledger.Event) {
	b.t.Helper()
	for _, e := range events {
		if err := b.Note(b.t.Context(), e); err != nil {
			b.t.Fatal(err)
		}
	}
}

// TestCounters sums up two turns of one agent and what others did.
func TestCounters(t *testing.T) {
	b := newBench(t)
	b.note(
		ledger.Event{Name: ledger.DerefRequest, Agent: "coder", Role: "programmer", Pointers: []string{"repo"}, Tokens: 120, Began: true},
		ledger.Event{Name: ledger.DerefRequest, Agent: "coder", Pointers: []string{"sam"}, Tokens: 30},
		ledger.Event{Name: ledger.BudgetReject, Agent: "coder", Code: bus.BudgetExceeded, Limit: "max_inline_tokens", Tokens: 1200, Message: true},
		ledger.Event{Name: ledger.EngramPut, Agent: "coder", Kinds: []string{"risk", "fact"}, Tokens: 400, Message: true, Contradictions: 1},
		ledger.Event{Name: ledger.EngramPut, Agent: "coder", Kinds: []string{"fact"}, Tokens: 200, Message: true},
		ledger.Event{Name: ledger.EngramPut, Agent: "coder", Kinds: []string{"fact"}},
		ledger.Event{Name: ledger.BudgetReject, Agent: "tester", Code: bus.DerefDenied, Limit: "max_repo_spans", Pointers: []string{"repo"}},
		ledger.Event{Name: ledger.DerefRequest, Agent: "tester", Asked: true, Count: 1},
		ledger.Event{Name: ledger.DerefGrant, Child: "tester"},
		ledger.Event{Name: ledger.EngramQuery, Agent: "tester", Count: 3},
	)
	got, err := b.Counters()
	want := ledger.Counters{
		Events:         map[ledger.Name]int{ledger.DerefRequest: 3, ledger.BudgetReject: 2, ledger.EngramPut: 3, ledger.DerefGrant: 1, ledger.EngramQuery: 1},
		Kinds:          map[string]int{"risk": 1, "fact": 3},
		Contradictions: 1, Accepted: 2, Rejected: 1, Resent: 1,
		Codes: map[string]int{bus.BudgetExceeded: 1, bus.DerefDenied: 1},
		Roles: map[string]ledger.RoleSums{"programmer": {Messages: 2, InlineTokens: 600, Derefs: 2, DerefTokens: 150, Turns: 1}},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if err := b.Note(t.Context(), ledger.Event{Name: "less.anything"}); err == nil {
		t.Error("an event that nobody knows is counted")
	}
}

// TestEventsHoldNoText: whatever is handed in, only words that are known, ids, counts
// and names get in.
func TestEventsHoldNoText(t *testing.T) {
	const claim, path = "The vault opens at noon.", "services/vault/door.go"
	b := newBench(t)
	b.note(ledger.Event{
		Name: ledger.EngramPut, Agent: claim, Role: claim, Child: claim, IDs: []string{claim, "domain/vault/door", "01J0000000000000000000000A"},
		Kinds: []string{claim, "fact"}, Pointers: []string{"repo:" + path, "repo"}, Code: claim, Limit: path, Count: -4, Tokens: 1 << 40,
	})
	for _, name := range []string{"events.jsonl", "counters.json"} {
		raw, err := os.ReadFile(b.file(name))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"vault", "noon", "door.go"} {
			if strings.Contains(string(raw), text) {
				t.Errorf("%s holds %q: %s", name, text, raw)
			}
		}
	}
	list, err := b.Events(0)
	want := []ledger.Event{{Time: list[0].Time, Name: ledger.EngramPut, Agent: "The_", Role: "other", Child: "The_",
		IDs: []string{"01J0000000000000000000000A"}, Kinds: []string{"other", "fact"}, Pointers: []string{"other", "repo"}, Code: "other", Limit: "other", Tokens: 1_000_000}}
	if diff := cmp.Diff(want, list); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// TestRolesAndNamesAreNoText: of roles, only those that are known are counted by name, and
// no name that holds a secret or is none gets in; nor does what older versions kept.
func TestRolesAndNamesAreNoText(t *testing.T) {
	b := newBench(t)
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(b.file("counters.json"), []byte(`{"roles":{"ghp_old_text":{"derefs":2},"Tester":{"derefs":1}},"agents":{"a":{"role":"old_text"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	l := ledger.New(b.dir, &ledger.Options{Secret: func(text string) bool { return strings.Contains(text, "ghp_") }})
	for _, e := range []ledger.Event{
		{Name: ledger.DerefRequest, Agent: "a", Tokens: 1},
		{Name: ledger.DerefRequest, Agent: "child", Role: "ghp_0123456789", Tokens: 1},
		{Name: ledger.DerefRequest, Agent: "child", Role: "the_vault_opens_at_noon", Tokens: 1},
		{Name: ledger.DerefRequest, Agent: "child", Role: "Architect", Tokens: 1},
		{Name: ledger.DerefGrant, Agent: "ghp_0123456789", Child: "a\x1bname"},
		{Name: ledger.DerefGrant, Agent: "my ghp_0123456789", Child: strings.Repeat("n", 300)},
	} {
		if err := l.Note(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	c, err := l.Counters()
	if err != nil || len(c.Roles) != 3 || c.Roles["other"].Derefs != 5 || c.Roles["architect"].Derefs != 1 || c.Roles["tester"].Derefs != 1 {
		t.Errorf("%+v, %v", c.Roles, err)
	}
	for _, name := range []string{"events.jsonl", "counters.json"} {
		raw, err := os.ReadFile(b.file(name))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"ghp_", "vault", "old_text", "nnn", "aname", "a_name"} {
			if strings.Contains(string(raw), text) {
				t.Errorf("%s holds %q: %s", name, text, raw)
			}
		}
	}
	list, err := l.Events(2)
	if err != nil || list[0].Agent != "other" || list[0].Child != "other" || list[1].Agent != "other" || list[1].Child != "other" {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestEventsAreBounded: the log goes round, torn lines are passed over, and roles that
// nobody chose do not fill the disk.
func TestEventsAreBounded(t *testing.T) {
	b := newBench(t)
	b.note(ledger.Event{Name: ledger.EngramQuery, Count: 1})
	if err := os.WriteFile(b.file("events.jsonl"), []byte(`{"event":"less.engr`), 0o600); err != nil {
		t.Fatal(err)
	}
	b.note(ledger.Event{Name: ledger.EngramQuery, Count: 2})
	if list, err := b.Events(0); err != nil || len(list) != 1 || list[0].Count != 2 {
		t.Errorf("%+v, %v", list, err)
	}
	full := strings.Repeat(`{"event":"less.engram.query","count":3}`+"\n", ledger.MaxLog/40)
	for range 2 {
		if err := os.WriteFile(b.file("events.jsonl"), []byte(full), 0o600); err != nil {
			t.Fatal(err)
		}
		b.note(ledger.Event{Name: ledger.EngramQuery, Count: 4}, ledger.Event{Name: ledger.EngramQuery, Count: 5})
	}
	for _, name := range []string{"events.jsonl", "events.1.jsonl"} {
		if info, err := os.Stat(b.file(name)); err != nil || info.Size() > ledger.MaxLog {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if list, err := b.Events(2); err != nil || len(list) != 2 || list[0].Count != 4 || list[1].Count != 5 {
		t.Errorf("%+v, %v", list, err)
	}
	for i := range 120 {
		b.note(ledger.Event{Name: ledger.DerefRequest, Agent: string(rune('a'+i%26)) + string(rune('a'+i/26)), Role: "r" + string(rune('a'+i%26)) + string(rune('a'+i/26)), Tokens: 1})
	}
	if c, err := b.Counters(); err != nil || len(c.Roles) != 1 || c.Roles["other"].Derefs != 120 {
		t.Errorf("%d roles, %+v, %v", len(c.Roles), c.Roles["other"], err)
	}
}

// TestNotesOfManyAtOnce: none is lost.
func TestNotesOfManyAtOnce(t *testing.T) {
	b := newBench(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			l := ledger.New(b.dir, nil)
			for range 25 {
				if err := l.Note(t.Context(), ledger.Event{Name: ledger.EngramQuery, Agent: "a"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	c, err := b.Counters()
	list, errEvents := b.Events(0)
	if err != nil || errEvents != nil || c.Events[ledger.EngramQuery] != 200 || len(list) != 200 {
		t.Errorf("%+v, %d events, %v, %v", c.Events, len(list), err, errEvents)
	}
}

func BenchmarkNote(b *testing.B) {
	l := ledger.New(b.TempDir(), nil)
	for b.Loop() {
		if err := l.Note(b.Context(), ledger.Event{Name: ledger.DerefRequest, Agent: "coder", Pointers: []string{"repo"}, Tokens: 120}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTake takes and settles places in a turn, and in a grant.
func BenchmarkTake(b *testing.B) {
	for _, by := range []string{"turn", "grant"} {
		b.Run(by, func(b *testing.B) {
			l := ledger.New(b.TempDir(), nil)
			token := ""
			if by == "grant" {
				token, _, _ = l.Issue(b.Context(), (&bench{now: time.Now()}).grant(func(g *bus.Grant) { g.Uses, g.Cap = 1000, 100_000 }), "")
			}
			for b.Loop() {
				place, err := l.Take(b.Context(), pull("coder", "repo:a.go@"+commit, 10, token))
				if err == nil {
					_, err = l.Settle(b.Context(), place, 0)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
