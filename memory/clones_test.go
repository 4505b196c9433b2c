package memory_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"engram/facts"
	"engram/memory"
)

// newTeam is clones that share one bare remote, each with the memory at the same
// beginning.
func newTeam(t testing.TB, n int) []bench {
	t.Helper()
	first := newMemory(t)
	remote := filepath.Join(t.TempDir(), "remote.git")
	first.git("init", "-q", "--bare", "-b", "main", remote)
	first.git("remote", "add", "origin", remote)
	first.git("push", "-q", "origin", "HEAD", "engram")
	team := []bench{first}
	for i := 1; i < n; i++ {
		dir := filepath.Join(t.TempDir(), fmt.Sprint("clone", i))
		first.git("clone", "-q", remote, dir)
		configure(t, dir)
		b := openMemory(t, dir)
		if _, err := b.Init(t.Context()); err != nil {
			t.Fatal(err)
		}
		team = append(team, b)
	}
	return team
}

func (b bench) sync() memory.SyncResult {
	b.t.Helper()
	r, err := b.Sync(b.t.Context(), memory.SyncInput{})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// converge syncs until everybody stands at the same revision.
func converge(t testing.TB, team []bench) {
	t.Helper()
	for range 4 {
		same := true
		for _, b := range team {
			b.sync()
			same = same && b.tip() == team[0].tip()
		}
		if same {
			return
		}
	}
	t.Fatal("the clones do not come to an end")
}

func TestSyncShares(t *testing.T) {
	team := newTeam(t, 2)
	ann, ben := team[0], team[1]
	ann.state("architecture/infra/gateway-port", portA, "ann")
	if r := ann.sync(); r.Pushed != 1 || r.Arrived != 0 || r.Attempts != 1 || r.Remote != "origin" || !r.Fetched {
		t.Errorf("ann: %+v", r)
	}
	if s, err := ben.Status(t.Context(), memory.StatusInput{}); err != nil || s.Remote != "origin" || s.Unshared != 0 || s.Behind != 0 {
		t.Errorf("before ben fetches: %+v, %v", s, err)
	}
	ben.state("domain/infra/gateway", portB, "ben")
	if s, err := ben.Status(t.Context(), memory.StatusInput{}); err != nil || s.Unshared != 1 {
		t.Errorf("ben has something to send: %+v, %v", s, err)
	}
	r := ben.sync()
	if r.Arrived != 1 || !r.Merged || len(r.Opened) != 1 || r.Pushed != 3 {
		t.Errorf("ben: %+v", r)
	}
	// The conflict that ben's audit wrote arrives, and is said.
	if r := ann.sync(); r.Arrived != 1 || r.Merged || len(r.Opened) != 1 || !r.Opened[0].Recorded || r.Pushed != 0 {
		t.Errorf("ann: %+v", r)
	}
	if ann.tip() != ben.tip() {
		t.Error("they stand at different revisions")
	}
	ann.settle("winner", "domain/infra/gateway")
	ann.sync()
	ben.sync()
	if f := ben.get("architecture/infra/gateway-port"); f.State != "superseded" {
		t.Errorf("what ann settled is %s at ben's", f.State)
	}
	for _, b := range team {
		b.git("fsck", "--strict")
	}
}

// TestSyncKeepsBothClaims: one key, two writers, and the claim that gives way
// stands beside the other until somebody decides.
func TestSyncKeepsBothClaims(t *testing.T) {
	for name, settle := range map[string]func(b bench, c memory.Conflict, rival string){
		"the rival wins": func(b bench, c memory.Conflict, rival string) {
			b.resolve(memory.ResolveInput{ConflictID: c.ConflictID, How: "winner", Winner: rival, Reason: "read it"})
			if f := b.get("domain/auth/session"); f.Claim != "Sessions live 30 minutes." || f.State != "current" {
				b.t.Errorf("%s: %s", f.State, f.Claim)
			}
		},
		"the rival loses": func(b bench, c memory.Conflict, rival string) {
			b.resolve(memory.ResolveInput{ConflictID: c.ConflictID, How: "winner", Winner: "domain/auth/session", Reason: "read it"})
			if f := b.get("domain/auth/session"); f.Claim != "Sessions live 15 minutes." || f.State != "current" {
				b.t.Errorf("%s: %s", f.State, f.Claim)
			}
		},
		"a third claim": func(b bench, c memory.Conflict, rival string) {
			b.resolve(memory.ResolveInput{ConflictID: c.ConflictID, How: "merge", MergedClaim: "Sessions live 20 minutes.", Reason: "asked"})
			if f := b.get("domain/auth/session"); f.Claim != "Sessions live 20 minutes." || f.State != "current" {
				b.t.Errorf("%s: %s", f.State, f.Claim)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			team := newTeam(t, 2)
			ann, ben := team[0], team[1]
			ann.state("domain/auth/session", "Sessions live 30 minutes.", "ann")
			ben.clock.add(1e12) // ben writes later
			ben.state("domain/auth/session", "Sessions live 15 minutes.", "ben")
			ann.sync()
			r := ben.sync()
			if len(r.Rivals) != 1 || len(r.Opened) != 1 {
				t.Fatalf("%+v", r)
			}
			rival := r.Rivals[0].String()
			if f := ben.get(rival); f.Claim != "Sessions live 30 minutes." || f.State != "current" || f.AgentID != "ann" {
				t.Errorf("kept was %+v", f)
			}
			ann.sync()
			ann.clock.add(2e12)
			settle(ann, ann.only("open"), rival)
			if f := ann.get(rival); f.State == "current" {
				t.Errorf("the rival is %s", f.State)
			}
			converge(t, team)
			if open := ben.conflicts(memory.ConflictsInput{}); len(open) != 0 {
				t.Errorf("still open: %+v", open)
			}
			if r, err := ben.Check(t.Context(), memory.CheckInput{FailOn: "low"}); err != nil || !r.Clean {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

// TestTwoResolutionsMerge: each clone lets another side win. The later resolution
// lasts, and the fact that it wants to stand does.
func TestTwoResolutionsMerge(t *testing.T) {
	team := newTeam(t, 2)
	ann, ben := team[0], team[1]
	ann.state("architecture/infra/gateway-port", portA, "ann")
	ann.state("domain/infra/gateway", portB, "ben")
	ann.audit(memory.AuditInput{})
	ann.sync()
	ben.sync()
	ben.clock.add(1e12)
	ann.settle("winner", "architecture/infra/gateway-port")
	ben.settle("winner", "domain/infra/gateway")
	converge(t, team)
	ann.clock.add(1e13)
	for _, b := range team {
		if a, d := b.get("architecture/infra/gateway-port"), b.get("domain/infra/gateway"); a.State != "superseded" || d.State != "current" {
			t.Errorf("%s and %s", a.State, d.State)
		}
		if r, err := b.Check(t.Context(), memory.CheckInput{}); err != nil || !r.Clean {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// TestUpdateAgainstRetirement: the update stands, whoever merges.
func TestUpdateAgainstRetirement(t *testing.T) {
	team := newTeam(t, 2)
	ann, ben := team[0], team[1]
	ann.state("domain/auth/session", "Sessions live 30 minutes.", "ann")
	ann.sync()
	ben.sync()
	if _, err := ann.Retire(t.Context(), "domain/auth/session", "gone", "ann"); err != nil {
		t.Fatal(err)
	}
	ben.clock.add(1e12)
	ben.state("domain/auth/session", "Sessions live 15 minutes.", "ben")
	converge(t, team)
	if f := ann.get("domain/auth/session"); f.Claim != "Sessions live 15 minutes." || f.State != "current" {
		t.Errorf("%s: %s", f.State, f.Claim)
	}
}

// TestPlainMergesLoseNothing: what somebody merges by hand, or a hosting service
// does, drops a claim; the next audit of anybody keeps it.
func TestPlainMergesLoseNothing(t *testing.T) {
	for _, side := range []string{"ours", "theirs"} {
		b := newMemory(t)
		b.state("domain/auth/session", "Sessions live 30 minutes.", "ann")
		before := b.tip()
		b.state("domain/auth/session", "Sessions live 15 minutes.", "ann")
		theirs := b.tip()
		b.git("update-ref", "refs/heads/engram", before)
		b.state("domain/auth/session", "Sessions live 20 minutes.", "ben")
		b.mergeTaking(theirs, side)
		r := b.audit(memory.AuditInput{})
		if len(r.Kept) != 1 || len(r.Opened) != 1 {
			t.Fatalf("%s: %+v", side, r)
		}
		claims := map[string]bool{b.get("domain/auth/session").Claim: true, b.get(r.Kept[0].String()).Claim: true}
		if !claims["Sessions live 15 minutes."] || !claims["Sessions live 20 minutes."] {
			t.Errorf("%s: kept are %v", side, claims)
		}
		if r := b.audit(memory.AuditInput{All: true}); len(r.Kept)+len(r.Opened) != 0 {
			t.Errorf("a second audit: %+v", r)
		}
	}
}

// TestMergeFileIsTheSameMerge: git's merge driver leaves what sync would.
func TestMergeFileIsTheSameMerge(t *testing.T) {
	b := newMemory(t)
	b.state("domain/auth/session", "Sessions live 30 minutes.", "ann")
	key, err := facts.ParseKey("domain/auth/session")
	if err != nil {
		t.Fatal(err)
	}
	show := func() []byte { return []byte(b.git("show", "engram:"+key.Path()) + "\n") }
	base := show()
	start := b.tip()
	b.state("domain/auth/session", "Sessions live 15 minutes.", "ann")
	ours := show()
	b.git("update-ref", "refs/heads/engram", start)
	b.state("domain/auth/session", "Sessions live 20 minutes.", "ben")
	theirs := show()
	for _, sides := range [][2][]byte{{ours, theirs}, {theirs, ours}} {
		r, err := b.MergeFile(t.Context(), memory.MergeFileInput{Path: key.Path(), Base: base, Ours: sides[0], Theirs: sides[1]})
		if err != nil || !r.Merged || string(r.Data) != string(theirs) || r.Kept != "Sessions live 15 minutes." {
			t.Errorf("%+v, %v", r, err)
		}
	}
	for _, c := range []struct {
		path, base, ours, theirs, want string
		merged                         bool
	}{
		{"engram.yml", "format: 1\n", "format: 1\nrate_limit: 9\n", "# ours\nformat: 1\n", "# ours\nformat: 1\nrate_limit: 9\n", true},
		{"engram.yml", "format: 1\n", "format: 1\nrate_limit: 9\n", "format: 1\nrate_limit: 8\n", "", false},
		{key.Path(), "", "<<<<<<<\n", ">>>>>>>\n", "", false},
	} {
		r, err := b.MergeFile(t.Context(), memory.MergeFileInput{Path: c.path, Base: []byte(c.base), Ours: []byte(c.ours), Theirs: []byte(c.theirs)})
		if err != nil || r.Merged != c.merged || c.merged && string(r.Data) != c.want {
			t.Errorf("%s: %q, %v, %v", c.path, r.Data, r.Merged, err)
		}
	}
}

// TestOfflineIsQueued: what could not be sent is said, waits, and is sent by who
// watches once the remote answers.
func TestOfflineIsQueued(t *testing.T) {
	team := newTeam(t, 2)
	ann, ben := team[0], team[1]
	remote := ann.git("remote", "get-url", "origin")
	ann.git("remote", "set-url", "origin", remote+"-gone")
	ann.state("domain/auth/session", "Sessions live 30 minutes.", "ann")
	if _, err := ann.Sync(t.Context(), memory.SyncInput{}); err == nil {
		t.Fatal("nobody noticed that there is no remote")
	} else if code, hint := classified(err); code != memory.CodeUnusable || hint == "" {
		t.Errorf("%v: %s, %q", err, code, hint)
	}
	if s, err := ann.Status(t.Context(), memory.StatusInput{}); err != nil || s.QueuedSince.IsZero() || s.Unshared != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	ann.git("remote", "set-url", "origin", remote)
	ann.clock.add(2 * 60 * 1e9)
	sent := 0
	if err := ann.Watch(t.Context(), memory.WatchOptions{Once: true, Report: func(r memory.WatchReport) { sent += r.Sent }}); err != nil || sent != 1 {
		t.Errorf("sent %d, %v", sent, err)
	}
	if s, err := ann.Status(t.Context(), memory.StatusInput{}); err != nil || !s.QueuedSince.IsZero() || s.Unshared != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if r := ben.sync(); r.Arrived != 1 {
		t.Errorf("%+v", r)
	}
}

// TestRenameByHand: one clone moves a file, the other changes it. Both claims are
// there, and lint says that they are of one lineage.
func TestRenameByHand(t *testing.T) {
	team := newTeam(t, 2)
	ann, ben := team[0], team[1]
	ann.state("domain/auth/session", "Sessions live 30 minutes.", "ann")
	ann.sync()
	ben.sync()
	text := ann.git("show", "engram:domain/auth/session.yml")
	ann.removeFile("domain/auth/session.yml")
	ann.place("domain/auth/lifetime.yml", strings.Replace(text, "domain/auth/session", "domain/auth/lifetime", 1)+"\n")
	ben.state("domain/auth/session", "Sessions live 15 minutes.", "ben")
	converge(t, team)
	if a, b := ann.get("domain/auth/lifetime").Claim, ann.get("domain/auth/session").Claim; a != "Sessions live 30 minutes." || b != "Sessions live 15 minutes." {
		t.Errorf("%q and %q", a, b)
	}
	lint, err := ann.Lint(t.Context(), nil)
	if err != nil || !slices.ContainsFunc(lint.Findings, func(f memory.Finding) bool { return f.Field == "lineage" }) {
		t.Errorf("%+v, %v", lint, err)
	}
}

// TestTwoBeginnings: two people began a memory before they knew of each other.
func TestTwoBeginnings(t *testing.T) {
	ann, ben := newMemory(t), newMemory(t)
	remote := filepath.Join(t.TempDir(), "remote.git")
	ann.git("init", "-q", "--bare", "-b", "main", remote)
	for i, b := range []bench{ann, ben} {
		b.git("remote", "add", "origin", remote)
		b.git("push", "-q", "origin", fmt.Sprint("HEAD:refs/heads/main", i))
	}
	ann.state("domain/a/one", "The gateway listens on port 8443.", "ann")
	ben.state("domain/a/two", "The cache holds 100 entries.", "ben")
	converge(t, []bench{ann, ben, ann})
	for _, b := range []bench{ann, ben} {
		b.get("domain/a/one")
		b.get("domain/a/two")
	}
}

// TestPurgedHistoryStaysOut: what one clone purged does not come back by a sync of
// another that still has it, whichever of the two syncs.
func TestPurgedHistoryStaysOut(t *testing.T) {
	team := newTeam(t, 2)
	ann, ben := team[0], team[1]
	ann.state("domain/auth/leak", "The password is hunter2000.", "ann")
	ann.sync()
	ben.sync()
	if _, err := ann.Purge(t.Context(), memory.PurgeInput{Keys: []string{"domain/auth/leak"}, Apply: true, Reason: "leaked"}); err != nil {
		t.Fatal(err)
	}
	purged := ann.tip()
	r, err := ann.Sync(t.Context(), memory.SyncInput{})
	if !errors.Is(err, memory.ErrNotTakenIn) || ann.tip() != purged || len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "purged here") {
		t.Errorf("the remote's history came back: %v, %+v", err, r)
	}
	ann.git("push", "-q", "--force", "origin", "engram") // what a person decides to do
	ben.state("domain/b/new", "The cache holds 100 entries.", "ben")
	before := ben.tip()
	r, err = ben.Sync(t.Context(), memory.SyncInput{})
	if !errors.Is(err, memory.ErrNotTakenIn) || ben.tip() != before || len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "purged there") {
		t.Errorf("ben: %v, %+v", err, r)
	}
}

// TestSyncCarriesProposals: what waits for a review is shared, and not merged.
func TestSyncCarriesProposals(t *testing.T) {
	team := newTeam(t, 2)
	ann, ben := team[0], team[1]
	ann.agree("review: {namespaces: [architecture]}")
	converge(t, team)
	ann.state("architecture/infra/gateway-port", portA, "ann")
	ben.state("architecture/infra/cache", "The cache holds 100 entries.", "ben")
	converge(t, team)
	converge(t, team)
	for _, b := range team {
		list, err := b.Proposals(t.Context(), memory.ProposalsInput{})
		if err != nil || len(list.Proposals) != 2 {
			t.Errorf("%+v, %v", list, err)
		}
		if _, err := b.Get(t.Context(), memory.GetInput{Key: "architecture/infra/cache"}); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("a sync accepted it: %v", err)
		}
	}
}

// TestAnonymousMerges: the merge that brings the wish for anonymity honours it.
func TestAnonymousMerges(t *testing.T) {
	team := newTeam(t, 2)
	ann, ben := team[0], team[1]
	ben.state("domain/b/own", "The cache holds 100 entries.", "ben")
	ann.agree("anonymous_mode: true")
	ann.sync()
	ben.sync()
	if author := ben.git("log", "-1", "--merges", "--format=%an %ae %cn", "engram"); author != "anonymous anonymous@engram.invalid anonymous" {
		t.Errorf("the merge is by %s", author)
	}
}

// TestPurgedKeysStayPurged: neither a new policy nor an import of what was saved
// before brings a purged fact back.
func TestPurgedKeysStayPurged(t *testing.T) {
	b := newMemory(t)
	b.state("domain/auth/leak", "The password is hunter2000.", "ann")
	var saved strings.Builder
	if _, err := b.Export(t.Context(), &saved, memory.ExportInput{Format: memory.JSONL}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Purge(t.Context(), memory.PurgeInput{Keys: []string{"domain/auth/leak"}, Apply: true}); err != nil {
		t.Fatal(err)
	}
	purged := b.git("show", "engram:engram.yml")
	b.agree("rate_limit: 9")
	for line := range strings.Lines(purged) {
		if name, found := strings.CutPrefix(strings.TrimSpace(line), "- "); found && !strings.Contains(b.git("show", "engram:engram.yml"), name) {
			t.Errorf("the new policy lacks %s", name)
		}
	}
	if _, err := b.Import(t.Context(), strings.NewReader(saved.String()), memory.ImportInput{Format: memory.JSONL}); err == nil || !strings.Contains(err.Error(), "1 of 1") && !strings.Contains(err.Error(), "purged") {
		t.Errorf("the import brought it back: %v", err)
	}
	if _, err := b.Get(t.Context(), memory.GetInput{Key: "domain/auth/leak"}); !errors.Is(err, memory.ErrNotFound) {
		t.Error(err)
	}
}

// TestArrivedViolationsAreSaid: a sync says what arrived against the policy, and a
// check fails on it whether an audit was first or not.
func TestArrivedViolationsAreSaid(t *testing.T) {
	team := newTeam(t, 2)
	ann, ben := team[0], team[1]
	ann.agree("permissions:", "  - {scope: infra, write: false}")
	converge(t, team)
	text := "key: domain/p/v\nid: 01ARZ3NDEKTSV4RRFFQZZZZZZZ\nlineage: 01ARZ3NDEKTSV4RRFFQZZZZZZZ\nclaim: The pool has 10 connections.\nscope: infra\nvalid_from: 2026-05-30T12:00:00Z\nprovenance:\n  agent: bot\n  created_at: 2026-05-30T12:00:00Z\n"
	ben.place("domain/p/v.yml", text)
	ben.git("push", "-q", "origin", "engram")
	ann.clock.add(60 * 24 * 3600 * 1e9)
	if r := ann.sync(); len(r.Violations) != 1 || r.Violations[0].Key != "domain/p/v" {
		t.Errorf("the sync says %+v", r.Violations)
	}
	if r, err := ann.Check(t.Context(), memory.CheckInput{}); err != nil || r.Clean || len(r.Violations) != 1 {
		t.Errorf("after the audit: %+v, %v", r.Violations, err)
	}
	if _, err := ann.Retire(t.Context(), "domain/p/v", "not allowed", ""); err == nil {
		t.Error("people are meant by the permission as well")
	}
}
