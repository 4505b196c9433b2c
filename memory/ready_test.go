package memory_test

import (
	"strings"
	"testing"

	"engram/memory"
)

// TestReady: what a delegated task needs is made ready when it is handed over, so that the
// agent's pack finds it; a fact that is written meanwhile has it made again.
func TestReady(t *testing.T) {
	m := newMemory(t)
	commitFact := func(claim, key string) {
		if _, err := m.Commit(t.Context(), memory.CommitInput{Claim: claim, Key: key, Scope: "refunds", Kind: "constraint"}); err != nil {
			t.Fatal(err)
		}
	}
	commitFact("Refunds are idempotent by their order.", "domain/refunds/idempotent")
	task, err := m.Delegate(t.Context(), memory.TaskInput{Flow: "refunds", ID: "7", Child: "reviewer", Parent: "boss", Task: "Review the refunds."})
	if err != nil {
		t.Fatal(err)
	}
	pack := func() memory.PackResult {
		t.Helper()
		r, err := m.Pack(t.Context(), memory.PackInput{Task: task.Key, Agent: "reviewer"})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(r.Text(), "Refunds are idempotent") {
			t.Errorf("the pack lacks the rule:\n%s", r.Text())
		}
		if r.Ready == nil {
			t.Fatal("the pack does not say whether it was ready")
		}
		return r
	}
	first := pack()
	if !first.Ready.Hit || first.Ready.Hits != 1 || first.Ready.Misses != 0 {
		t.Errorf("the pack of a delegated task was not ready: %+v", *first.Ready)
	}
	if second := pack(); second.Text() != first.Text() || second.Ready.Rate != 1 {
		t.Errorf("asked again, it is another pack: %+v", *second.Ready)
	}
	commitFact("Refunds above 500 euro need two people.", "domain/refunds/four-eyes")
	if third := pack(); third.Ready.Hit || !strings.Contains(third.Text(), "two people") || third.Ready.Misses != 1 {
		t.Errorf("the pack does not know what was written since: %+v\n%s", *third.Ready, third.Text())
	}
	other, err := m.Pack(t.Context(), memory.PackInput{Task: task.Key, Agent: "somebody"})
	if err != nil || other.Ready.Hit {
		t.Errorf("another reader got the pack of the child: %v", err)
	}
}
