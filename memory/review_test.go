package memory_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"engram/memory"
)

// reviewed is a memory in which facts of the namespace architecture, and of
// whoever is not Ada, are reviewed.
func reviewed(t *testing.T) bench {
	t.Helper()
	m := newMemory(t)
	m.place("engram.yml", "format: 1\nreview:\n  namespaces: [architecture]\n  unknown_authors: true\n  authors: [Ada@example.com]\n")
	return m
}

// as makes somebody else the user of a clone.
func (b bench) as(name string) bench {
	b.t.Helper()
	gitIn(b.t, b.dir, "config", "user.name", name)
	gitIn(b.t, b.dir, "config", "user.email", strings.ToLower(name)+"@example.com")
	return bench{openMemory(b.t, b.dir).Memory, b.t, b.dir, b.clock} // a store asks git once
}

func (b bench) proposals() []memory.Proposal {
	b.t.Helper()
	r, err := b.Proposals(b.t.Context(), memory.ProposalsInput{})
	if err != nil {
		b.t.Fatal(err)
	}
	return r.Proposals
}

func (b bench) proposedKeys() string {
	b.t.Helper()
	var keys []string
	for _, p := range b.proposals() {
		keys = append(keys, p.Change+" "+p.Key.String())
	}
	return strings.Join(keys, ", ")
}

func decide(keys ...string) memory.ReviewInput {
	in := memory.ReviewInput{Reason: "not so"}
	for _, key := range keys {
		in.Decisions = append(in.Decisions, memory.Decision{Key: key})
	}
	return in
}

func (b bench) accept(keys ...string) {
	b.t.Helper()
	if _, err := b.Accept(b.t.Context(), decide(keys...)); err != nil {
		b.t.Fatal(err)
	}
}

func (b bench) reject(keys ...string) {
	b.t.Helper()
	if _, err := b.Reject(b.t.Context(), decide(keys...)); err != nil {
		b.t.Fatal(err)
	}
}

