package memory_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"engram/memory"
)

// settle settles the one open conflict.
func (b bench) settle(how, winner string) memory.ResolveResult {
	b.t.Helper()
	return b.resolve(memory.ResolveInput{ConflictID: b.only("open").ConflictID, How: how, Winner: winner, Reason: "looked it up"})
}

// TestResolvedInTwoWays: two clones let another side win each, and git merges the
// facts without a word. Whoever lists or checks is told, and an audit opens the
// fact again that stands by the resolution that lasts.
func TestResolvedInTwoWays(t *testing.T) {
	b := clashing(t)
	b.audit(memory.AuditInput{})
	before := b.tip()
	b.settle("winner", "a")
	theirs := b.tip()
	b.git("update-ref", "refs/heads/engram", before)
	b.settle("winner", "b")
	b.mergeTaking(theirs, "ours")
	for _, key := range []string{"architecture/infra/gateway-port", "domain/infra/gateway"} {
		if f := b.get(key); f.State != "superseded" {
			t.Fatalf("%s is %s", key, f.State)
		}
	}
	told := func(notes []string) bool {
		return strings.Contains(strings.Join(notes, "\n"), "domain/infra/gateway stands by risk/conflict/")
	}
	if r, err := b.Check(t.Context(), memory.CheckInput{}); err != nil || r.Clean || !told(r.Broken) {
		t.Errorf("check: %+v, %v", r, err)
	}
	if r, err := b.Conflicts(t.Context(), memory.ConflictsInput{}); err != nil || !told(r.Notes) {
		t.Errorf("conflicts: %q, %v", r.Notes, err)
	}
	if r := b.audit(memory.AuditInput{}); len(r.Reopened) != 1 || told(r.Notes) {
		t.Errorf("the audit reopened %v and says %q", r.Reopened, r.Notes)
	}
	if f := b.get("domain/infra/gateway"); f.State != "current" {
		t.Errorf("what stands is %s", f.State)
	}
	if r, err := b.Check(t.Context(), memory.CheckInput{}); err != nil || !r.Clean {
		t.Errorf("once it is mended: %+v, %v", r, err)
	}
}

// mergeTaking merges a commit into the memory branch with plain git and takes
// one side of every file that both changed.
func (b bench) mergeTaking(theirs, side string) {
	b.t.Helper()
	tree := b.t.TempDir() + "/tree"
	b.git("worktree", "add", "-q", tree, "engram")
	b.git("-C", tree, "merge", "-q", "--no-edit", "-X", side, theirs)
	b.git("worktree", "remove", tree)
}

// TestTheLoserReturns: the one that lost stands again, as a later version that
// another clone had. The conflict is open again.
func TestTheLoserReturns(t *testing.T) {
	b := clashing(t)
	b.audit(memory.AuditInput{})
	before := b.tip()
	b.settle("winner", "architecture/infra/gateway-port")
	theirs := b.tip()
	b.git("update-ref", "refs/heads/engram", before)
	b.commit(memory.CommitInput{Key: "domain/infra/gateway", Claim: portB, Agent: "ben", Evidence: "gateway.yml:7"})
	b.mergeTaking(theirs, "ours")
	if f := b.get("domain/infra/gateway"); f.State != "current" {
		t.Fatalf("it is %s", f.State)
	}
	if r := b.audit(memory.AuditInput{}); len(r.Opened) != 1 {
		t.Errorf("%+v", r)
	}
	b.only("open")
}

// TestOnlyWhatWasSeenIsSettled: a side that changed is looked at again first.
func TestOnlyWhatWasSeenIsSettled(t *testing.T) {
	b := clashing(t)
	b.audit(memory.AuditInput{})
	c := b.only("open")
	b.state("domain/infra/gateway", "The gateway listens on port 7443.", "ben")
	in := memory.ResolveInput{ConflictID: c.ConflictID, How: "winner", Winner: "a", Reason: "r", SeenA: c.VersionA, SeenB: c.VersionB}
	if _, err := b.Resolve(t.Context(), in); !errors.Is(err, memory.ErrSettled) {
		t.Errorf("settled unseen: %v", err)
	}
	in.SeenA, in.SeenB = "", ""
	b.resolve(in) // by what stands now
	b = clashing(t)
	b.audit(memory.AuditInput{})
	c = b.only("open")
	b.state("domain/infra/gateway", portA+" Indeed.", "ben") // they agree now
	in.ConflictID = c.ConflictID
	if _, err := b.Resolve(t.Context(), in); !errors.Is(err, memory.ErrSettled) {
		t.Errorf("what is over was settled: %v", err)
	}
	if f := b.get("domain/infra/gateway"); f.State != "current" {
		t.Errorf("the fact that agrees is %s", f.State)
	}
}

// TestOneOfManySettles a conflict that no audit has written.
func TestOneOfManySettles(t *testing.T) {
	b := clashing(t)
	id := b.only("open").ConflictID
	var settled atomic.Int32
	var group sync.WaitGroup
	for i := range 6 {
		group.Go(func() {
			m := openMemory(t, b.dir)
			if _, err := m.Resolve(t.Context(), memory.ResolveInput{ConflictID: id, How: "dismissed", Reason: fmt.Sprint("reason ", i)}); err == nil {
				settled.Add(1)
			}
		})
	}
	group.Wait()
	if settled.Load() != 1 {
		t.Errorf("%d of six settled it", settled.Load())
	}
}

