package memory_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"engram/facts"
	"engram/memory"
)

// bring puts facts on the branch the way that a pull does: past the policy.
func (b bench) bring(list ...facts.Fact) {
	b.t.Helper()
	for i, f := range list {
		if f.ID == "" {
			f.ID = numbered(time.Time{})
		}
		f.Lineage = f.ID
		if f.ValidFrom.IsZero() {
			f.ValidFrom = f.Provenance.CreatedAt
		}
		list[i] = f
	}
	b.placeFacts(list)
}

// placeFacts is place for facts, in one commit.
func (b bench) placeFacts(list []facts.Fact) {
	b.t.Helper()
	var stream strings.Builder
	fmt.Fprintf(&stream, "commit refs/heads/engram\ncommitter Eve <eve@example.com> %d +0000\ndata 8\nby hand\n\nfrom refs/heads/engram^0\n", list[0].Provenance.CreatedAt.Unix())
	for _, f := range list {
		data := string(facts.Marshal(f))
		fmt.Fprintf(&stream, "M 100644 inline %s\ndata %d\n%s\n", f.Key.Path(), len(data), data)
	}
	gitInput(b.t, b.dir, stream.String(), "fast-import", "--quiet", "--force")
}

func stated(key, scope, agent string, at time.Time) facts.Fact {
	k, err := facts.ParseKey(key)
	if err != nil {
		panic(err)
	}
	return facts.Fact{Key: k, Claim: "The fact at " + key + " was stated.", Scope: scope,
		Provenance: facts.Provenance{Agent: agent, Engineer: "Eve <eve@example.com>", CreatedAt: at}}
}

func kinds(list []memory.Violation) string {
	var s []string
	for _, v := range list {
		s = append(s, v.Kind+" "+v.Key+" "+v.Agent)
	}
	return strings.Join(s, "\n")
}

func TestPermissionViolations(t *testing.T) {
	b := newMemory(t)
	ctx := t.Context()
	b.commit(memory.CommitInput{Claim: "An old fact stood already.", Key: "domain/pay/old", Scope: "payments", Agent: "claude"})
	b.agree(paymentsPolicy)
	from := b.tip()
	at := func(minutes int) time.Time { return time.Date(2026, 4, 30, 12, minutes, 0, 0, time.UTC) }
	gone := stated("domain/pay/gone", "payments", "claude", at(20))
	gone.ValidUntil = at(21)
	b.clock.add(time.Hour)
	b.bring(
		stated("domain/pay/a", "payments", "claude", at(20)),
		stated("domain/pay/b", "payments/x", "", at(20)),
		stated("domain/pay/c", "payments", "ci", at(20)),
		stated("domain/pay/d", "payments/keys", "ci", at(20)),
		stated("domain/pay/e", "payments", "temp", at(29)),
		stated("domain/pay/f", "payments", "temp", at(31)),
		stated("domain/site/g", "site", "claude", at(20)),
		gone)
	const want = "permission domain/pay/a claude\npermission domain/pay/b \npermission domain/pay/d ci\npermission domain/pay/f temp"
	r, err := b.Check(ctx, memory.CheckInput{From: from, FailOn: "low"})
	if err != nil || r.Clean || kinds(r.Violations) != want {
		t.Errorf("check: clean %v, %v:\n%s", r.Clean, err, kinds(r.Violations))
	}
	v := r.Violations[0]
	if v.Revision != b.tip() || v.Engineer != "Eve <eve@example.com>" || v.Scope != "payments" || !v.At.Equal(at(20)) ||
		v.Message != "the agent claude may not write facts of the scope payments, and did" {
		t.Errorf("%+v", v)
	}
	if r, err := b.Check(ctx, memory.CheckInput{Scope: "payments/keys"}); err != nil || kinds(r.Violations) != "permission domain/pay/d ci" {
		t.Errorf("in a scope: %s, %v", kinds(r.Violations), err)
	}
	// All of history, too: what stood before the team agreed is no violation.
	audited, err := b.Audit(ctx, memory.AuditInput{})
	if err != nil || kinds(audited.Violations) != want {
		t.Errorf("audit: %v:\n%s", err, kinds(audited.Violations))
	}
	again, err := b.Audit(ctx, memory.AuditInput{})
	if err != nil || len(again.Violations) != 0 {
		t.Errorf("what was audited comes again: %+v, %v", again.Violations, err)
	}
	// What the team allows now is none any more.
	b.agree("permissions: []")
	if list, err := b.Violations(ctx, from, ""); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestViolationsOfAliases: behind an alias there may be somebody who was allowed.
func TestViolationsOfAliases(t *testing.T) {
	b := newMemory(t)
	b.agree("anon_agents: true", paymentsPolicy)
	at := time.Date(2026, 4, 30, 12, 40, 0, 0, time.UTC)
	b.bring(stated("domain/pay/a", "payments", "agent-0123abcd", at), stated("domain/pay/b", "payments/keys", "agent-0123abcd", at))
	list, err := b.Violations(t.Context(), "", "")
	if err != nil || kinds(list) != "permission domain/pay/b agent-0123abcd" {
		t.Errorf("%s, %v", kinds(list), err)
	}
}

func TestRateViolations(t *testing.T) {
	b := newMemory(t)
	ctx := t.Context()
	b.agree("rate_limit: 5")
	from := b.tip()
	begin := time.Date(2026, 4, 30, 12, 10, 0, 0, time.UTC)
	b.clock.add(24 * time.Hour)
	var list []facts.Fact
	add := func(agent string, n int, every time.Duration) {
		for i := range n {
			list = append(list, stated(fmt.Sprintf("domain/%s/n%02d", agent, i), "", agent, begin.Add(time.Duration(i)*every)))
		}
	}
	add("slow", 12, 12*time.Minute) // five an hour
	add("fast", 7, 10*time.Minute)  // six
	add("batch", 40, 0)             // one commit
	add("burst", 8, time.Second)
	b.bring(list...)
	r, err := b.Check(ctx, memory.CheckInput{From: from, FailOn: "low"})
	if err != nil || r.Clean || kinds(r.Violations) != "rate domain/burst/n05 burst\nrate domain/fast/n05 fast" {
		t.Fatalf("clean %v, %v:\n%s", r.Clean, err, kinds(r.Violations))
	}
	if m := r.Violations[0].Message; m != "the agent burst wrote 8 times in the hour from 2026-04-30T12:10:00Z on; 5 is the limit" {
		t.Errorf("message %q", m)
	}
	b.agree("rate_limit: 8") // accepted
	if list, err := b.Violations(ctx, from, ""); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestNoPolicyNoViolations: people and agents that keep to the defaults.
func TestNoPolicyNoViolations(t *testing.T) {
	b := newMemory(t)
	b.before("claude")
	b.commit(memory.CommitInput{Claim: "It rains."})
	r, err := b.Check(t.Context(), memory.CheckInput{})
	if err != nil || !r.Clean || r.Violations == nil || len(r.Violations) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestManyViolations: the list is bounded, and says so.
func TestManyViolations(t *testing.T) {
	b := newMemory(t)
	b.agree(paymentsPolicy)
	var list []facts.Fact
	for i := range 230 {
		list = append(list, stated(fmt.Sprintf("domain/pay/n%03d", i), "payments", "claude", time.Date(2026, 4, 30, 12, 20, 0, 0, time.UTC)))
	}
	b.bring(list...)
	found, err := b.Violations(t.Context(), "", "")
	if err != nil || len(found) != 201 || found[200].Message != "30 more are not listed" {
		t.Errorf("%d, %v, %+v", len(found), err, found[len(found)-1])
	}
}
