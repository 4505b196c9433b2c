package memory_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"engram/memory"
)

// work commits a file in a work tree.
func work(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	gitIn(t, dir, "add", name)
	gitIn(t, dir, "commit", "-q", "-m", "work on "+name)
}

func (b bench) settleBranches() memory.BranchesResult {
	b.t.Helper()
	r, err := b.SettleBranches(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// outcome is a settlement in a few words.
func outcome(r memory.BranchesResult) string {
	var words []string
	for _, s := range r.Promoted {
		if s.Rival {
			words = append(words, "rival")
		} else {
			words = append(words, "promoted")
		}
	}
	for range r.Dropped {
		words = append(words, "dropped")
	}
	for _, w := range r.Waiting {
		if w.Undecided {
			words = append(words, "undecided: "+w.Reason)
		} else {
			words = append(words, "waiting: "+w.Reason)
		}
	}
	return strings.Join(words, "; ")
}

// settled expects an outcome, and that settling again changes nothing.
func (b bench) settled(what, want string) memory.BranchesResult {
	b.t.Helper()
	r := b.settleBranches()
	if got := outcome(r); got != want && (want == "" || !strings.HasPrefix(got, want)) {
		b.t.Errorf("%s: %q, want %q", what, got, want)
	}
	tip := b.tip()
	if again := b.settleBranches(); b.tip() != tip || len(again.Promoted)+len(again.Dropped) > 0 {
		b.t.Errorf("%s: settling again did %q", what, outcome(again))
	}
	return r
}

// onTopic is a memory with a fact bound to the branch topic, which has work of its own.
func onTopic(t testing.TB) bench {
	b, _ := bound(t)
	b.onBranch("topic")
	work(t, b.dir, "one", "1\n2\n3\n")
	work(t, b.dir, "two", "1\n2\n3\n")
	b.settled("work", "waiting: it has commits that are not in the trunk")
	b.onBranch("main")
	work(t, b.dir, "main.go", "1")
	return b
}

// TestSettleMerged: however the work of a branch gets into the trunk, its facts hold
// for all then, whether or not the branch is kept.
func TestSettleMerged(t *testing.T) {
	for name, merge := range map[string]func(b bench){
		"merge":       func(b bench) { gitIn(b.t, b.dir, "merge", "-q", "--no-edit", "topic") },
		"cherry-pick": func(b bench) { gitIn(b.t, b.dir, "cherry-pick", "main..topic") },
		"fast-forward": func(b bench) {
			gitIn(b.t, b.dir, "reset", "-q", "--hard", "HEAD~1")
			gitIn(b.t, b.dir, "merge", "-q", "--ff-only", "topic")
		},
		"rebase": func(b bench) {
			gitIn(b.t, b.dir, "rebase", "-q", "main", "topic")
			gitIn(b.t, b.dir, "switch", "-q", "main")
			gitIn(b.t, b.dir, "merge", "-q", "--ff-only", "topic")
		},
		"squash": func(b bench) {
			gitIn(b.t, b.dir, "merge", "-q", "--squash", "topic")
			gitIn(b.t, b.dir, "commit", "-q", "-m", "squashed")
		},
	} {
		for _, kept := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, kept %v", name, kept), func(t *testing.T) {
				b := onTopic(t)
				merge(b)
				if !kept {
					gitIn(t, b.dir, "branch", "-q", "-D", "topic")
				}
				r := b.settled(name, "promoted")
				if len(r.Promoted) != 1 || r.Promoted[0].Replaced == nil || r.Promoted[0].Replaced.Claim != port {
					t.Fatalf("%+v", r.Promoted)
				}
				f := b.get(portKey)
				if f.Claim != pooler || f.Branch != "" || f.AgentID != "b" || f.Evidence != "compose.yml" || f.MemoryOp != "update" {
					t.Errorf("promoted: %+v", f)
				}
				expect(t, "what is found", b.found(memory.QueryInput{Question: "port"}), []string{pooler})
				expect(t, "what is bound", len(b.found(memory.QueryInput{Question: "port", Branch: memory.EveryBranch})), 1)
				log, err := b.History(t.Context(), memory.HistoryInput{Key: portKey})
				if err != nil || len(log.Versions) != 2 || log.Versions[0].Subject != "promote domain/db/port (branch topic merged): "+pooler {
					t.Errorf("log: %+v, %v", log, err)
				}
				if any, err := b.HasBound(t.Context()); any || err != nil {
					t.Errorf("something is bound still: %v", err)
				}
			})
		}
	}
}

