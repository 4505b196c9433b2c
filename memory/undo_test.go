package memory_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"engram/memory"
)

const (
	lifeKey = "domain/auth/session"
	life30  = "Sessions live 30 minutes."
	life15  = "Sessions live 15 minutes."
)

func (b bench) undo(in memory.UndoInput) memory.UndoResult {
	b.t.Helper()
	r, err := b.Undo(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// did is what an undo did, in short.
func did(r memory.UndoResult) string {
	var list []string
	for _, d := range r.Done {
		list = append(list, d.How+" "+d.Key)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// TestUndoOfEachWrite: an addition, an edit and a retirement are taken back one after the other,
// each by a commit of its own, and can be done again.
func TestUndoOfEachWrite(t *testing.T) {
	b := newMemory(t)
	first := b.state(lifeKey, life30, "ann")
	b.state(lifeKey, life15, "ann")
	edited := b.tip()
	if r := b.undo(memory.UndoInput{}); did(r) != "restored "+lifeKey || r.Undone != edited {
		t.Fatalf("%+v", r)
	}
	f := b.get(lifeKey)
	if f.Claim != life30 || f.State != "current" || f.LineageID != first.LineageID || f.FactID == first.FactID {
		t.Fatalf("after the edit was taken back: %+v", f)
	}
	if subject := b.git("log", "-1", "--format=%s", "engram"); !strings.HasPrefix(subject, "undo "+edited[:12]+": update "+lifeKey) {
		t.Errorf("the commit says %q", subject)
	}
	// The next goes one step further back; there the fact has a later version, so it is refused.
	if _, err := b.Undo(t.Context(), memory.UndoInput{}); !errors.Is(err, memory.ErrCannotUndo) || !strings.Contains(err.Error(), "changed since, by") {
		t.Errorf("%v", err)
	}
	if r := b.undo(memory.UndoInput{Revision: b.tip()}); did(r) != "restored "+lifeKey || b.get(lifeKey).Claim != life15 {
		t.Errorf("taken back twice: %+v", r)
	}
	if _, err := b.Retire(t.Context(), lifeKey, "gone", "ann"); err != nil {
		t.Fatal(err)
	}
	retired := b.tip()
	ended := b.get(lifeKey).ValidUntil
	if r := b.undo(memory.UndoInput{Key: lifeKey, Reason: "it lives on"}); did(r) != "restored "+lifeKey || r.Undone != retired {
		t.Fatalf("%+v", r)
	}
	if f := b.get(lifeKey); f.Claim != life15 || f.State != "current" || !f.ValidFrom.Equal(*ended) {
		t.Errorf("after the retirement was taken back: %+v, which ended %v", f, *ended)
	}
	if message := b.git("log", "-1", "--format=%B", "engram"); !strings.Contains(message, "reason: it lives on") {
		t.Errorf("%q", message)
	}
	other := b.state("domain/auth/cookie", "Cookies are strict.", "ann")
	if r := b.undo(memory.UndoInput{}); did(r) != "retired domain/auth/cookie" {
		t.Fatalf("%+v", r)
	}
	if f := b.get(other.Key); f.State != "retired" {
		t.Errorf("what was added is %s", f.State)
	}
}

// TestUndoOfSettlements: each way to settle a conflict is taken back: both facts hold, the conflict is
// open, and the next audit has nothing to add.
func TestUndoOfSettlements(t *testing.T) {
	for _, in := range []memory.ResolveInput{
		{How: "winner", Winner: "a"}, {How: "winner", Winner: "b"}, {How: "dismissed"}, {How: "last-writer"},
		{How: "merge", MergedClaim: "The gateway listens on ports 8443 and 9443."},
	} {
		for _, written := range []bool{true, false} { // whether an audit wrote the conflict
			t.Run(fmt.Sprint(in.How, in.Winner, written), func(t *testing.T) {
				b := clashing(t)
				if written {
					b.audit(memory.AuditInput{})
				}
				c := b.only("open")
				in.ConflictID, in.Reason = c.ConflictID, "looked it up"
				merged := b.resolve(in).Merged
				r := b.undo(memory.UndoInput{Key: c.Key.String()})
				if !strings.Contains(did(r), "reopened "+c.Key.String()) {
					t.Fatalf("%+v", r)
				}
				again := b.only("open")
				if again.KeyA != c.KeyA || again.KeyB != c.KeyB || again.Explanation != c.Explanation || !again.Recorded {
					t.Errorf("open again: %+v, was %+v", again, c)
				}
				for _, key := range []string{c.KeyA, c.KeyB} {
					if f := b.get(key); f.State != "current" {
						t.Errorf("%s is %s", key, f.State)
					}
				}
				if merged != "" && b.get(merged).State != "retired" {
					t.Errorf("the third fact is %s", b.get(merged).State)
				}
				before := b.tip()
				if r := b.audit(memory.AuditInput{}); len(r.Opened)+len(r.Closed)+len(r.Reopened) != 0 {
					t.Errorf("the audit after it: %+v", r)
				}
				if b.tip() != before {
					t.Error("the audit wrote something")
				}
				in.ConflictID = again.ConflictID
				b.resolve(in) // it can be settled again
			})
		}
	}
}

// TestUndoTakesBackWhatAnAdditionOpened: the conflict that a new fact opened closes with it.
func TestUndoTakesBackWhatAnAdditionOpened(t *testing.T) {
	b := newMemory(t)
	b.state("architecture/infra/gateway-port", portA, "ann")
	b.state("domain/infra/gateway", portB, "ben")
	b.only("open")
	b.undo(memory.UndoInput{})
	if list := b.conflicts(memory.ConflictsInput{}); len(list) != 0 {
		t.Errorf("still open: %+v", list)
	}
	if f := b.get("architecture/infra/gateway-port"); f.State != "current" {
		t.Errorf("the other is %s", f.State)
	}
}

// TestUndoRefuses: what is not a write of facts, what changed since, and what others forbid.
func TestUndoRefuses(t *testing.T) {
	b := newMemory(t)
	root := b.tip()
	refused := func(in memory.UndoInput, want string) {
		t.Helper()
		before := b.tip()
		if _, err := b.Undo(t.Context(), in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", in, err, want)
		}
		if b.tip() != before {
			t.Error("it wrote something")
		}
	}
	refused(memory.UndoInput{}, "none of the last")
	refused(memory.UndoInput{Revision: root}, "first commit")
	refused(memory.UndoInput{Revision: "HEAD"}, "is not a commit of engram")
	refused(memory.UndoInput{Key: "domain/no/such"}, "no such fact")
	b.state(lifeKey, life30, "ann")
	added := b.tip()
	b.state(lifeKey, life15, "ann")
	refused(memory.UndoInput{Revision: added}, "changed since, by "+b.tip()[:12])
	refused(memory.UndoInput{Reason: "the password is " + marker}, "secret")
	preview, err := b.Undo(t.Context(), memory.UndoInput{Preview: true})
	if err != nil || did(preview) != "restored "+lifeKey || b.get(lifeKey).Claim != life15 {
		t.Errorf("the preview: %+v, %v", preview, err)
	}
	b.agree("permissions:", "  - {agent: ben, scope: infra, write: false}")
	refused(memory.UndoInput{Key: lifeKey, Agent: "ben"}, "ben")
	refused(memory.UndoInput{Revision: b.tip()}, "no fact")
	b.state("domain/auth/cookie", "Cookies live 7 days.", "ann")
	b.state("domain/auth/cookies", "Cookies live 9 days.", "cleo")
	c := b.only("open")
	b.resolve(memory.ResolveInput{ConflictID: c.ConflictID, How: "dismissed", Reason: "both kinds"})
	refused(memory.UndoInput{Revision: c.ConflictID, Agent: "ben"}, "ben")
	other := b.as("Cleo")
	if _, err := other.Undo(t.Context(), memory.UndoInput{}); err == nil || !strings.Contains(err.Error(), "cleo@example.com") {
		t.Errorf("of another person: %v", err)
	}
}

// TestUndoInTwoClones: both take back the same commit, or one does while the other writes on. They
// converge, the claim holds once, and nothing that somebody wrote is lost.
func TestUndoInTwoClones(t *testing.T) {
	begin := func(t *testing.T) (team []bench, ann, ben bench) {
		team = newTeam(t, 2)
		ann, ben = team[0], team[1]
		ann.state(lifeKey, life30, "ann")
		ann.state(lifeKey, life15, "ann")
		ann.sync()
		ben.sync()
		ben.clock.add(1e12)
		return team, ann, ben
	}
	t.Run("both", func(t *testing.T) {
		team, ann, ben := begin(t)
		ann.undo(memory.UndoInput{Key: lifeKey})
		ben.undo(memory.UndoInput{Key: lifeKey})
		converge(t, team)
		ann.clock.add(1e13)
		for _, b := range team {
			if f := b.get(lifeKey); f.Claim != life30 || f.State != "current" {
				t.Errorf("%s: %s", f.State, f.Claim)
			}
		}
	})
	t.Run("against an edit", func(t *testing.T) {
		team, ann, ben := begin(t)
		ann.undo(memory.UndoInput{Key: lifeKey})
		ben.state(lifeKey, "Sessions live 45 minutes.", "ben")
		converge(t, team)
		ann.clock.add(1e13)
		if f := ann.get(lifeKey); f.Claim != "Sessions live 45 minutes." || f.State != "current" {
			t.Errorf("%s: %s", f.State, f.Claim)
		}
		// What the undo brought back is kept as a rival, for somebody to decide.
		if c := ann.only("open"); !strings.Contains(c.KeyA+c.KeyB, lifeKey+".rival-") {
			t.Errorf("%+v", c)
		}
	})
	t.Run("a retirement, both", func(t *testing.T) {
		team, ann, ben := begin(t)
		if _, err := ann.Retire(t.Context(), lifeKey, "gone", "ann"); err != nil {
			t.Fatal(err)
		}
		ann.clock.add(2e12)
		ann.sync()
		ben.sync()
		ben.clock.add(1e12)
		ann.undo(memory.UndoInput{Key: lifeKey})
		ben.undo(memory.UndoInput{Key: lifeKey})
		converge(t, team)
		ann.clock.add(1e13)
		for _, b := range team {
			if f := b.get(lifeKey); f.Claim != life15 || f.State != "current" {
				t.Errorf("%s: %s", f.State, f.Claim)
			}
		}
	})
}

// TestUndoOfOneOfMany: of an import, a key takes back its own fact alone; the revision takes back all.
func TestUndoOfOneOfMany(t *testing.T) {
	b := newMemory(t)
	b.imp("{\"claim\":\"Ports are open.\",\"key\":\"domain/net/ports\"}\n{\"claim\":\"Doors are shut.\",\"key\":\"domain/net/doors\"}\n", memory.ImportInput{Format: memory.JSONL})
	imported := b.tip()
	if r := b.undo(memory.UndoInput{Key: "domain/net/ports"}); did(r) != "retired domain/net/ports" || b.get("domain/net/doors").State != "current" {
		t.Errorf("%+v", r)
	}
	if _, err := b.Undo(t.Context(), memory.UndoInput{Revision: imported}); !errors.Is(err, memory.ErrCannotUndo) {
		t.Errorf("the rest: %v", err)
	}
}