func TestGatedFactsAreProposed(t *testing.T) {
	m := reviewed(t)
	if r := m.commit(memory.CommitInput{Claim: "Refunds take 5 days.", Key: "domain/pay/refunds"}); r.Proposed {
		t.Errorf("a known author's fact of another namespace was proposed: %+v", r)
	}
	before := m.tip()
	r := m.commit(memory.CommitInput{Claim: "The gateway is nginx.", Key: "architecture/infra/gateway"})
	if !r.Proposed || r.Revision == before || m.tip() != before {
		t.Errorf("commit to a reviewed namespace: %+v, tip %s", r, m.tip())
	}
	// A key that kind and scope make is known only once it is planned.
	if r := m.commit(memory.CommitInput{Claim: "We use Go.", Kind: "decision"}); !r.Proposed || m.tip() != before {
		t.Errorf("commit without a key: %+v", r)
	}
	if _, err := m.Get(t.Context(), memory.GetInput{Key: "architecture/infra/gateway"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("get finds a proposal: %v", err)
	}
	q, err := m.Query(t.Context(), memory.QueryInput{Question: "gateway nginx"})
	if err != nil || len(q.Results) != 0 {
		t.Errorf("query finds a proposal: %+v, %v", q.Results, err)
	}
	if s, err := m.Status(t.Context(), memory.StatusInput{}); err != nil || s.Proposed != 2 {
		t.Errorf("status = %+v, %v", s, err)
	}
	// Proposals build on each other.
	r = m.commit(memory.CommitInput{Claim: "The gateway is envoy.", Key: "architecture/infra/gateway"})
	if !r.Proposed || r.MemoryOp != "update" || r.Supersedes == "" {
		t.Errorf("a second proposal at the key: %+v", r)
	}
	r = m.commit(memory.CommitInput{Claim: "The gateway is envoy.", Key: "architecture/infra/gateway"})
	if !r.Proposed || !r.Duplicate {
		t.Errorf("the same proposal again: %+v", r)
	}
	r = m.commit(memory.CommitInput{Claim: "We use Go.", Kind: "decision"})
	if !r.Proposed || !r.Duplicate {
		t.Errorf("the same proposal again, without a key: %+v", r)
	}
	if got, want := m.proposedKeys(), "add architecture/general/we-use-go, add architecture/infra/gateway"; got != want {
		t.Errorf("proposals: %s\nwant: %s", got, want)
	}
	// What is mixed goes there together.
	results, err := m.CommitAll(t.Context(), []memory.CommitInput{
		{Claim: "Chargebacks take 9 days.", Key: "domain/pay/chargebacks"}, {Claim: "Queues are SQS.", Key: "architecture/infra/queue"},
	})
	if err != nil || !results[0].Proposed || !results[1].Proposed || m.tip() != before {
		t.Errorf("a mixed commit: %+v, %v", results, err)
	}
	gitIn(t, m.dir, "fsck", "--strict")
}

func TestUnknownAuthorsPropose(t *testing.T) {
	m := reviewed(t)
	m.commit(memory.CommitInput{Claim: "Refunds take 5 days.", Key: "domain/pay/refunds"})
	eve := m.as("Eve")
	if r := eve.commit(memory.CommitInput{Claim: "Refunds take 3 days.", Key: "domain/pay/refunds"}); !r.Proposed {
		t.Fatalf("%+v", r)
	}
	list := eve.proposals()
	if len(list) != 1 || list[0].Change != "update" || list[0].Replaces.Claim != "Refunds take 5 days." || list[0].ProposedBy != "Eve <eve@example.com>" {
		t.Fatalf("proposals = %+v", list)
	}
	if _, err := eve.Accept(t.Context(), decide("domain/pay/refunds")); !errors.Is(err, memory.ErrMayNotReview) {
		t.Errorf("an unknown author accepts: %v", err)
	} else if code, hint := classified(err); code != memory.CodeRefused || hint == "" {
		t.Errorf("classified %s, %q", code, hint)
	}
	if r, err := eve.Retire(t.Context(), "domain/pay/refunds", "gone", ""); err != nil || !r.Proposed {
		t.Errorf("retire = %+v, %v", r, err)
	}
	mallory := m.as("Mallory")
	if _, err := mallory.Reject(t.Context(), decide("domain/pay/refunds")); !errors.Is(err, memory.ErrUnseen) {
		t.Errorf("reject what was not seen: %v", err)
	}
	mallory.proposals()
	if _, err := mallory.Reject(t.Context(), decide("domain/pay/refunds")); !errors.Is(err, memory.ErrMayNotReview) {
		t.Errorf("an unknown author rejects what another proposed: %v", err)
	}
	eve = m.as("Eve")
	eve.proposals()
	eve.reject("domain/pay/refunds") // takes it back
	if got := eve.proposedKeys(); got != "" {
		t.Errorf("still proposed: %s", got)
	}
	if f := m.get("domain/pay/refunds"); f.Claim != "Refunds take 5 days." || f.State != "current" {
		t.Errorf("%+v", f)
	}
}

func TestAcceptAndReject(t *testing.T) {
	m := reviewed(t)
	m.commit(memory.CommitInput{Claim: "Refunds take 5 days.", Key: "domain/pay/refunds"})
	m.commit(memory.CommitInput{Claim: "The payments database listens on port 5432.", Key: "domain/pay/db", Scope: "pay"})
	eve := m.as("Eve")
	eve.commit(memory.CommitInput{Claim: "Refunds take 3 days.", Key: "domain/pay/refunds", Agent: "claude"})
	eve.commit(memory.CommitInput{Claim: "The payments database listens on port 6432.", Key: "domain/pay/pooler", Scope: "pay"})
	eve.commit(memory.CommitInput{Claim: "Sessions live in Redis.", Key: "domain/auth/sessions"})

	m = m.as("Ada")
	list := m.proposals()
	if len(list) != 3 || list[2].Key.String() != "domain/pay/pooler" || len(list[2].Clashes) != 1 || list[2].Clashes[0].Fact.Key.String() != "domain/pay/db" {
		t.Fatalf("proposals = %+v", list)
	}
	// What changed after it was seen is not accepted.
	eve = m.as("Eve")
	eve.commit(memory.CommitInput{Claim: "Sessions live in Postgres.", Key: "domain/auth/sessions"})
	m = m.as("Ada")
	if _, err := m.Accept(t.Context(), decide("domain/auth/sessions")); !errors.Is(err, memory.ErrUnseen) {
		t.Errorf("accept of what changed: %v", err)
	}
	before := m.tip()
	if _, err := m.Accept(t.Context(), decide("domain/pay/refunds", "domain/no/such")); !errors.Is(err, memory.ErrNoProposal) || m.tip() != before {
		t.Errorf("accept of nothing: %v", err)
	}
	m.accept("domain/pay/refunds")
	f := m.get("domain/pay/refunds")
	if f.Claim != "Refunds take 3 days." || f.Engineer != "Eve <eve@example.com>" || f.AgentID != "claude" {
		t.Errorf("accepted: %+v", f)
	}
	if who := gitIn(t, m.dir, "log", "-1", "--format=%an: %s", "engram"); who != "Ada: accept domain/pay/refunds: Refunds take 3 days." {
		t.Errorf("the commit: %s", who)
	}
	m.reject("domain/pay/pooler")
	if subject := gitIn(t, m.dir, "log", "-1", "--format=%s", "engram-proposed"); subject != "reject domain/pay/pooler: not so" {
		t.Errorf("the commit: %s", subject)
	}
	if got, want := m.proposedKeys(), "add domain/auth/sessions"; got != want {
		t.Errorf("left: %s, want %s", got, want)
	}
	m.accept("domain/auth/sessions")
	if diff := gitIn(t, m.dir, "diff", "engram", "engram-proposed"); diff != "" {
		t.Errorf("the branches differ:\n%s", diff)
	}
	gitIn(t, m.dir, "fsck", "--strict")
}

func TestAcceptWhenTheMemoryWentOn(t *testing.T) {
	m := reviewed(t)
	first := m.commit(memory.CommitInput{Claim: "Refunds take 5 days.", Key: "domain/pay/refunds"})
	m.commit(memory.CommitInput{Claim: "Holds last 7 days.", Key: "domain/pay/holds"})
	eve := m.as("Eve")
	eve.commit(memory.CommitInput{Claim: "Refunds take 3 days.", Key: "domain/pay/refunds"})
	if _, err := eve.Retire(t.Context(), "domain/pay/holds", "", ""); err != nil {
		t.Fatal(err)
	}
	m = m.as("Ada")
	m.clock.add(1e12)
	later := m.commit(memory.CommitInput{Claim: "Refunds take 4 days.", Key: "domain/pay/refunds"})
	m.commit(memory.CommitInput{Claim: "Holds last 8 days.", Key: "domain/pay/holds"})
	m.commit(memory.CommitInput{Claim: "Nothing to do with it.", Key: "domain/pay/else"})
	list := m.proposals()
	if len(list) != 2 || list[0].Problem == "" || list[1].Problem != "" || list[1].Replaces.Claim != "Refunds take 4 days." {
		t.Fatalf("proposals = %+v", list)
	}
	if _, err := m.Accept(t.Context(), decide("domain/pay/holds")); !errors.Is(err, memory.ErrUnseen) {
		t.Errorf("a retirement of what changed was accepted: %v", err)
	}
	m.accept("domain/pay/refunds")
	f := m.get("domain/pay/refunds")
	if f.Claim != "Refunds take 3 days." || f.State != "current" || f.Supersedes != later.FactID || f.LineageID != first.LineageID {
		t.Errorf("accepted: %+v", f)
	}
	if got, want := m.proposedKeys(), "retire domain/pay/holds"; got != want {
		t.Errorf("left: %s, want %s", got, want)
	}
	// The branch of proposals was merged meanwhile: nothing of the memory is missing there.
	gitIn(t, m.dir, "cat-file", "-e", "engram-proposed:domain/pay/else.yml")
}

// TestReviewAcrossClones: proposals travel by plain git, and a pull request on
// their branch has the effect of accepting them.
func TestReviewAcrossClones(t *testing.T) {
	ada := reviewed(t)
	remote := filepath.Join(t.TempDir(), "remote.git")
	gitIn(t, ada.dir, "init", "-q", "--bare", remote)
	gitIn(t, ada.dir, "remote", "add", "origin", remote)
	gitIn(t, ada.dir, "push", "-q", "origin", "main", "engram")
	dir := filepath.Join(t.TempDir(), "eve")
	gitIn(t, ada.dir, "clone", "-q", remote, dir)
	gitIn(t, dir, "branch", "-q", "engram", "origin/engram")
	eve := bench{nil, t, dir, newClock()}.as("Eve")
	for key, claim := range map[string]string{"domain/x/one": "One holds.", "domain/x/two": "Two holds.", "domain/x/three": "Three holds."} {
		eve.commit(memory.CommitInput{Claim: claim, Key: key})
	}
	gitIn(t, dir, "push", "-q", "origin", "engram-proposed")

	gitIn(t, ada.dir, "fetch", "-q", "origin")
	if s, err := ada.Status(t.Context(), memory.StatusInput{}); err != nil || s.Proposed != 3 { // it was only fetched
		t.Errorf("status = %+v, %v", s, err)
	}
	if got := ada.proposedKeys(); got != "add domain/x/one, add domain/x/three, add domain/x/two" {
		t.Errorf("proposals: %s", got)
	}
	ada.accept("domain/x/one")
	ada.reject("domain/x/two")
	gitIn(t, ada.dir, "push", "-q", "origin", "engram", "engram-proposed")

	gitIn(t, dir, "fetch", "-q", "origin", "engram:engram", "engram-proposed:engram-proposed")
	if got := eve.proposedKeys(); got != "add domain/x/three" {
		t.Errorf("in the other clone: %s", got)
	}
	// A pull request: somebody merges the branch of proposals.
	tree := filepath.Join(t.TempDir(), "tree")
	gitIn(t, ada.dir, "worktree", "add", "-q", tree, "engram")
	gitIn(t, tree, "merge", "-q", "--no-edit", "engram-proposed")
	gitIn(t, ada.dir, "worktree", "remove", tree)
	if got := ada.proposedKeys(); got != "" {
		t.Errorf("after the pull request: %s", got)
	}
	if f := ada.get("domain/x/three"); f.Claim != "Three holds." {
		t.Errorf("%+v", f)
	}
	if _, err := ada.Get(t.Context(), memory.GetInput{Key: "domain/x/two"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("what was rejected: %v", err)
	}
	// Nobody is asked again about what was accepted and changed since.
	gitIn(t, dir, "fetch", "-q", "origin", "engram:engram")
	ada.commit(memory.CommitInput{Claim: "One held, and four does.", Key: "domain/x/one"})
	gitIn(t, ada.dir, "push", "-q", "origin", "engram")
	gitIn(t, dir, "fetch", "-q", "origin", "engram:engram")
	eve.commit(memory.CommitInput{Claim: "Five holds.", Key: "domain/x/five"})
	if got := eve.proposedKeys(); got != "add domain/x/five" {
		t.Errorf("later: %s", got)
	}
}

func TestSecretsAreNotAccepted(t *testing.T) {
	m := reviewed(t)
	eve := m.as("Eve")
	eve.commit(memory.CommitInput{Claim: "The token is elsewhere.", Key: "domain/x/token"})
	tree := filepath.Join(t.TempDir(), "tree")
	gitIn(t, m.dir, "worktree", "add", "-q", tree, "engram-proposed")
	file := filepath.Join(tree, "domain/x/token.yml")
	edit(t, file, "elsewhere", marker)
	gitIn(t, tree, "commit", "-qam", "by hand")
	gitIn(t, m.dir, "worktree", "remove", "--force", tree)
	m = m.as("Ada")
	m.proposals()
	var secret *memory.SecretError
	if _, err := m.Accept(t.Context(), decide("domain/x/token")); !errors.As(err, &secret) {
		t.Errorf("accept = %v", err)
	}
}

func TestResolutionsOfUnknownAuthorsAreRefused(t *testing.T) {
	m := reviewed(t)
	m.commit(memory.CommitInput{Claim: "The payments database listens on port 5432.", Key: "domain/pay/db", Scope: "pay"})
	m.commit(memory.CommitInput{Claim: "The payments database listens on port 6432.", Key: "domain/pay/pooler", Scope: "pay"})
	m.audit(memory.AuditInput{})
	id := m.only("open").ConflictID
	in := memory.ResolveInput{ConflictID: id, How: "winner", Winner: "a", Reason: "read it"}
	if _, err := m.as("Eve").Resolve(t.Context(), in); !errors.Is(err, memory.ErrMayNotReview) {
		t.Errorf("resolve by an unknown author: %v", err)
	}
	if _, err := m.as("Ada").Resolve(t.Context(), in); err != nil {
		t.Errorf("resolve by a known author: %v", err)
	}
}

// TestProposersDoNotLoseEachOther: several clones' processes propose while
// others write to the memory; whatever was acknowledged is there.
func TestProposersDoNotLoseEachOther(t *testing.T) {
	m := reviewed(t)
	const each = 6
	var wg sync.WaitGroup
	for w := range 4 {
		own := openMemory(t, m.dir)
		wg.Go(func() {
			for i := range each {
				namespace := []string{"architecture", "domain"}[w%2]
				key := fmt.Sprintf("%s/w%d/n%d", namespace, w, i)
				r, err := own.Commit(t.Context(), memory.CommitInput{Claim: fmt.Sprintf("Writer %d says %d.", w, i), Key: key})
				if err != nil || r.Proposed != (w%2 == 0) {
					t.Errorf("%s: %+v, %v", key, r, err)
				}
			}
		})
	}
	wg.Wait()
	if list := m.proposals(); len(list) != 2*each {
		t.Errorf("%d proposals, want %d", len(list), 2*each)
	}
	if l, err := m.List(t.Context(), memory.ListInput{Prefix: "domain"}); err != nil || len(l.Facts) != 2*each {
		t.Errorf("%d facts, %v, want %d", len(l.Facts), err, 2*each)
	}
	gitIn(t, m.dir, "fsck", "--strict")
}

// TestReviewWithoutNames: the gate knows who writes although nothing that is
// stored says it.
func TestReviewWithoutNames(t *testing.T) {
	m := newMemory(t)
	m.place("engram.yml", "format: 1\nanonymous_mode: true\nreview:\n  unknown_authors: true\n  authors: [ada@example.com]\n")
	if r := m.commit(memory.CommitInput{Claim: "Refunds take 5 days.", Key: "domain/pay/refunds"}); r.Proposed {
		t.Errorf("a known author's fact was proposed: %+v", r)
	}
	eve := m.as("Eve")
	if r := eve.commit(memory.CommitInput{Claim: "Refunds take 3 days.", Key: "domain/pay/refunds"}); !r.Proposed {
		t.Errorf("an unknown author's fact was not: %+v", r)
	}
	m = m.as("Ada")
	m.commit(memory.CommitInput{Claim: "Holds last 7 days.", Key: "domain/pay/holds"})
	m.proposals()
	m.accept("domain/pay/refunds")
	for _, branch := range []string{"engram", "engram-proposed"} {
		if log := gitIn(t, m.dir, "log", "--format=%an %ae %s", branch); strings.Contains(log, "Eve") || strings.Contains(log, "eve@") {
			t.Errorf("%s names Eve:\n%s", branch, log)
		}
	}
}
