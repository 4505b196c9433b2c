package memory_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
	"engram/memory"
)

func (b bench) onBranch(name string) { gitIn(b.t, b.dir, "switch", "-q", name) }

// found is the claims that a question finds.
func (b bench) found(in memory.QueryInput) []string {
	b.t.Helper()
	r, err := b.Query(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	claims := []string{}
	for _, hit := range r.Results {
		claims = append(claims, hit.Claim)
	}
	return claims
}

func expect(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

const (
	port, pooler = "The port is 5432.", "The port is 6432."
	portKey      = "domain/db/port"
)

// bound is a memory with a fact, and another in its place on the branch topic.
func bound(t testing.TB) (bench, memory.CommitResult) {
	b := newMemory(t)
	b.commit(memory.CommitInput{Claim: port, Key: portKey, Agent: "a"})
	gitIn(t, b.dir, "branch", "topic")
	return b, b.commit(memory.CommitInput{Claim: pooler, Key: portKey, Branch: "topic", Agent: "b", Evidence: "compose.yml"})
}

// TestBoundFactsAreSeenOnTheirBranch asks every way there is, in linked work trees too.
func TestBoundFactsAreSeenOnTheirBranch(t *testing.T) {
	b, r := bound(t)
	if r.Key != facts.Bind(facts.Key{Namespace: "domain", Category: "db", Identifier: "port"}, "topic").String() || r.Branch != "topic" || r.For.String() != portKey || r.Supersedes != "" {
		t.Errorf("bound: %+v", r)
	}
	linked := filepath.Join(t.TempDir(), "linked")
	gitIn(t, b.dir, "worktree", "add", "-q", linked, "topic")
	detached := filepath.Join(t.TempDir(), "detached")
	gitIn(t, b.dir, "worktree", "add", "-q", "--detach", detached, "topic")
	bare := filepath.Join(t.TempDir(), "bare")
	gitIn(t, b.dir, "clone", "-q", "--bare", b.dir, bare)
	gitIn(t, bare, "symbolic-ref", "HEAD", "refs/heads/topic")
	for _, c := range []struct {
		name, dir, branch, claim string
		sees                     bool
	}{
		{"trunk", b.dir, "", port, false}, {"linked", linked, "", pooler, true}, {"detached", detached, "", port, false}, {"bare", bare, "", port, false},
		{"trunk as on topic", b.dir, "topic", pooler, true}, {"linked as on main", linked, "main", port, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := openMemory(t, c.dir)
			expect(t, "query", m.found(memory.QueryInput{Question: "port", Branch: c.branch}), []string{c.claim})
			got, err := m.Get(t.Context(), memory.GetInput{Key: portKey, Branch: c.branch})
			if err != nil || got.Fact.Claim != c.claim {
				t.Errorf("get: %+v, %v", got.Fact, err)
			}
			past, err := m.Get(t.Context(), memory.GetInput{Key: portKey, Branch: c.branch, AsOf: b.clock.Now()})
			if err != nil || past.Fact.Claim != c.claim {
				t.Errorf("get as of: %+v, %v", past.Fact, err)
			}
			if _, err := m.Get(t.Context(), memory.GetInput{Key: r.Key, Branch: c.branch}); (err == nil) != c.sees || err != nil && !errors.Is(err, memory.ErrNotFound) {
				t.Errorf("get of the bound key: %v", err)
			}
			list, err := m.List(t.Context(), memory.ListInput{Branch: c.branch})
			if err != nil || (len(list.Facts) == 2) != c.sees {
				t.Errorf("list: %+v, %v", list.Facts, err)
			}
		})
	}
	expect(t, "everywhere", len(b.found(memory.QueryInput{Question: "port", Branch: memory.EveryBranch})), 2)
	early, err := b.Get(t.Context(), memory.GetInput{Key: portKey, Branch: "topic", KnownAtRevision: "engram~1"})
	if err != nil || early.Fact.Claim != port {
		t.Errorf("before it was bound: %+v, %v", early.Fact, err)
	}
}

// TestWhyNotSaysWhichBranch explains both sides of the exchange.
func TestWhyNotSaysWhichBranch(t *testing.T) {
	b, r := bound(t)
	for branch, want := range map[string]struct{ key, reason string }{
		"main":  {r.Key, "bound to the branch topic"},
		"topic": {portKey, r.Key + " holds in its place"},
	} {
		got, err := b.Query(t.Context(), memory.QueryInput{Question: "port", Branch: branch, WhyNot: []string{want.key}})
		if err != nil || len(got.WhyNot) != 1 || !strings.Contains(got.WhyNot[0].Reason, want.reason) {
			t.Errorf("on %s: %+v, %v", branch, got.WhyNot, err)
		}
	}
}

// TestCommitsOnBranches: which fact a commit continues, and what counts as said.
func TestCommitsOnBranches(t *testing.T) {
	b, first := bound(t)
	gitIn(t, b.dir, "branch", "other")
	second := b.commit(memory.CommitInput{Claim: "The port is 6433.", Key: portKey, Branch: "topic"})
	if second.Key != first.Key || second.Supersedes != first.FactID || second.LineageID != first.LineageID {
		t.Errorf("the second is no version of the first: %+v", second)
	}
	other := b.commit(memory.CommitInput{Claim: "The port is 6433.", Key: portKey, Branch: "other"})
	if other.Duplicate || other.Key == first.Key || other.Supersedes != "" {
		t.Errorf("the same on another branch: %+v", other)
	}
	if again := b.commit(memory.CommitInput{Claim: "The port is 6433.", Key: portKey, Branch: "topic"}); !again.Duplicate {
		t.Errorf("the same on the same branch: %+v", again)
	}
	if said := b.commit(memory.CommitInput{Claim: port, Branch: "other", Key: "domain/db/elsewhere"}); !said.Duplicate {
		t.Errorf("what holds for all holds on a branch: %+v", said)
	}
	ordinary := b.commit(memory.CommitInput{Claim: "The port is 6433."})
	if ordinary.Duplicate || ordinary.Branch != "" {
		t.Errorf("what is bound is not said for all: %+v", ordinary)
	}
	near := b.commit(memory.CommitInput{Claim: "The port is 6433!", Operation: "update"})
	if near.Key != ordinary.Key || near.Branch != "" {
		t.Errorf("an update continues %+v", near)
	}
	named := b.commit(memory.CommitInput{Claim: "The port is 6434.", Key: first.Key})
	if named.Branch != "topic" || named.For.String() != portKey || named.Supersedes != second.FactID {
		t.Errorf("by its key: %+v", named)
	}
	line := b.commit(memory.CommitInput{Claim: "The port is 6435.", Lineage: first.LineageID, Operation: "update"})
	if line.Key != first.Key || line.Branch != "topic" {
		t.Errorf("by its lineage: %+v", line)
	}
	beside := b.commit(memory.CommitInput{Claim: "The port is 1.", Lineage: ordinary.LineageID, Branch: "topic"})
	if beside.For.String() != ordinary.Key || beside.LineageID == ordinary.LineageID {
		t.Errorf("beside the fact of a lineage: %+v", beside)
	}
	if _, err := b.Commit(t.Context(), memory.CommitInput{Claim: "No.", Key: first.Key, Branch: "other"}); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("a fact of two branches: %v", err)
	}
	fresh, fresher := b.commit(memory.CommitInput{Claim: "New: a", Branch: "topic"}), b.commit(memory.CommitInput{Claim: "New, a", Branch: "topic"})
	if fresh.For == fresher.For || fresh.Branch != "topic" {
		t.Errorf("two fresh facts: %+v and %+v", fresh, fresher)
	}
	edited := b.commit(memory.CommitInput{Claim: "The port is 6435!", Operation: "update", Branch: "topic"})
	if edited.Key != first.Key {
		t.Errorf("an update on the branch continues %+v", edited)
	}
	retired, err := b.Retire(t.Context(), first.Key, "wrong", "")
	if err != nil || b.get(portKey).Claim != port {
		t.Errorf("retired: %+v, %v", retired, err)
	}
	if back := b.commit(memory.CommitInput{Claim: pooler, Key: first.Key}); back.Branch != "topic" || back.For.String() != portKey {
		t.Errorf("taken back: %+v", back)
	}
}