// TestSettleDropped: a branch that is gone with its work takes its facts along, and
// what only looks gone does not.
func TestSettleDropped(t *testing.T) {
	gone := func(b bench) { gitIn(b.t, b.dir, "branch", "-q", "-D", "topic") }
	for _, c := range []struct {
		name string
		do   func(b bench)
		want string
	}{
		{"gone", gone, "dropped"},
		{"kept", func(bench) {}, "waiting: it has commits that are not in the trunk"},
		{"stashed", func(b bench) {
			b.onBranch("topic")
			_ = os.WriteFile(filepath.Join(b.dir, "one"), []byte("2"), 0o644)
			gitIn(b.t, b.dir, "stash")
			b.onBranch("main")
			gone(b)
		}, "dropped"},
		{"renamed", func(b bench) { gitIn(b.t, b.dir, "branch", "-m", "topic", "subject") }, "undecided: it is gone, and refs/heads/subject has its commits"},
		{"built upon", func(b bench) { gitIn(b.t, b.dir, "branch", "next", "topic"); gone(b) }, "undecided: it is gone, and refs/heads/next has its commits"},
		{"squashed with changes", func(b bench) {
			gitIn(b.t, b.dir, "merge", "-q", "--squash", "topic")
			work(b.t, b.dir, "one", "edited")
			gone(b)
		}, "undecided: it is gone, and its work may be in the trunk"},
		{"landed in part", func(b bench) { gitIn(b.t, b.dir, "cherry-pick", "topic"); gone(b) }, "undecided: it is gone, and its work may be in the trunk"},
		{"a remote may have it", func(b bench) {
			gitIn(b.t, b.dir, "remote", "add", "-t", "main", "origin", "https://example.invalid/x.git")
			gone(b)
		}, "undecided: it is gone here, and a remote may have it"},
		{"reset to the trunk", func(b bench) { gitIn(b.t, b.dir, "branch", "-f", "topic", "main") }, "waiting: it has commits that are not in the trunk"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := onTopic(t)
			c.do(b)
			b.settled(c.name, c.want)
			if c.want != "dropped" {
				return
			}
			subject := gitIn(t, b.dir, "log", "-1", "--format=%s", "engram")
			if !strings.HasPrefix(subject, "retire domain/db/port.on-topic-") || !strings.HasSuffix(subject, ": the branch topic was dropped") {
				t.Errorf("the commit says %q", subject)
			}
			if f := b.get(portKey); f.Claim != port {
				t.Errorf("the fact for all: %+v", f)
			}
		})
	}
}

// TestSettleWithoutWork: a branch that never went its own way is not merged, wherever
// the trunk is, and not dropped.
func TestSettleWithoutWork(t *testing.T) {
	b, _ := bound(t)
	b.settled("fresh", "waiting: no commits of its own")
	work(t, b.dir, "main.go", "1")
	b.settled("behind", "waiting: no commits of its own")
	gitIn(t, b.dir, "branch", "-f", "topic", "main")
	b.settled("forwarded", "waiting: no commits of its own")
	gitIn(t, b.dir, "branch", "-D", "topic")
	b.settled("gone", "waiting: no commits of its own")
	r, err := b.PromoteBranch(t.Context(), memory.PromoteInput{Branch: "topic", Agent: "ada"})
	if err != nil || outcome(r) != "promoted" || b.get(portKey).Claim != pooler {
		t.Errorf("by hand: %+v, %v", r, err)
	}
	if subject := gitIn(t, b.dir, "log", "-1", "--format=%s", "engram"); subject != "promote domain/db/port (branch topic, by ada): "+pooler {
		t.Errorf("the commit says %q", subject)
	}
}

// TestSettleAfterANewerFact: nobody's claim is replaced that was written since.
func TestSettleAfterANewerFact(t *testing.T) {
	b := onTopic(t)
	b.commit(memory.CommitInput{Claim: "The port is 7777.", Key: portKey})
	gitIn(t, b.dir, "merge", "-q", "--no-edit", "topic")
	r := b.settled("newer", "rival")
	if f := b.get(portKey); f.Claim != "The port is 7777." {
		t.Errorf("what stands: %+v", f)
	}
	f := b.get(r.Promoted[0].Key.String())
	if f.Claim != pooler || f.For.String() != portKey || f.Branch != "" {
		t.Errorf("the rival: %+v", f)
	}
	expect(t, "what is found", len(b.found(memory.QueryInput{Question: "port"})), 2)
}

