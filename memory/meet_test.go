package memory_test

import (
	"strings"
	"testing"

	"engram/memory"
)

// TestCommitSaysWhatItContradicts: the conflict arrives with the fact, as an audit would
// have written it.
func TestCommitSaysWhatItContradicts(t *testing.T) {
	b := newMemory(t)
	first := b.state("architecture/infra/gateway-port", portA, "ann")
	r := b.state("domain/infra/gateway", portB, "ben")
	if len(r.Contradicts) != 1 || r.Conflicts == nil || *r.Conflicts != 1 {
		t.Fatalf("%+v", r)
	}
	met := r.Contradicts[0]
	if met.FactID != first.FactID || met.Key != first.Key || met.Claim != portA || met.Grade != "contradiction" || !strings.Contains(met.Explanation, "9443 here, 8443 there") {
		t.Errorf("%+v", met)
	}
	if c := b.only("open"); !c.Recorded || c.ConflictID != met.ConflictID {
		t.Errorf("%+v", c)
	}
	if got := b.get("domain/infra/gateway"); got.HasConflict == nil || !*got.HasConflict {
		t.Error("the fact is not marked")
	}
	if n := b.git("rev-list", "--count", first.Revision+".."+r.Revision); n != "1" {
		t.Errorf("%s commits", n)
	}
	conflict := b.git("show", "engram:risk/conflict/"+met.ConflictID+".yml")
	b.removeFile("risk/conflict/" + met.ConflictID + ".yml")
	if audit := b.audit(memory.AuditInput{All: true}); len(audit.Opened) != 1 || b.git("show", "engram:risk/conflict/"+met.ConflictID+".yml") != conflict {
		t.Error("an audit writes another conflict")
	}
	if other := b.state("architecture/infra/gateway-port", "The gateway listens on port 7443.", "ann").Contradicts; len(other) != 1 || !strings.Contains(other[0].Explanation, "7443 here, 9443 there") {
		t.Errorf("the other side is told %+v", other)
	}
	again, err := b.CommitAll(t.Context(), []memory.CommitInput{
		{Key: "domain/cache/size", Claim: "The cache holds 40 entries.", Scope: "cache", Agent: "ann"},
		{Key: "domain/cache/limit", Claim: "The cache holds 50 entries.", Scope: "cache", Agent: "ann"},
	})
	if err != nil || len(again[0].Contradicts) != 1 || len(again[1].Contradicts) != 1 {
		t.Errorf("two facts of one commit: %+v, %v", again, err)
	}
	end, err := b.Retire(t.Context(), "domain/cache/limit", "gone", "ann")
	if err != nil || len(end.Contradicts) != 0 {
		t.Errorf("%+v, %v", end, err)
	}
}

// TestRewordingEndsNothing: a claim in other words leaves its conflict open, and so does one
// about something else. What says the same as the other side ends it.
func TestRewordingEndsNothing(t *testing.T) {
	const mine, other = "domain/infra/two", "domain/infra/one"
	for _, c := range []struct{ about, first, second, changed string }{
		{"rules find nothing", "billing is written in Kotlin.", "billing is a Go service.", "billing: golang, net/http"},
		{"likely", "Sessions last 15 minutes.", "Sessions last 45 minutes.", "Sessions last about three quarters of an hour."},
		{"no word in common", "Sessions last 15 minutes.", "Sessions last 45 minutes.", "You are logged out after 45 minutes."},
	} {
		b := newMemory(t)
		b.state(other, c.first, "ann")
		if r := b.state(mine, c.second, "ben"); len(r.Contradicts) != 1 {
			t.Fatalf("%s: %+v", c.about, r)
		}
		b.state(mine, c.changed, "ben")
		b.only("open")
		b.audit(memory.AuditInput{All: true})
		b.only("open")
		if r := b.state(mine, c.first[:len(c.first)-1]+", too.", "ben"); len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "ends the conflict") {
			t.Errorf("%s: the correction is told as %q", c.about, r.Notes)
		}
		b.only("closed")
	}
}

// TestRewordingKeepsAVerdict: what a judge said of two claims stands when one is reworded; the
// rules cannot say whether it still holds.
func TestRewordingKeepsAVerdict(t *testing.T) {
	b := undecided(t)
	b.judge(say("cleo", "contradicts", "they are kept in two places"))
	b.state(keyTwo, claimTwo+" Please.", "ben")
	b.audit(memory.AuditInput{})
	b.only("open")
	if judged := b.judge(say("cleo", "compatible", "one says where")); judged.Status != "dismissed" {
		t.Errorf("it cannot be judged again: %+v", judged)
	}
}

// TestShortClaimsShareAName: two short claims of one scope that name one thing are offered.
func TestShortClaimsShareAName(t *testing.T) {
	b := newMemory(t)
	b.commit(memory.CommitInput{Key: "domain/build/a", Claim: "We removed Webpack.", Scope: "build", Agent: "ann"})
	r := b.commit(memory.CommitInput{Key: "domain/build/b", Claim: "We use Webpack for bundles.", Scope: "build", Agent: "ben"})
	if named := append(r.Likely, r.Related...); len(named) != 1 || named[0].Key != "domain/build/a" {
		t.Errorf("%+v", r)
	}
}