// TestNearestOnABranch: an update beside the fact for all.
func TestNearestOnABranch(t *testing.T) {
	b := newMemory(t)
	b.commit(memory.CommitInput{Claim: "Sessions live 30 minutes and are renewed by each request of the user.", Key: "domain/auth/session"})
	gitIn(t, b.dir, "switch", "-q", "-c", "topic")
	r := b.commit(memory.CommitInput{Claim: "Sessions live 15 minutes and are renewed by each request of the user.", Operation: "update", Branch: memory.CurrentBranch})
	if r.For.String() != "domain/auth/session" || r.Branch != "topic" || b.get("domain/auth/session").Claim != "Sessions live 15 minutes and are renewed by each request of the user." {
		t.Errorf("%+v", r)
	}
	warned := b.commit(memory.CommitInput{Claim: "Sessions live an hour.", Key: "domain/auth/session"})
	if len(warned.Warnings) != 1 || !strings.Contains(warned.Warnings[0], "holds in its place") {
		t.Errorf("who writes what this work tree does not show is warned: %v", warned.Warnings)
	}
}

// TestBranchesThatNothingIsBoundTo lists the refusals.
func TestBranchesThatNothingIsBoundTo(t *testing.T) {
	b := newMemory(t)
	for branch, want := range map[string]error{"main": memory.ErrOnTrunk, memory.CurrentBranch: memory.ErrOnTrunk, "engram": memory.ErrNoCodeBranch, "engram-proposed": memory.ErrNoCodeBranch} {
		if _, err := b.Commit(t.Context(), memory.CommitInput{Claim: "No.", Branch: branch}); !errors.Is(err, want) {
			t.Errorf("bound to %s: %v", branch, err)
		}
	}
	gitIn(t, b.dir, "switch", "-q", "--detach")
	_, err := b.Commit(t.Context(), memory.CommitInput{Claim: "No.", Branch: memory.CurrentBranch})
	if code, hint := classified(err); !errors.Is(err, memory.ErrNoCodeBranch) || code != memory.CodeUsage || !strings.Contains(hint, "--branch=NAME") {
		t.Errorf("detached: %v, %s, %s", err, code, hint)
	}
	var invalid *facts.ValidationError
	if _, err := b.Commit(t.Context(), memory.CommitInput{Claim: "No.", Branch: "no branch"}); !errors.As(err, &invalid) {
		t.Errorf("no name of a branch: %v", err)
	}
	if r := b.commit(memory.CommitInput{Claim: "Yes.", Branch: "later"}); len(r.Warnings) != 1 {
		t.Errorf("a branch that is not there: %v", r.Warnings)
	}
}

