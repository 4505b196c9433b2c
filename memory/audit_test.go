package memory_test

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/memory"
)

// The pair that most tests are about.
const (
	portA = "The gateway listens on port 8443."
	portB = "The gateway listens on port 9443."
)

// state commits a claim by an agent.
func (b bench) state(key, claim, agent string) memory.CommitResult {
	b.t.Helper()
	return b.commit(memory.CommitInput{Key: key, Claim: claim, Agent: agent, Scope: "infra"})
}

// clashing is a memory with the pair in it. Plain git brought the second fact, so an audit
// has to find the conflict; a commit of engram's writes it at once (TestCommitSaysWhatItContradicts).
func clashing(t testing.TB) bench {
	t.Helper()
	b := newMemory(t)
	b.state("architecture/infra/gateway-port", portA, "ann")
	b.arrive("domain/infra/gateway", portB, "ben")
	return b
}

// arrive puts a claim on the branch with plain git.
func (b bench) arrive(key, claim, agent string) {
	b.t.Helper()
	f := stated(key, "infra", agent, b.clock.Now())
	f.Claim = claim
	b.bring(f)
}

func (b bench) audit(in memory.AuditInput) memory.AuditResult {
	b.t.Helper()
	r, err := b.Audit(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b bench) conflicts(in memory.ConflictsInput) []memory.Conflict {
	b.t.Helper()
	r, err := b.Conflicts(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	return r.Conflicts
}

// only is the one conflict that there is of a status.
func (b bench) only(status string) memory.Conflict {
	b.t.Helper()
	list := b.conflicts(memory.ConflictsInput{Status: status})
	if len(list) != 1 {
		b.t.Fatalf("%d conflicts are %s, want one: %+v", len(list), status, list)
	}
	return list[0]
}

func (b bench) resolve(in memory.ResolveInput) memory.ResolveResult {
	b.t.Helper()
	r, err := b.Resolve(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func TestAuditWritesAConflict(t *testing.T) {
	b := clashing(t)
	r := b.audit(memory.AuditInput{})
	if len(r.Opened) != 1 || r.Facts != 2 || r.Pairs == 0 {
		t.Fatalf("opened %d of %d facts, %d pairs", len(r.Opened), r.Facts, r.Pairs)
	}
	c := b.only("open")
	if !c.Recorded || c.Severity != "high" || c.Tier != "tier0_entity" || c.Verdict != "contradiction" || c.Scope != "infra" {
		t.Errorf("the conflict is %+v", c)
	}
	if c.A == nil || c.B == nil || c.A.Claim != portA || c.B.Claim != portB || c.SpanA == nil || c.SpanA.Text != "8443" || c.SpanB.Text != "9443" {
		t.Errorf("its sides are %+v and %+v, spans %+v and %+v", c.A, c.B, c.SpanA, c.SpanB)
	}
	if !strings.Contains(c.Explanation, "8443") || !strings.Contains(c.Explanation, "9443") {
		t.Errorf("it says %q", c.Explanation)
	}
	again := b.audit(memory.AuditInput{})
	if len(again.Opened) != 0 || again.Revision != r.Revision {
		t.Errorf("a second audit wrote %d, revision %s then %s", len(again.Opened), r.Revision, again.Revision)
	}
	if all := b.audit(memory.AuditInput{All: true}); len(all.Opened) != 0 || all.Revision != r.Revision || all.Known != 1 {
		t.Errorf("an audit of everything: %+v", all)
	}
}

// TestConflictsBeforeAnyAudit: who lists conflicts sees what arrived, too.
func TestConflictsBeforeAnyAudit(t *testing.T) {
	b := clashing(t)
	seen := b.only("open")
	if seen.Recorded {
		t.Error("nothing was recorded yet")
	}
	b.audit(memory.AuditInput{})
	if c := b.only("open"); c.ConflictID != seen.ConflictID || !c.Recorded {
		t.Errorf("recorded as %s, seen as %s", c.ConflictID, seen.ConflictID)
	}
	other := clashing(t)
	result := other.resolve(memory.ResolveInput{ConflictID: other.only("open").ConflictID, How: "dismissed", Reason: "two gateways"})
	if !result.Resolved {
		t.Error("a conflict that was not recorded cannot be resolved")
	}
	if r := other.audit(memory.AuditInput{}); len(r.Opened) != 0 {
		t.Error("it was opened after it was dismissed")
	}
}

func TestAuditOfARange(t *testing.T) {
	b := newMemory(t)
	b.state("architecture/infra/gateway-port", portA, "ann")
	b.audit(memory.AuditInput{})
	b.arrive("domain/infra/gateway", portB, "ben")
	before := b.tip()
	b.state("domain/infra/log", "The log level of the gateway is debug.", "ben")
	if r := b.audit(memory.AuditInput{From: before}); len(r.Opened) != 0 || r.Facts != 1 {
		t.Errorf("the range has one fact that clashes with none: %+v", r)
	}
	if r := b.audit(memory.AuditInput{}); len(r.Opened) != 1 || r.Facts != 2 {
		t.Errorf("what the range left out was lost: %+v", r)
	}
	if _, err := b.Audit(t.Context(), memory.AuditInput{From: "no-such-revision"}); err == nil {
		t.Error("an unknown revision was audited")
	}
}

func TestResolve(t *testing.T) {
	for _, c := range []struct {
		name   string
		in     memory.ResolveInput
		closed []string
		winner string // its key
		status string
	}{
		{"winner by key", memory.ResolveInput{How: "winner", Winner: "domain/infra/gateway"}, []string{"architecture/infra/gateway-port"}, "domain/infra/gateway", "resolved"},
		{"winner by side", memory.ResolveInput{How: "winner", Winner: "a"}, []string{"domain/infra/gateway"}, "architecture/infra/gateway-port", "resolved"},
		{"last writer", memory.ResolveInput{How: "last-writer"}, []string{"architecture/infra/gateway-port"}, "domain/infra/gateway", "resolved"},
		{"merge", memory.ResolveInput{How: "merge", MergedClaim: "The gateway listens on 8443 inside and 9443 outside."}, []string{"architecture/infra/gateway-port", "domain/infra/gateway"}, "", "resolved"},
		{"dismissed", memory.ResolveInput{How: "dismissed"}, []string{}, "", "dismissed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := clashing(t)
			b.audit(memory.AuditInput{})
			open := b.only("open")
			c.in.ConflictID, c.in.Reason, c.in.Agent, c.in.Evidence = open.ConflictID[:8], "read the configuration", "eve", "gateway.yml:3"
			r := b.resolve(c.in)
			slices.Sort(r.Closed)
			if diff := cmp.Diff(c.closed, r.Closed); diff != "" {
				t.Error(diff)
			}
			for _, key := range c.closed {
				if f := b.get(key); f.State != "superseded" {
					t.Errorf("%s is %s", key, f.State)
				}
			}
			settled := b.only(c.status)
			if settled.Reason != "read the configuration" || settled.ResolvedBy != "eve" || settled.Evidence != "gateway.yml:3" || settled.Engineer == "" {
				t.Errorf("settled as %+v", settled)
			}
			if c.winner != "" && settled.Winner != b.get(c.winner).FactID {
				t.Errorf("the winner is %s", settled.Winner)
			}
			if settled.Explanation != open.Explanation {
				t.Errorf("the explanation became %q", settled.Explanation)
			}
			if r := b.audit(memory.AuditInput{All: true}); len(r.Opened)+len(r.Closed) != 0 {
				t.Errorf("an audit opened %d and closed %d after that", len(r.Opened), len(r.Closed))
			}
			if _, err := b.Resolve(t.Context(), c.in); err == nil {
				t.Error("it could be resolved twice")
			}
		})
	}
}

func TestHigherConfidenceWins(t *testing.T) {
	b := newMemory(t)
	sure, unsure := 0.9, 0.4
	b.commit(memory.CommitInput{Key: "domain/infra/one", Claim: portA, Agent: "ann", Scope: "infra", Confidence: &unsure})
	b.commit(memory.CommitInput{Key: "domain/infra/two", Claim: portB, Agent: "ben", Scope: "infra", Confidence: &sure})
	b.audit(memory.AuditInput{})
	r := b.resolve(memory.ResolveInput{ConflictID: b.only("open").ConflictID, How: "higher-confidence", Reason: "policy"})
	if diff := cmp.Diff([]string{"domain/infra/one"}, r.Closed); diff != "" {
		t.Error(diff)
	}
}

func TestWrongResolutions(t *testing.T) {
	b := clashing(t)
	b.audit(memory.AuditInput{})
	id := b.only("open").ConflictID
	for name, in := range map[string]memory.ResolveInput{
		"no such way":       {ConflictID: id, How: "coin", Reason: "r"},
		"no reason":         {ConflictID: id, How: "dismissed", Reason: " "},
		"no winner":         {ConflictID: id, How: "winner", Reason: "r"},
		"another winner":    {ConflictID: id, How: "winner", Winner: "domain/infra/none", Reason: "r"},
		"a winner too much": {ConflictID: id, How: "dismissed", Winner: "a", Reason: "r"},
		"nothing merged":    {ConflictID: id, How: "merge", Reason: "r"},
		"merged into air":   {ConflictID: id, How: "merge", Merged: "domain/infra/none", Reason: "r"},
		"no confidence":     {ConflictID: id, How: "higher-confidence", Reason: "r"},
		"a secret":          {ConflictID: id, How: "dismissed", Reason: "it is " + marker},
		"no such conflict":  {ConflictID: "ffffffff", How: "dismissed", Reason: "r"},
		"no conflict":       {ConflictID: "", How: "dismissed", Reason: "r"},
	} {
		if _, err := b.Resolve(t.Context(), in); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if c := b.only("open"); c.ConflictID != id {
		t.Error("the conflict is not open any more")
	}
}

// TestSettledStaysSettled until one side changes its meaning.
func TestSettledStaysSettled(t *testing.T) {
	b := clashing(t)
	b.audit(memory.AuditInput{})
	b.resolve(memory.ResolveInput{ConflictID: b.only("open").ConflictID, How: "dismissed", Reason: "two gateways"})
	b.state("domain/infra/gateway", "The gateway listens on port 9443, as it always did.", "ben")
	if r := b.audit(memory.AuditInput{}); len(r.Opened) != 0 {
		t.Errorf("the same in other words was flagged again: %s", r.Opened[0].Explanation)
	}
	b.state("domain/infra/gateway", "The gateway listens on port 7443.", "ben")
	if r := b.audit(memory.AuditInput{}); len(r.Opened) != 0 || r.Known != 1 {
		t.Fatal("another value was not flagged by the commit")
	}
	if c := b.only("open"); !strings.Contains(c.Explanation, "7443") {
		t.Errorf("it says %q", c.Explanation)
	}
}

// TestConflictsEndWithTheirSides, in the commit that ends them, or in the next audit if plain
// git did. Either writes the same bytes.
func TestConflictsEndWithTheirSides(t *testing.T) {
	for name, end := range map[string]func(b bench) (said []string){
		"retired": func(b bench) []string {
			r, err := b.Retire(b.t.Context(), "domain/infra/gateway", "gone", "ben")
			if err != nil {
				b.t.Fatal(err)
			}
			return r.Notes
		},
		"agrees now": func(b bench) []string { return b.state("domain/infra/gateway", portA+" Really.", "ben").Notes },
		"purged":     func(b bench) []string { b.removeFile("domain/infra/gateway.yml"); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			b := clashing(t)
			b.audit(memory.AuditInput{})
			open := b.only("open")
			path := "risk/conflict/" + open.ConflictID + ".yml"
			before := b.git("show", "engram:"+path)
			said := end(b)
			if name != "purged" {
				if f := b.get("architecture/infra/gateway-port"); f.HasConflict != nil && *f.HasConflict {
					t.Error("the other side is still marked")
				}
				if len(said) != 1 || !strings.Contains(said[0], "ends the conflict with architecture/infra/gateway-port") {
					t.Errorf("the commit says %q", said)
				}
				closed := b.git("show", "engram:"+path)
				b.place(path, before+"\n")
				if r := b.audit(memory.AuditInput{}); len(r.Closed) != 1 || b.git("show", "engram:"+path) != closed {
					t.Errorf("an audit closed %d and wrote other bytes", len(r.Closed))
				}
			} else if r := b.audit(memory.AuditInput{}); len(r.Closed) != 1 {
				t.Fatalf("closed %d", len(r.Closed))
			}
			if c := b.only("closed"); c.Reason == "" || len(b.conflicts(memory.ConflictsInput{})) != 0 {
				t.Errorf("%+v", c)
			}
			again := b.state("domain/infra/gateway", portB, "ben")
			if name != "agrees now" { // another lineage
				return
			}
			if len(again.Contradicts) != 1 || b.only("open").ConflictID != again.Contradicts[0].ConflictID {
				t.Error("it was not opened again")
			}
		})
	}
}

// TestResolutionsEndOtherConflicts: what loses one conflict is out of its others at once.
func TestResolutionsEndOtherConflicts(t *testing.T) {
	b := newMemory(t)
	for key, claim := range map[string]string{"domain/infra/one": portA, "domain/infra/two": portB, "domain/infra/three": "The gateway listens on port 7443."} {
		b.state(key, claim, key)
	}
	var id string
	for _, c := range b.conflicts(memory.ConflictsInput{}) {
		if c.KeyA != "domain/infra/three" && c.KeyB != "domain/infra/three" {
			id = c.ConflictID
		}
	}
	b.resolve(memory.ResolveInput{ConflictID: id, How: "winner", Winner: "domain/infra/one", Reason: "read"})
	if left := b.only("open"); left.KeyA == "domain/infra/two" || left.KeyB == "domain/infra/two" {
		t.Errorf("%+v", left)
	}
	if f := b.get("domain/infra/three"); f.HasConflict == nil || !*f.HasConflict {
		t.Error("the conflict of the other two is gone as well")
	}
}

// removeFile takes a file off the branch with git alone, as a purge would.
func (b bench) removeFile(path string) {
	b.t.Helper()
	tree := filepath.Join(b.t.TempDir(), "tree")
	b.git("worktree", "add", "-q", tree, "engram")
	b.git("-C", tree, "rm", "-q", path)
	b.git("-C", tree, "commit", "-q", "-m", "remove")
	b.git("worktree", "remove", tree)
}

func (b bench) git(args ...string) string { b.t.Helper(); return gitIn(b.t, b.dir, args...) }

// TestQueriesSayWhatIsDisputed: null before any audit, then true or false.
func TestQueriesSayWhatIsDisputed(t *testing.T) {
	b := clashing(t)
	b.state("domain/infra/log", "The log level of the gateway is debug.", "cid")
	flags := func() map[string]string {
		r, err := b.Query(t.Context(), memory.QueryInput{Question: "gateway port log level"})
		if err != nil {
			t.Fatal(err)
		}
		flags := make(map[string]string)
		for _, h := range r.Results {
			flags[h.Key.String()] = "null"
			if h.HasConflict != nil {
				flags[h.Key.String()] = fmt.Sprint(*h.HasConflict)
			}
		}
		return flags
	}
	want := map[string]string{"architecture/infra/gateway-port": "null", "domain/infra/gateway": "null", "domain/infra/log": "null"}
	if diff := cmp.Diff(want, flags()); diff != "" {
		t.Error("before an audit:", diff)
	}
	b.audit(memory.AuditInput{})
	want = map[string]string{"architecture/infra/gateway-port": "true", "domain/infra/gateway": "true", "domain/infra/log": "false"}
	if diff := cmp.Diff(want, flags()); diff != "" {
		t.Error("after it:", diff)
	}
	b.state("domain/infra/new", "The gateway is restarted on Sundays.", "cid")
	want["domain/infra/new"] = "null"
	if diff := cmp.Diff(want, flags()); diff != "" {
		t.Error("with a newer fact:", diff)
	}
	again := b.state("domain/infra/gateway", portB+" Still.", "ben")
	if again.Conflicts == nil || *again.Conflicts != 1 {
		t.Error("the commit does not tell of the conflict at its key")
	}
	b.resolve(memory.ResolveInput{ConflictID: b.only("open").ConflictID, How: "dismissed", Reason: "two gateways"})
	b.audit(memory.AuditInput{})
	for key, flag := range flags() {
		if flag != "false" {
			t.Errorf("%s: %s after the conflict was dismissed", key, flag)
		}
	}
}

// TestReliability: who is in conflicts ranks lower, by seed 4's ratio, and is
// never left out.
func TestReliability(t *testing.T) {
	b := clashing(t)
	b.state("domain/infra/log", "The log level of the gateway is debug.", "ben")
	b.audit(memory.AuditInput{})
	trust := func() map[string]float64 {
		r := b.query(memory.QueryInput{Question: "gateway port log level", Explain: true})
		trust := make(map[string]float64)
		for _, h := range r.Results {
			for _, p := range h.Explanation.Parts {
				if p.Name == "agent_trust" {
					trust[h.AgentID] = math.Round(p.Value*1000) / 1000
					if h.Trust != nil {
						t.Errorf("the hit of %s, who has written little, says %v", h.AgentID, *h.Trust)
					}
				}
			}
		}
		return trust
	}
	if diff := cmp.Diff(map[string]float64{"ann": 0, "ben": 0.5}, trust()); diff != "" {
		t.Error(diff)
	}
	b.resolve(memory.ResolveInput{ConflictID: b.only("open").ConflictID, How: "winner", Winner: "architecture/infra/gateway-port", Reason: "read it"})
	// Closing ben's fact made another state of it.
	if diff := cmp.Diff(map[string]float64{"ann": 1, "ben": 0.667}, trust()); diff != "" {
		t.Error("once it is settled:", diff)
	}
}

// TestEvolutionIsNoConflict: it is proposed, and disputes nothing.
func TestEvolutionIsNoConflict(t *testing.T) {
	b := newMemory(t)
	b.state("architecture/infra/old", "The gateway timeout is 30 seconds.", "ann")
	b.clock.add(time.Hour)
	b.state("domain/infra/new", "The gateway timeout was raised from 30 to 60 seconds.", "ben")
	b.audit(memory.AuditInput{})
	c := b.only("open")
	if c.Verdict != "evolution" || c.Newer != "b" || c.Severity != "low" {
		t.Fatalf("it is %+v", c.Clash)
	}
	if r, err := b.Check(t.Context(), memory.CheckInput{FailOn: "low"}); err != nil || !r.Clean || len(r.Conflicts) != 1 {
		t.Errorf("check: %+v, %v", r, err)
	}
	q, err := b.Query(t.Context(), memory.QueryInput{Question: "gateway timeout"})
	if err != nil || q.Results[0].HasConflict == nil || *q.Results[0].HasConflict {
		t.Errorf("%+v, %v", q.Results, err)
	}
	b.resolve(memory.ResolveInput{ConflictID: c.ConflictID, How: "last-writer", Reason: "newer state"})
	if f := b.get("architecture/infra/old"); f.State != "superseded" {
		t.Errorf("the old state is %s", f.State)
	}
}

func TestCheck(t *testing.T) {
	b := newMemory(t)
	before := b.state("architecture/infra/gateway-port", portA, "ann").Revision
	if r, err := b.Check(t.Context(), memory.CheckInput{}); err != nil || !r.Clean {
		t.Fatalf("%+v, %v", r, err)
	}
	b.arrive("domain/infra/gateway", portB, "ben")
	tip := b.tip()
	for name, in := range map[string]memory.CheckInput{"all": {}, "a range": {From: before}, "a scope": {Scope: "infra"}} {
		r, err := b.Check(t.Context(), in)
		if err != nil || r.Clean || r.Failing != 1 || r.Counts["high"] != 1 || r.Conflicts[0].Recorded {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	for name, in := range map[string]memory.CheckInput{"an empty range": {From: tip}, "another scope": {Scope: "billing"}} {
		if r, err := b.Check(t.Context(), in); err != nil || !r.Clean {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	if now := b.tip(); now != tip {
		t.Error("check wrote")
	}
}

// TestPlannedFacts clash when they begin, and not before.
func TestPlannedFacts(t *testing.T) {
	b := newMemory(t)
	b.state("architecture/infra/gateway-port", portA, "ann")
	b.commit(memory.CommitInput{Key: "domain/infra/gateway", Claim: portB, Agent: "ben", Scope: "infra", ValidFrom: b.clock.Now().Add(24 * time.Hour)})
	if r := b.audit(memory.AuditInput{}); len(r.Opened) != 0 {
		t.Fatal("a planned fact clashed before it began")
	}
	if r := b.audit(memory.AuditInput{}); r.Facts != 0 {
		t.Errorf("%d facts were looked at for nothing", r.Facts)
	}
	b.clock.add(48 * time.Hour)
	if r := b.audit(memory.AuditInput{}); len(r.Opened) != 1 || r.Facts != 1 {
		t.Errorf("once it began: %+v", r)
	}
}

func TestDetectBeforeWriting(t *testing.T) {
	b := newMemory(t)
	b.state("architecture/infra/gateway-port", portA, "ann")
	r, err := b.Detect(t.Context(), memory.DetectInput{Claim: portB, Scope: "infra"})
	if err != nil || len(r.Clashes) != 1 || r.Clashes[0].Fact.Key.String() != "architecture/infra/gateway-port" || r.Clashes[0].SpanA.Text != "9443" {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = b.Detect(t.Context(), memory.DetectInput{Claim: portB, Scope: "infra", Key: "architecture/infra/gateway-port"})
	if err != nil || len(r.Clashes) != 0 {
		t.Errorf("its own next version: %+v, %v", r, err)
	}
	r, err = b.Detect(t.Context(), memory.DetectInput{Claim: portB, Against: portA})
	if err != nil || r.Clash == nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestConflictsAreNotWrittenByHand, and an import takes them over.
func TestConflictsAreNotWrittenByHand(t *testing.T) {
	b := clashing(t)
	b.audit(memory.AuditInput{})
	key := b.only("open").Key.String()
	if _, err := b.Commit(t.Context(), memory.CommitInput{Key: key, Claim: "never mind"}); err == nil {
		t.Error("a conflict was overwritten")
	}
	if _, err := b.Retire(t.Context(), key, "never mind", "ann"); err == nil {
		t.Error("a conflict was retired")
	}
	// An export takes it elsewhere.
	var text strings.Builder
	if _, err := b.Export(t.Context(), &text, memory.ExportInput{Format: memory.JSONL, All: true}); err != nil {
		t.Fatal(err)
	}
	other := newMemory(t)
	if _, err := other.Import(t.Context(), strings.NewReader(text.String()), memory.ImportInput{Format: memory.JSONL}); err != nil {
		t.Fatal(err)
	}
	if c := other.only("open"); !c.Recorded {
		t.Error("it was not imported")
	}
	if r := other.audit(memory.AuditInput{}); len(r.Opened) != 0 || r.Known != 1 {
		t.Errorf("%+v", r)
	}
}

// TestLaterEvidence: where two facts rest on one file, the one that has seen the
// later commit is the newer state.
func TestLaterEvidence(t *testing.T) {
	b := newMemory(t)
	first := b.git("rev-parse", "HEAD")
	b.git("commit", "-q", "--allow-empty", "-m", "second")
	second := b.git("rev-parse", "HEAD")
	for key, in := range map[string]memory.CommitInput{
		"domain/infra/new": {Claim: portB, Agent: "ben", Pointers: []memory.Pointer{{Ref: "repo:gateway.yml#L3@" + second}}},
		"domain/infra/old": {Claim: portA, Agent: "ann", Pointers: []memory.Pointer{{Ref: "repo:gateway.yml#L3@" + first}}},
	} {
		in.Key, in.Scope = key, "infra"
		b.commit(in)
	}
	b.audit(memory.AuditInput{})
	c := b.only("open")
	newer := map[string]string{"a": c.KeyA, "b": c.KeyB}[c.Newer]
	if c.Verdict != "evolution" || newer != "domain/infra/new" {
		t.Errorf("%s, newer %s: %s", c.Verdict, newer, c.Explanation)
	}
}

// TestWatchAudits what arrived, once.
func TestWatchAudits(t *testing.T) {
	b := clashing(t)
	opened := 0
	for range 2 {
		err := b.Watch(t.Context(), memory.WatchOptions{Once: true, Report: func(r memory.WatchReport) { opened += r.Opened }})
		if err != nil {
			t.Fatal(err)
		}
	}
	if c := b.only("open"); opened != 1 || !c.Recorded {
		t.Errorf("opened %d", opened)
	}
}

// TestAuditGoesOnWithoutALargeFile that plain git put on the branch.
func TestAuditGoesOnWithoutALargeFile(t *testing.T) {
	b := clashing(t)
	b.place("domain/c/huge.yml", "x: "+strings.Repeat("a", 70_000)+"\n")
	if r := b.audit(memory.AuditInput{}); len(r.Opened) != 1 {
		t.Errorf("opened %d", len(r.Opened))
	}
	if list := b.conflicts(memory.ConflictsInput{}); len(list) != 1 {
		t.Errorf("%d conflicts", len(list))
	}
	if r, err := b.Check(t.Context(), memory.CheckInput{}); err != nil || r.Failing != 1 {
		t.Errorf("check: %d, %v", r.Failing, err)
	}
}
