package memory_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/memory"
)

// disputed is a memory with an open conflict, a resolved one and facts of three scopes.
func disputed(t *testing.T) bench {
	b := newMemory(t)
	for i, agent := range []string{"claude", "codex"} {
		b.commit(memory.CommitInput{Claim: fmt.Sprintf("The gateway times out after %d s.", 30+30*i), Key: "domain/gateway/" + agent, Scope: "payments/gateway", Agent: agent})
		b.commit(memory.CommitInput{Claim: fmt.Sprintf("The cache keeps entries for %d minutes.", 5+5*i), Key: "domain/cache/" + agent, Scope: "payments/cache", Agent: agent})
		b.clock.add(8 * 24 * time.Hour)
	}
	b.commit(memory.CommitInput{Claim: "Short-lived.", Key: "domain/short/lived", Scope: "docs", TTL: "PT1H"})
	b.commit(memory.CommitInput{Claim: "Of no scope.", Key: "domain/no/scope"})
	b.clock.add(2 * time.Hour)
	if _, err := b.Audit(t.Context(), memory.AuditInput{}); err != nil {
		t.Fatal(err)
	}
	r, err := b.Conflicts(t.Context(), memory.ConflictsInput{})
	if err != nil || len(r.Conflicts) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, c := range r.Conflicts {
		if c.A.Scope == "payments/cache" {
			winner := c.A.FactID
			if c.B.AgentID == "claude" {
				winner = c.B.FactID
			}
			if _, err := b.Resolve(t.Context(), memory.ResolveInput{ConflictID: c.ConflictID, How: "winner", Winner: winner, Reason: "read it"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b
}

func TestOutline(t *testing.T) {
	b := disputed(t)
	r, err := b.Outline(t.Context(), memory.OutlineInput{})
	if err != nil {
		t.Fatal(err)
	}
	none := []memory.OutlineScope{}
	want := memory.OutlineScope{Facts: 4, Disputed: 2, Expired: 1, Scopes: []memory.OutlineScope{
		{Scope: "docs", Expired: 1, Scopes: none},
		{Scope: "payments", Facts: 3, Disputed: 2, Scopes: []memory.OutlineScope{
			{Scope: "payments/cache", Facts: 1, Scopes: none},
			{Scope: "payments/gateway", Facts: 2, Disputed: 2, Scopes: none},
		}},
	}}
	if diff := cmp.Diff(want, r.Memory); diff != "" || r.Withheld != 0 {
		t.Errorf("%d withheld; %s", r.Withheld, diff)
	}
	b.agree("permissions:", "  - {agent: guest, scope: payments/gateway, read: false}")
	r, err = b.Outline(t.Context(), memory.OutlineInput{AskedBy: "guest"})
	if err != nil || r.Memory.Facts != 2 || r.Memory.Disputed != 0 || r.Withheld != 2 {
		t.Errorf("as a guest: %+v, %v", r, err)
	}
}

func TestActivity(t *testing.T) {
	b := disputed(t)
	r, err := b.Activity(t.Context(), memory.ActivityInput{})
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		Agent                                  string
		Facts, Versions, Won, Lost, Open, Year int
		LastWeek                               int
	}
	lines := func(r memory.ActivityResult) (list []line) {
		for _, a := range r.Agents {
			l := line{a.AgentID, a.Facts, a.Versions, a.Won, a.Lost, a.Open, 0, a.Weeks[len(a.Weeks)-1]}
			for _, n := range a.Weeks {
				l.Year += n
			}
			if l.Year > 0 && a.Last.IsZero() || len(a.Weeks) != 52 {
				t.Errorf("%+v", a)
			}
			list = append(list, l)
		}
		return list
	}
	want := []line{{"", 1, 2, 0, 0, 0, 2, 2}, {"claude", 2, 2, 1, 0, 1, 2, 0}, {"codex", 1, 2, 0, 1, 1, 2, 0}} // by versions, then by name
	if diff := cmp.Diff(want, lines(r)); diff != "" {
		t.Error(diff)
	}
	b.agree("permissions:", "  - {agent: guest, scope: payments/gateway, read: false}")
	if r, err = b.Activity(t.Context(), memory.ActivityInput{AskedBy: "guest"}); err != nil {
		t.Fatal(err)
	}
	want = []line{{"", 1, 2, 0, 0, 0, 2, 2}, {"claude", 1, 1, 1, 0, 0, 1, 0}, {"codex", 0, 1, 0, 1, 0, 1, 0}}
	if diff := cmp.Diff(want, lines(r)); diff != "" {
		t.Errorf("as a guest: %s", diff)
	}
}

func TestTimeline(t *testing.T) {
	b := newMemory(t)
	first := b.commit(memory.CommitInput{Claim: "It is one.", Key: "domain/a/b", Agent: "claude"})
	b.commit(memory.CommitInput{Claim: "It is below.", Key: "domain/a/b/c", Agent: "claude"})
	b.clock.add(time.Hour)
	second := b.commit(memory.CommitInput{Claim: "It is two.", Key: "domain/a/b", Agent: "codex"})
	r, err := b.Timeline(t.Context(), memory.TimelineInput{Keys: []string{"domain/a/b", "domain/not/there"}})
	if err != nil || len(r.Facts) != 2 || len(r.Facts[0].Versions) != 2 || len(r.Facts[1].Versions) != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	one, two := r.Facts[0].Versions[0], r.Facts[0].Versions[1]
	if one.FactID != first.FactID || one.AgentID != "claude" || one.Stands || one.ValidUntil == nil || !one.ValidUntil.Equal(two.ValidFrom) {
		t.Errorf("the first version: %+v", one)
	}
	if two.FactID != second.FactID || two.AgentID != "codex" || !two.Stands || two.ValidUntil != nil || two.Supersedes != one.FactID {
		t.Errorf("the second version: %+v", two)
	}
	b.agree("permissions:", "  - {agent: guest, read: false}")
	if r, err := b.Timeline(t.Context(), memory.TimelineInput{Keys: []string{"domain/a/b"}, AskedBy: "guest"}); err != nil || r.Withheld != 2 || len(r.Facts[0].Versions) != 0 {
		t.Errorf("as a guest: %+v, %v", r, err)
	}
}
