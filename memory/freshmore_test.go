package memory_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"engram/facts"
	"engram/memory"
)

// TestVerifyAndWhyKeepToPermissions: what an agent may not read is counted, not shown,
// and refused where it is named.
func TestVerifyAndWhyKeepToPermissions(t *testing.T) {
	c := newCode(t)
	c.commit(memory.CommitInput{Claim: "Sessions live 30 minutes.", Key: "domain/auth/open", Scope: "docs", Pointers: []memory.Pointer{{Ref: "repo:auth/session.go#L4"}}})
	c.commit(memory.CommitInput{Claim: "Sessions are worth money.", Key: "domain/auth/closed", Scope: "payments", Pointers: []memory.Pointer{{Ref: "repo:auth/session.go#L4"}}})
	c.agree("permissions:", "  - {agent: guest, scope: payments, read: false}")
	c.file("auth/session.go", strings.Replace(session, "30", "15", 1))
	ctx := t.Context()
	for agent, want := range map[string]int{"": 2, "guest": 1} {
		v, err := c.Verify(ctx, memory.VerifyInput{AskedBy: agent})
		if err != nil || len(v.Checks) != want || v.Facts != want || v.Pointers != want || v.Counts[memory.Drifted] != want || v.Withheld != 2-want {
			t.Errorf("verify, asked by %q: %+v, %v", agent, v, err)
		}
		w, err := c.Why(ctx, memory.WhyInput{Path: "auth/session.go", First: 4, Last: 4, AskedBy: agent})
		if err != nil || len(w.Facts) != want || w.Withheld != 2-want {
			t.Errorf("why, asked by %q: %+v, %v", agent, w, err)
		}
		if slices.ContainsFunc(w.Facts, func(f memory.WhyFact) bool { return agent == "guest" && f.Scope == "payments" }) {
			t.Error("why shows what is withheld")
		}
	}
	_, err := c.Verify(ctx, memory.VerifyInput{Keys: []string{"domain/auth/closed"}, AskedBy: "guest"})
	refuses(t, err, "guest", "payments", facts.Read)
}

// TestFreshnessInASparseCheckout: what git leaves out of the work tree stands as it is
// committed; what somebody deletes does not.
func TestFreshnessInASparseCheckout(t *testing.T) {
	c := newCode(t)
	left, section, kept := c.rest("repo:auth/session.go#L3-L4"), c.rest("test:auth/session_test.go#TestSliding"), c.rest("repo:docs/spec.md#L7")
	gitIn(t, c.dir, "sparse-checkout", "set", "docs")
	if _, err := os.Stat(filepath.Join(c.dir, "auth")); !os.IsNotExist(err) {
		t.Fatalf("git leaves nothing out: %v", err)
	}
	for _, key := range []string{left, section, kept} {
		c.want(key, memory.Fresh, "")
	}
	w, err := c.Why(t.Context(), memory.WhyInput{Path: "auth/session.go", First: 4, Last: 4})
	if err != nil || len(w.Facts) != 1 || w.Facts[0].Pointer.Freshness != memory.Fresh {
		t.Errorf("why: %+v, %v", w, err)
	}
	if err := os.Remove(filepath.Join(c.dir, "docs/spec.md")); err != nil {
		t.Fatal(err)
	}
	c.want(kept, memory.Missing, "")
	gitIn(t, c.dir, "checkout", "-q", "docs/spec.md")

	// What a commit does to it counts all the same.
	gitIn(t, c.dir, "sparse-checkout", "disable")
	c.file("auth/session.go", strings.Replace(session, "30", "15", 1))
	c.save("shorter")
	gitIn(t, c.dir, "sparse-checkout", "set", "docs")
	c.want(left, memory.Drifted, "")
	c.want(section, memory.Fresh, "")
	gitIn(t, c.dir, "rm", "-q", "--sparse", "auth/session.go")
	c.save("gone")
	c.want(left, memory.Missing, "")
}

// TestNoTimeForEvidence: answers come all the same, and say that nothing was compared.
func TestNoTimeForEvidence(t *testing.T) {
	c := newCode(t)
	key := c.rest("repo:auth/session.go#L4")
	c.file("auth/session.go", strings.Replace(session, "30", "15", 1))
	m, err := memory.Open(t.Context(), c.dir, markerScanner{}, &memory.Options{Now: c.clock.Now, NewID: numbered, EvidenceTime: -time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	ctx := t.Context()
	late := func(where string, got memory.Freshness, notes []string, err error) {
		t.Helper()
		says := slices.ContainsFunc(notes, func(n string) bool {
			return strings.Contains(n, "the evidence of 1 fact was not checked in time") && strings.Contains(n, "engram verify")
		})
		if err != nil || got != memory.Unchecked || !says {
			t.Errorf("%s: %s, notes %q, %v", where, got, notes, err)
		}
	}
	q, err := m.Query(ctx, memory.QueryInput{Question: "what rests on something"})
	if err != nil || len(q.Results) != 1 {
		t.Fatalf("%+v, %v", q, err)
	}
	late("query", q.Results[0].Freshness, q.Notes, err)
	g, err := m.Get(ctx, memory.GetInput{Key: key})
	late("get", g.Fact.Freshness, g.Notes, err)
	e, err := m.QueryEngrams(ctx, memory.EngramQuery{Text: "what rests on something"})
	if err != nil || len(e.Engrams) != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
	late("engrams", e.Engrams[0].Freshness, e.Notes, err)
	v, err := m.Verify(ctx, memory.VerifyInput{Keys: []string{key}})
	if err != nil || v.Checks[0].Freshness != memory.Drifted {
		t.Errorf("verify takes its time: %+v, %v", v, err)
	}
}