// TestSettleTwoBranches: the second of two branches that are bound to one key and
// merged becomes a rival; the same claim does not.
func TestSettleTwoBranches(t *testing.T) {
	b := onTopic(t)
	gitIn(t, b.dir, "branch", "same", "main")
	gitIn(t, b.dir, "branch", "other", "main")
	b.commit(memory.CommitInput{Claim: pooler, Key: portKey, Branch: "same"})
	b.commit(memory.CommitInput{Claim: "The port is 1.", Key: portKey, Branch: "other"})
	for _, branch := range []string{"same", "other"} {
		b.onBranch(branch)
		work(t, b.dir, branch, "1")
	}
	b.settleBranches()
	b.onBranch("main")
	gitIn(t, b.dir, "merge", "-q", "--no-edit", "topic")
	if r := b.settleBranches(); len(r.Promoted) != 1 || len(r.Waiting) != 2 {
		t.Fatalf("the first: %+v", r)
	}
	before := b.get(portKey)
	gitIn(t, b.dir, "merge", "-q", "--no-edit", "same")
	if r := b.settleBranches(); outcome(r) != "promoted; waiting: it has commits that are not in the trunk" || b.get(portKey).FactID != before.FactID {
		t.Errorf("the same claim: %+v", r)
	}
	gitIn(t, b.dir, "merge", "-q", "--no-edit", "other")
	b.settled("another claim", "rival")
}

// TestSettleReusedName: what a branch of the same name did before says nothing about
// a fact that was written since.
func TestSettleReusedName(t *testing.T) {
	b := onTopic(t)
	gitIn(t, b.dir, "merge", "-q", "--no-edit", "topic")
	gitIn(t, b.dir, "branch", "-f", "topic", "main")
	b.commit(memory.CommitInput{Claim: "Later.", Key: "domain/db/later", Branch: "topic"})
	r := b.settled("both", "promoted; waiting: it was written after")
	if len(r.Promoted) != 1 || r.Promoted[0].Claim != pooler {
		t.Errorf("%+v", r.Promoted)
	}
	b.onBranch("topic")
	work(t, b.dir, "later", "1")
	b.settled("work", "waiting: it has commits")
	b.onBranch("main")
	gitIn(t, b.dir, "merge", "-q", "--no-ff", "--no-edit", "topic")
	b.settled("merged", "promoted")
}

// TestSettleInClones: a branch that lives on a remote is judged by whoever saw it;
// who has not, waits and then gets the outcome with the memory.
func TestSettleInClones(t *testing.T) {
	origin := filepath.Join(t.TempDir(), "origin")
	a := onTopic(t)
	gitIn(t, a.dir, "clone", "-q", "--bare", a.dir, origin)
	gitIn(t, a.dir, "remote", "add", "origin", origin)
	gitIn(t, a.dir, "fetch", "-q")
	dir := filepath.Join(t.TempDir(), "clone")
	gitIn(t, a.dir, "clone", "-q", origin, dir)
	configure(t, dir)
	gitIn(t, dir, "fetch", "-q", "origin", "engram:engram")
	saw := openMemory(t, dir)
	saw.clock.add(3600e9)
	saw.settled("seen on the remote", "waiting: it has commits that are not in the trunk")
	blind := filepath.Join(t.TempDir(), "blind")
	gitIn(t, a.dir, "clone", "-q", origin, blind)
	configure(t, blind)
	gitIn(t, blind, "branch", "-q", "-D", "-r", "origin/topic")
	gitIn(t, blind, "fetch", "-q", "origin", "engram:engram")
	gitIn(t, blind, "update-ref", "-d", "refs/remotes/origin/topic")
	unsure := openMemory(t, blind)
	unsure.clock.add(3600e9)
	unsure.settled("never seen", "waiting: no commits of its own")

	// Merged and deleted on the hosting service.
	gitIn(t, a.dir, "merge", "-q", "--squash", "topic")
	gitIn(t, a.dir, "commit", "-q", "-m", "squashed")
	gitIn(t, a.dir, "push", "-q", "origin", "main")
	gitIn(t, a.dir, "push", "-q", "origin", ":topic")
	saw.settled("not fetched yet", "waiting: it has commits that are not in the trunk")
	gitIn(t, dir, "fetch", "-q")
	gitIn(t, dir, "update-ref", "refs/remotes/origin/topic", gitIn(t, a.dir, "rev-parse", "topic")) // stale
	saw.settled("fetched, not pruned", "promoted")
	gitIn(t, blind, "fetch", "-q", "--prune")
	unsure.settled("never seen, and merged", "waiting: no commits of its own")
	gitIn(t, dir, "push", "-q", "origin", "engram")
	gitIn(t, blind, "fetch", "-q", "origin", "engram:engram")
	unsure.settled("settled by another", "")
	if f := unsure.get(portKey); f.Claim != pooler {
		t.Errorf("%+v", f)
	}
}

