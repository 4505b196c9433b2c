package memory_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/detect"
	"engram/memory"
)

// TestTwoClonesAgree: each clone adds one side, git carries them over, and both
// find the same conflict without talking. What one settles is settled for both.
func TestTwoClonesAgree(t *testing.T) {
	ann := newMemory(t)
	remote := filepath.Join(t.TempDir(), "remote.git")
	ann.git("init", "-q", "--bare", remote)
	ann.git("remote", "add", "origin", remote)
	ann.git("push", "-q", "origin", "HEAD", "engram")
	dir := filepath.Join(t.TempDir(), "ben")
	ann.git("clone", "-q", remote, dir)
	ben := openMemory(t, dir)
	configure(t, dir)
	ben.git("fetch", "-q", "origin", "engram:engram")

	ann.state("architecture/infra/gateway-port", portA, "ann")
	ben.state("domain/infra/gateway", portB, "ben")
	ann.git("push", "-q", "origin", "engram")
	ben.pull()
	ben.git("push", "-q", "origin", "engram")
	ann.pull()

	ann.audit(memory.AuditInput{})
	ben.audit(memory.AuditInput{})
	a, b := ann.only("open"), ben.only("open")
	if a.ConflictID != b.ConflictID || a.VersionA != b.VersionA {
		t.Fatalf("one sees %s, the other %s", a.ConflictID, b.ConflictID)
	}
	path := a.Key.Path()
	if diff := cmp.Diff(ann.git("show", "engram:"+path), ben.git("show", "engram:"+path)); diff != "" {
		t.Errorf("the files differ: %s", diff)
	}
	ben.git("push", "-q", "origin", "engram")
	ann.pull() // both wrote the conflict: nothing to merge
	ann.resolve(memory.ResolveInput{ConflictID: a.ConflictID, How: "winner", Winner: "b", Reason: "read it"})
	ann.git("push", "-q", "origin", "engram")
	ben.pull()
	if c := ben.only("resolved"); c.Reason != "read it" {
		t.Errorf("%+v", c)
	}
	if r := ben.audit(memory.AuditInput{All: true}); len(r.Opened)+len(r.Closed) != 0 {
		t.Errorf("the other clone flagged it again: %+v", r)
	}
	for _, m := range []bench{ann, ben} {
		m.git("fsck", "--strict")
	}
}

// pull merges the remote's memory branch with plain git, in a work tree.
func (b bench) pull() {
	b.t.Helper()
	tree := filepath.Join(b.t.TempDir(), fmt.Sprint("pull", time.Now().UnixNano()))
	b.git("fetch", "-q", "origin", "engram")
	b.git("worktree", "add", "-q", tree, "engram")
	b.git("-C", tree, "merge", "-q", "--no-edit", b.git("rev-parse", "FETCH_HEAD"))
	b.git("worktree", "remove", tree)
}

// TestManyAuditsAtOnce write each conflict once.
func TestManyAuditsAtOnce(t *testing.T) {
	b := clashing(t)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			m := openMemory(t, b.dir)
			if _, err := m.Audit(t.Context(), memory.AuditInput{All: true}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := b.git("rev-list", "--count", "engram", "--", detect.ConflictPrefix); n != "1" {
		t.Errorf("%s commits touch conflicts", n)
	}
	b.only("open")
}

// TestAuditLeavesTheUserAlone: branch, index and work tree are as they were.
func TestAuditLeavesTheUserAlone(t *testing.T) {
	b := clashing(t)
	before := b.git("status", "--porcelain=v2", "--branch")
	index, err := os.ReadFile(filepath.Join(b.dir, ".git", "index"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	b.audit(memory.AuditInput{})
	b.resolve(memory.ResolveInput{ConflictID: b.only("open").ConflictID, How: "dismissed", Reason: "r"})
	after, _ := os.ReadFile(filepath.Join(b.dir, ".git", "index"))
	if b.git("status", "--porcelain=v2", "--branch") != before || string(index) != string(after) {
		t.Error("the audit changed what is the user's")
	}
}

// TestCrowdedNames: thousands of facts about one thing cost no more than some,
// and the answer says what it passed over.
func TestCrowdedNames(t *testing.T) {
	b := newMemory(t)
	var lines strings.Builder
	for i := range 2_500 {
		fmt.Fprintf(&lines, `{"claim":"The auth service writes event %d to its journal.","key":"domain/auth%d/e%d","scope":"auth/journal%d","agent_id":"ann"}`+"\n", i, i/1000, i, i%25)
	}
	if _, err := b.Import(t.Context(), strings.NewReader(lines.String()), memory.ImportInput{Format: memory.JSONL}); err != nil {
		t.Fatal(err)
	}
	before := b.tip()
	b.commit(memory.CommitInput{Claim: "The auth service is called by the gateway.", Scope: "gateway", Agent: "ben"})
	r := b.audit(memory.AuditInput{From: before})
	if r.Facts != 1 || r.Pairs > 60 || len(r.Crowded) == 0 {
		t.Errorf("%d facts, %d pairs, crowded %v", r.Facts, r.Pairs, r.Crowded)
	}
	for name, n := range r.Crowded {
		t.Logf("%s: %d", name, n)
	}
}

// TestOddClaims are audited like others, and clash with nothing.
func TestOddClaims(t *testing.T) {
	b := newMemory(t)
	claims := []string{
		"12345 67890 3.14", "?!… --- ***", strings.Repeat("a", 500), strings.Repeat("7", 500), "الخدمة تستمع على المنفذ 5432",
		"Der Dienst läuft на порту 5432 と 6432", "The limit is 30 quatloos.", "The limit is 60 flurbs.", "5", "port",
	}
	for i, claim := range claims {
		b.commit(memory.CommitInput{Claim: claim, Key: fmt.Sprintf("domain/odd/c%d", i), Scope: "odd", Agent: fmt.Sprint("agent", i%2)})
	}
	if r := b.audit(memory.AuditInput{}); len(r.Opened) != 0 || r.Facts != len(claims) {
		for _, c := range r.Opened {
			t.Errorf("%s: %q, %q", c.Explanation, c.A.Claim, c.B.Claim)
		}
	}
}
