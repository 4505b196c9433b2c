package memory_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"engram/facts"
	"engram/memory"
)

// quarrels has three grave conflicts, and in a scope that comes before theirs an
// update to confirm, which is not.
func quarrels(t testing.TB) bench {
	t.Helper()
	b := newMemory(t)
	b.commit(memory.CommitInput{Claim: "The pool has 10 connections.", Key: "domain/a/old", Scope: "alpha", Agent: "ann"})
	b.commit(memory.CommitInput{Claim: "The pool now has 20 connections.", Key: "domain/a/new", Scope: "alpha", Agent: "ben"})
	for i := range 3 {
		for side := range 2 {
			b.commit(memory.CommitInput{
				Claim: fmt.Sprintf("Queue%d listens on port %d.", i, 7000+1000*side+i),
				Key:   fmt.Sprintf("domain/queue/q%d-%d", i, side), Scope: fmt.Sprintf("queues/n%d", i), Agent: fmt.Sprint("agent", side),
			})
		}
	}
	b.audit(memory.AuditInput{})
	b.clock.add(100 * 24 * time.Hour) // ages do not change from one answer to the next
	return b
}

func costOf(t testing.TB, value any) int {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return facts.Tokens(string(text))
}

func TestConflictsFitTheBudget(t *testing.T) {
	b := quarrels(t)
	list := func(in memory.ConflictsInput) memory.ConflictsResult {
		t.Helper()
		r, err := b.Conflicts(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	all := list(memory.ConflictsInput{})
	if len(all.Conflicts) != 4 || all.Omitted != 0 || all.Conflicts[0].Scope != "alpha" || all.Conflicts[0].Severity != "low" {
		t.Fatalf("without a budget: %+v", all)
	}
	ranked := list(memory.ConflictsInput{Budget: 1_000_000})
	if len(ranked.Conflicts) != 4 || ranked.Omitted != 0 || ranked.Conflicts[3].Scope != "alpha" || ranked.Conflicts[0].Severity != "high" {
		t.Fatalf("the gravest come first: %+v", ranked)
	}
	costs := make([]int, 4)
	for i, c := range ranked.Conflicts {
		costs[i] = costOf(t, c)
	}
	two := costs[0] + costs[1]
	for name, c := range map[string]struct {
		in   memory.ConflictsInput
		want int
	}{
		"hardly anything":    {memory.ConflictsInput{Budget: 1}, 1},
		"one, and a bit":     {memory.ConflictsInput{Budget: two - 1}, 1},
		"two":                {memory.ConflictsInput{Budget: two}, 2},
		"a limit":            {memory.ConflictsInput{Limit: 3}, 3},
		"a limit beyond all": {memory.ConflictsInput{Limit: 9}, 4},
		"both, the limit":    {memory.ConflictsInput{Limit: 1, Budget: two}, 1},
		"both, the budget":   {memory.ConflictsInput{Limit: 3, Budget: two}, 2},
	} {
		r := list(c.in)
		if len(r.Conflicts) != c.want || r.Omitted != 4-c.want {
			t.Errorf("%s: %d conflicts, %d omitted, want %d", name, len(r.Conflicts), r.Omitted, c.want)
			continue
		}
		for i, got := range r.Conflicts {
			if got.ConflictID != ranked.Conflicts[i].ConflictID {
				t.Errorf("%s: place %d is not the gravest that is left", name, i)
			}
			if got.A == nil || got.A.Age == "" || got.B.Age == "" {
				t.Errorf("%s: no age: %+v", name, got)
			}
		}
	}
	if r := list(memory.ConflictsInput{Severity: "low", Limit: 1}); len(r.Conflicts) != 1 || r.Omitted != 0 {
		t.Errorf("what is not asked for is not left out: %+v", r)
	}
	for _, in := range []memory.ConflictsInput{{Limit: -1}, {Budget: -1}} {
		if _, err := b.Conflicts(t.Context(), in); !errors.Is(err, memory.ErrUsage) {
			t.Errorf("%+v: %v, want ErrUsage", in, err)
		}
	}
}

func TestListFitsTheBudget(t *testing.T) {
	b := quarrels(t)
	all, err := b.List(t.Context(), memory.ListInput{})
	if err != nil || len(all.Facts) != 8 {
		t.Fatalf("%d facts, %v", len(all.Facts), err)
	}
	budget := 0
	for _, f := range all.Facts[:3] {
		budget += costOf(t, f)
	}
	for _, c := range []struct{ budget, limit, want int }{{0, 0, 8}, {1, 0, 1}, {budget, 0, 3}, {budget - 5, 0, 2}, {budget, 2, 2}} {
		r, err := b.List(t.Context(), memory.ListInput{Budget: c.budget, Limit: c.limit})
		if err != nil || len(r.Facts) != c.want || r.Omitted != 8-c.want {
			t.Errorf("%+v: %d facts, %d omitted, %v", c, len(r.Facts), r.Omitted, err)
		}
	}
	if _, err := b.List(t.Context(), memory.ListInput{Budget: -1}); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("%v, want ErrUsage", err)
	}
}