// TestSettleDeletedOnTheRemote: what one deletes after pushing is dropped once no
// clone's remote-tracking branch has it.
func TestSettleDeletedOnTheRemote(t *testing.T) {
	b := onTopic(t)
	origin := filepath.Join(t.TempDir(), "origin")
	gitIn(t, b.dir, "clone", "-q", "--bare", b.dir, origin)
	gitIn(t, b.dir, "remote", "add", "origin", origin)
	gitIn(t, b.dir, "fetch", "-q")
	gitIn(t, b.dir, "branch", "-q", "-D", "topic")
	b.settled("on the remote", "waiting: it has commits that are not in the trunk")
	gitIn(t, origin, "branch", "-q", "-D", "topic")
	b.settled("not pruned", "waiting: it has commits that are not in the trunk")
	gitIn(t, b.dir, "fetch", "-q", "--prune")
	b.settled("gone", "dropped")
}

// TestSettleDivergedTrunk: squashed into the local trunk, which is not on the remote
// yet: neither merged nor dropped.
func TestSettleDivergedTrunk(t *testing.T) {
	b := onTopic(t)
	origin := filepath.Join(t.TempDir(), "origin")
	gitIn(t, b.dir, "clone", "-q", "--bare", b.dir, origin)
	gitIn(t, b.dir, "remote", "add", "origin", origin)
	work(t, b.dir, "remote", "1")
	gitIn(t, b.dir, "push", "-q", "origin", "main")
	gitIn(t, b.dir, "push", "-q", "origin", ":topic")
	gitIn(t, b.dir, "fetch", "-q")
	gitIn(t, b.dir, "reset", "-q", "--hard", "HEAD~1")
	gitIn(t, b.dir, "merge", "-q", "--squash", "topic")
	gitIn(t, b.dir, "commit", "-q", "-m", "squashed")
	gitIn(t, b.dir, "branch", "-q", "-D", "topic")
	b.settled("diverged", "undecided: it is gone, and its work may be in the trunk")
	gitIn(t, b.dir, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
	b.settled("pulled", "undecided: it is gone, and its work may be in the trunk")
	gitIn(t, b.dir, "push", "-q", "origin", "main")
	b.settled("pushed", "promoted")
}

// TestSettleWithoutTrunk says what is missing.
func TestSettleWithoutTrunk(t *testing.T) {
	b, _ := bound(t)
	gitIn(t, b.dir, "branch", "-m", "main", "strange")
	b.settled("no trunk", "undecided: no trunk is known")
}

// TestHasBound follows the memory, whoever changes it.
func TestHasBound(t *testing.T) {
	b := newMemory(t)
	has := func(want bool) {
		t.Helper()
		for range 2 {
			if got, err := b.HasBound(t.Context()); got != want || err != nil {
				t.Errorf("bound: %v, %v; want %v", got, err, want)
			}
		}
	}
	has(false)
	b.commit(memory.CommitInput{Claim: "A branch is mentioned.", Key: "domain/a/b"})
	has(false)
	r := b.commit(memory.CommitInput{Claim: pooler, Key: portKey, Branch: "topic"})
	has(true)
	if err := os.RemoveAll(filepath.Join(b.dir, ".git", "engram", "bound")); err != nil {
		t.Fatal(err)
	}
	has(true)
	if _, err := b.Retire(t.Context(), r.Key, "", ""); err != nil {
		t.Fatal(err)
	}
	has(false)
	b.place("domain/by/hand.yml", "key: domain/by/hand\nid: 01ARZ3NDEKTSV4RRFFQ69G5FAV\nlineage: 01ARZ3NDEKTSV4RRFFQ69G5FAV\nclaim: c\nbranch: topic\nvalid_from: 2026-04-30T12:00:00Z\n")
	has(true)
	if r, err := b.PromoteBranch(t.Context(), memory.PromoteInput{Branch: "topic", Key: "domain/by/hand"}); err != nil || outcome(r) != "promoted" || b.get("domain/by/hand").Branch != "" {
		t.Errorf("one that was written by hand: %+v, %v", r, err)
	}
	has(false)
}

// step is something that happens to branches or to facts that are bound to them.
type step struct{ What, Branch, Key, BoundTo string }

func drawSteps(t *rapid.T) []step {
	one := rapid.Custom(func(t *rapid.T) step {
		branch := rapid.SampledFrom([]string{"topic", "other"}).Draw(t, "branch")
		return step{
			What:    rapid.SampledFrom([]string{"fact", "work", "merge", "squash", "delete", "create", "trunk", "settle", "settle", "fact", "work"}).Draw(t, "what"),
			Branch:  branch,
			Key:     rapid.SampledFrom([]string{"port", "host"}).Draw(t, "key"),
			BoundTo: rapid.SampledFrom([]string{"", branch}).Draw(t, "bound to"),
		}
	})
	return rapid.SliceOfN(one, 6, 14).Draw(t, "steps")
}

// TestSettlingIsIdempotent: whatever happens to branches, settling twice is settling
// once, and every file stays valid. It draws a few histories only: each takes git some
// hundred calls.
func TestSettlingIsIdempotent(t *testing.T) {
	for seed := range 12 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			b, _ := bound(t)
			gitIn(t, b.dir, "branch", "other")
			steps := rapid.Custom(drawSteps).Example(seed)
			for i, s := range steps {
				b.happens(i, s)
			}
			b.settleBranches()
			tip := b.tip()
			if r := b.settleBranches(); b.tip() != tip || len(r.Promoted)+len(r.Dropped) > 0 {
				t.Fatalf("settling again did %q after %+v", outcome(r), steps)
			}
			checked, err := b.Lint(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range checked.Findings {
				if f.Severity != "advice" {
					t.Errorf("lint: %+v after %+v", f, steps)
				}
			}
		})
	}
}