// TestWhatCannotTakeThePlace of two facts.
func TestWhatCannotTakeThePlace(t *testing.T) {
	b := clashing(t)
	b.commit(memory.CommitInput{Key: "domain/infra/brief", Claim: "The gateway is being moved.", Durability: "ephemeral"})
	b.audit(memory.AuditInput{})
	c := b.only("open")
	for _, key := range []string{c.Key.String(), "domain/infra/brief", "domain/infra/gateway"} {
		if _, err := b.Resolve(t.Context(), memory.ResolveInput{ConflictID: c.ConflictID, How: "merge", Merged: key, Reason: "r"}); err == nil {
			t.Errorf("%s took it", key)
		}
	}
	if _, err := b.Resolve(t.Context(), memory.ResolveInput{ConflictID: c.ConflictID, How: "dismissed", Reason: strings.Repeat("why ", 300)}); err == nil {
		t.Error("a reason was cut in silence")
	}
}

// TestEditsByHand end or renew a conflict, though the id of the fact stays.
func TestEditsByHand(t *testing.T) {
	for claim, open := range map[string]int{portA: 0, "The gateway listens on port 7443.": 1} {
		b := clashing(t)
		b.audit(memory.AuditInput{})
		b.place("domain/infra/gateway.yml", strings.Replace(b.git("show", "engram:domain/infra/gateway.yml")+"\n", portB, claim, 1))
		b.audit(memory.AuditInput{})
		list := b.conflicts(memory.ConflictsInput{})
		if len(list) != open {
			t.Errorf("%s: %d are open", claim, len(list))
		}
		if open == 1 && !strings.Contains(list[0].Explanation, "7443") {
			t.Errorf("it says %q", list[0].Explanation)
		}
	}
}

// TestDamagedConflicts keep an audit from nothing else, and lint names them.
func TestDamagedConflicts(t *testing.T) {
	for name, text := range map[string]string{
		"no YAML":     ":::{\n",
		"no conflict": "lineage: 01ARZ3NDEKTSV4RRFFQ69G5FAV\nid: 01ARZ3NDEKTSV4RRFFQ69G5FAV\nclaim: nothing\nvalid_from: 2026-01-01T00:00:00Z\n",
	} {
		t.Run(name, func(t *testing.T) {
			b := clashing(t)
			id := b.only("open").ConflictID
			b.place("risk/conflict/"+id+".yml", text)
			b.state("domain/infra/x", "The billing service uses MySQL 5.7.", "ann")
			b.state("domain/infra/y", "The billing service uses MySQL 8.0.", "ben")
			if r := b.audit(memory.AuditInput{}); r.Known == 0 {
				t.Errorf("nothing was written: %q", r.Notes)
			}
			b.conflicts(memory.ConflictsInput{})
			lint, err := b.Lint(t.Context(), nil)
			if err != nil || name == "no YAML" && lint.Canonical {
				t.Errorf("lint: %+v, %v", lint, err)
			}
		})
	}
}

// TestCorrectingAKey: who names a fact that says something else means it to say
// so too, though another says the same.
func TestCorrectingAKey(t *testing.T) {
	b := clashing(t)
	b.audit(memory.AuditInput{})
	if r := b.state("domain/infra/gateway", portA, "ben"); r.Duplicate || b.get("domain/infra/gateway").Claim != portA {
		t.Errorf("%+v", r)
	}
	if len(b.conflicts(memory.ConflictsInput{})) != 0 {
		t.Error("the two still clash")
	}
	if r := b.state("domain/infra/third", portA, "ben"); !r.Duplicate {
		t.Error("the same under a new key is no duplicate any more")
	}
}

// TestRangesOfThePast: what changed again since is not looked at.
func TestRangesOfThePast(t *testing.T) {
	b := newMemory(t)
	before := b.tip()
	old := b.state("domain/infra/gateway", portB, "ben").Revision
	b.state("domain/infra/gateway", portA+" Now.", "ben")
	b.state("architecture/infra/gateway-port", portA, "ann")
	if r, err := b.Check(t.Context(), memory.CheckInput{From: before, To: old}); err != nil || !r.Clean {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestEphemeralSides end a conflict, with the commit and not when they expire.
func TestEphemeralSides(t *testing.T) {
	b := clashing(t)
	b.audit(memory.AuditInput{})
	b.commit(memory.CommitInput{Key: "domain/infra/gateway", Claim: portB, Durability: "ephemeral", Agent: "ben"})
	if c := b.only("closed"); c.Since.After(b.clock.Now()) || !strings.Contains(c.Reason, "ephemeral") {
		t.Errorf("%+v", c)
	}
}

// TestManyClashesOfOneFact are opened up to a number, and the rest is counted.
func TestManyClashesOfOneFact(t *testing.T) {
	b := newMemory(t)
	for i := range 30 {
		b.state(fmt.Sprintf("domain/infra/port%d", i), fmt.Sprintf("The gateway listens on port %d.", 7000+i), fmt.Sprint("agent", i))
	}
	r := b.audit(memory.AuditInput{})
	perFact := make(map[string]int)
	for _, c := range r.Opened {
		perFact[c.KeyA]++
		perFact[c.KeyB]++
	}
	for key, n := range perFact {
		if n > 10 {
			t.Errorf("%s has %d conflicts", key, n)
		}
	}
	if r.Surplus == 0 || len(r.Notes) == 0 {
		t.Errorf("surplus %d, notes %q", r.Surplus, r.Notes)
	}
}