// TestBoundFactsTakeNoPartInAudits until they are promoted.
func TestBoundFactsTakeNoPartInAudits(t *testing.T) {
	b := newMemory(t)
	b.commit(memory.CommitInput{Claim: "The payments database listens on port 5432.", Key: "architecture/payments/db-port", Scope: "payments"})
	gitIn(t, b.dir, "branch", "topic")
	b.commit(memory.CommitInput{Claim: "The payments database listens on port 6432.", Key: "domain/payments/pooler", Scope: "payments", Branch: "topic"})
	audited, err := b.Audit(t.Context(), memory.AuditInput{})
	if err != nil || len(audited.Opened) != 0 {
		t.Fatalf("%+v, %v", audited.Opened, err)
	}
	if _, err := b.PromoteBranch(t.Context(), memory.PromoteInput{Branch: "topic"}); err != nil {
		t.Fatal(err)
	}
	if audited, err = b.Audit(t.Context(), memory.AuditInput{}); err != nil || len(audited.Opened) != 1 {
		t.Errorf("once promoted: %+v, %v", audited.Opened, err)
	}
}

// TestBoundFactsSurviveExports in both formats.
func TestBoundFactsSurviveExports(t *testing.T) {
	for _, format := range []memory.Format{memory.JSONL, memory.YAML} {
		b, r := bound(t)
		var out strings.Builder
		if _, err := b.Export(t.Context(), &out, memory.ExportInput{Format: format}); err != nil {
			t.Fatal(err)
		}
		other := newMemory(t)
		if _, err := other.Import(t.Context(), strings.NewReader(out.String()), memory.ImportInput{Format: format}); err != nil {
			t.Fatal(err)
		}
		got, err := other.Get(t.Context(), memory.GetInput{Key: r.Key, Branch: "topic"})
		if err != nil || got.Fact.For.String() != portKey || got.Fact.FactID != r.FactID {
			t.Errorf("%s: %+v, %v", format, got.Fact, err)
		}
	}
	b := newMemory(t)
	gitIn(t, b.dir, "branch", "topic")
	_, err := b.Import(t.Context(), strings.NewReader(`{"claim":"One.","key":"domain/a/b","branch":"topic"}`), memory.ImportInput{Format: memory.JSONL})
	if got, getErr := b.Get(t.Context(), memory.GetInput{Key: "domain/a/b", Branch: "topic"}); err != nil || getErr != nil || got.Fact.Branch != "topic" {
		t.Errorf("an import that names a branch: %+v, %v, %v", got.Fact, err, getErr)
	}
}

// TestEphemeralBoundFacts: two questions make one durable, not everybody's.
func TestEphemeralBoundFacts(t *testing.T) {
	b := newMemory(t)
	gitIn(t, b.dir, "switch", "-q", "-c", "topic")
	b.commit(memory.CommitInput{Claim: "A port is taken.", Key: portKey, Branch: memory.CurrentBranch, Durability: "ephemeral"})
	for range 3 {
		b.found(memory.QueryInput{Question: "port", Ephemeral: true})
	}
	if f := b.get(portKey); f.Branch != "topic" || f.Durability != "durable" {
		t.Errorf("%+v", f)
	}
}