func (b bench) happens(i int, s step) {
	gone := gitIn(b.t, b.dir, "branch", "--list", s.Branch) == ""
	switch {
	case s.What == "settle":
		b.settleBranches()
	case s.What == "trunk":
		work(b.t, b.dir, fmt.Sprintf("trunk-%d", i), "1")
	case s.What == "create":
		gitIn(b.t, b.dir, "branch", "-f", s.Branch, "main")
	case s.What == "fact" || gone:
		b.commit(memory.CommitInput{Claim: fmt.Sprintf("Step %d.", i), Key: "domain/db/" + s.Key, Branch: s.BoundTo})
	case s.What == "work":
		b.onBranch(s.Branch)
		work(b.t, b.dir, fmt.Sprintf("%s-%d", s.Branch, i), "1")
		b.onBranch("main")
	case s.What == "merge":
		gitIn(b.t, b.dir, "merge", "-q", "--no-edit", s.Branch)
	case s.What == "squash":
		gitIn(b.t, b.dir, "merge", "-q", "--squash", s.Branch)
		gitIn(b.t, b.dir, "commit", "-q", "--allow-empty", "-m", "squash")
	case s.What == "delete":
		gitIn(b.t, b.dir, "branch", "-q", "-D", s.Branch)
	}
}

// TestSettleByAClockThatIsBehind: what a colleague wrote whose clock is ahead waits for
// ours, and is over at once when it is promoted by hand.
func TestSettleByAClockThatIsBehind(t *testing.T) {
	b := newMemory(t)
	gitIn(t, b.dir, "branch", "topic")
	ahead := openMemory(t, b.dir)
	ahead.clock.add(600e9)
	ahead.commit(memory.CommitInput{Claim: pooler, Key: portKey, Branch: "topic"})
	if r, err := b.PromoteBranch(t.Context(), memory.PromoteInput{Branch: "topic"}); err != nil || outcome(r) != "promoted" {
		t.Fatalf("%+v, %v", r, err)
	}
	b.settled("promoted", "")
	if any, err := b.HasBound(t.Context()); any || err != nil {
		t.Errorf("still bound: %v, %v", any, err)
	}
	expect(t, "what is found", b.found(memory.QueryInput{Question: "port", Branch: memory.EveryBranch}), []string{pooler})
}

// BenchmarkHasBound is what a hook pays: nothing is bound, and the memory has changed
// since or not.
func BenchmarkHasBound(b *testing.B) {
	m := newMemory(b)
	ask := func(b *testing.B) {
		if any, err := m.HasBound(b.Context()); any || err != nil {
			b.Fatal(any, err)
		}
	}
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			ask(b)
		}
	})
	b.Run("changed", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			b.StopTimer()
			m.commit(memory.CommitInput{Claim: fmt.Sprintf("Step %d of %d.", i, b.N), Key: "domain/a/b"})
			b.StartTimer()
			ask(b)
		}
	})
}

// BenchmarkSettleWaiting is what it costs to look at one branch that goes on.
func BenchmarkSettleWaiting(b *testing.B) {
	m := onTopic(b)
	for b.Loop() {
		if r := m.settleBranches(); len(r.Waiting) != 1 {
			b.Fatal(outcome(r))
		}
	}
}
