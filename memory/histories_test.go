package memory_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"engram/memory"
)

// histories is how many TestHistoriesOfTeams makes up, and how many steps they have;
// ENGRAM_TEST_FULL=1 go test ./memory -run HistoriesOfTeams -timeout 6h makes the long ones.
func histories() (n, steps int) {
	if os.Getenv("ENGRAM_TEST_FULL") != "" {
		return 2000, 16
	}
	return 12, 7 // of the 40 that were wanted: each takes two to five seconds
}

// TestHistoriesOfTeams: three to five clones of one remote write, retire, change
// engram.yml, review, invite, join, purge, publish and sync, in any order. In the end all
// stand at the same revision, an index that grew with the history answers like the
// others, no acknowledged claim is gone that nobody replaced, and nothing purged is back.
// TestMergesConverge does the same for merges alone, without remotes.
func TestHistoriesOfTeams(t *testing.T) {
	begun := newTeam(t, 4)
	n, steps := histories()
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			teamHistory(t, begun, uint64(seed), steps)
		})
	}
}

// teamwork is one history at work.
type teamwork struct {
	*rand.Rand
	t      *testing.T
	team   []bench
	remote string            // the bare repository that all share
	org    string            // the address of a memory that others read
	live   map[string]string // claims by what was done, until somebody replaces them
	purged []string          // claims that no history may have
	told   []string
	claims int
}

// copyTeam copies n clones and their remote: that is quicker than to make them.
func copyTeam(t *testing.T, begun []bench, n int) (team []bench, remote string) {
	t.Helper()
	root, from := t.TempDir(), begun[0].git("remote", "get-url", "origin")
	remote = filepath.Join(root, "remote.git")
	for i, path := range append([]string{from}, dirs(begun[:n])...) {
		dir := filepath.Join(root, fmt.Sprint("clone", i))
		if i == 0 {
			dir = remote
		}
		if err := os.CopyFS(dir, os.DirFS(path)); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			edit(t, filepath.Join(dir, ".git", "config"), from, remote)
			team = append(team, openMemory(t, dir))
		}
	}
	return team, remote
}

func dirs(team []bench) (list []string) {
	for _, b := range team {
		list = append(list, b.dir)
	}
	return list
}

func teamHistory(t *testing.T, begun []bench, seed uint64, most int) {
	random := rand.New(rand.NewPCG(20, seed))
	w := &teamwork{Rand: random, t: t, live: make(map[string]string)}
	w.team, w.remote = copyTeam(t, begun, 3+random.IntN(2))
	steps := []func(b bench, name string){w.write, w.write, w.write, w.write, w.write, w.write, w.retire, w.policy, w.policy, w.review, w.review, w.sync, w.sync, w.sync, w.sync, w.grow, w.purge, w.federate}
	for range most/2 + w.IntN(most/2+1) {
		n := w.IntN(len(w.team))
		steps[w.IntN(len(steps))](w.team[n], fmt.Sprint("agent-", n))
	}
	w.finish()
	if t.Failed() {
		t.Logf("seed %d:\n%s", seed, strings.Join(w.told, "\n"))
	}
}

// did notes a step. It may be refused, or find nothing to do; it must not fail.
func (w *teamwork) did(err error, format string, args ...any) bool {
	said := fmt.Sprintf(format, args...)
	if err != nil {
		said += ": " + err.Error()
		if code, _ := memory.Classify(err); code == memory.CodeFailure || code == memory.CodeUnusable {
			w.t.Errorf("%s", said)
		}
	}
	w.told = append(w.told, said)
	return err == nil
}

func (w *teamwork) key() string {
	return []string{"domain/a/one", "domain/a/two", "domain/b/three", "architecture/a/one", "architecture/b/two"}[w.IntN(5)]
}

func (w *teamwork) write(b bench, name string) {
	w.claims++
	in := memory.CommitInput{Key: w.key(), Claim: fmt.Sprintf("Item %d is known.", w.claims), Agent: name, Scope: []string{"open", "closed", "shared/x"}[w.IntN(3)], Reach: "org"}
	before, _ := b.Get(w.t.Context(), memory.GetInput{Key: in.Key})
	r, err := b.Commit(w.t.Context(), in)
	if w.did(err, "%s writes %q at %s", name, in.Claim, in.Key) && !r.Proposed {
		delete(w.live, before.Fact.Claim)
		w.live[in.Claim] = name
	}
}

func (w *teamwork) retire(b bench, name string) {
	key := w.key()
	before, _ := b.Get(w.t.Context(), memory.GetInput{Key: key})
	r, err := b.Retire(w.t.Context(), key, "it ended", name)
	if w.did(err, "%s retires %s", name, key) && !r.Proposed {
		delete(w.live, before.Fact.Claim)
	}
}

func (w *teamwork) policy(b bench, name string) {
	lines := [][]string{
		{"permissions: [{scope: closed, write: false}, {agent: agent-1, scope: closed, write: true}]"},
		{"permissions: [{agent: agent-2, scope: closed, read: false}]", "rate_limit: 0"},
		{"anonymous_mode: true"}, {"anon_agents: true"}, {"anonymous_mode: false", "rate_limit: 40"},
		{"review: {namespaces: [architecture]}"}, {"review: {namespaces: [architecture]}", "anonymous_mode: true"},
		{"gates: [secrets, lint]"}, {"namespaces: [infra]", "gates: [conflicts]"},
	}[w.IntN(9)]
	_, err := b.SetPolicy(w.t.Context(), memory.SetPolicyInput{Text: "format: 1\n" + strings.Join(lines, "\n") + "\n"})
	w.did(err, "%s agrees on %s", name, strings.Join(lines, "; "))
}

// review decides on the first proposal that a clone knows.
func (w *teamwork) review(b bench, name string) {
	r, err := b.Proposals(w.t.Context(), memory.ProposalsInput{})
	if !w.did(err, "%s sees %d proposals", name, len(r.Proposals)) || len(r.Proposals) == 0 {
		return
	}
	p := r.Proposals[0]
	in := memory.ReviewInput{Decisions: []memory.Decision{{Key: p.Key.String(), Version: p.Version}}, Reason: "looked at it"}
	if w.IntN(3) == 0 {
		_, err = b.Reject(w.t.Context(), in)
		w.did(err, "%s rejects %s", name, p.Key)
		return
	}
	before, _ := b.Get(w.t.Context(), memory.GetInput{Key: p.Key.String()})
	if _, err = b.Accept(w.t.Context(), in); w.did(err, "%s accepts %s of %s", name, p.Change, p.Key) {
		delete(w.live, before.Fact.Claim)
		if p.Change == "add" || p.Change == "update" {
			w.live[p.Fact.Claim] = name
		}
	}
}

func (w *teamwork) sync(b bench, name string) {
	_, err := b.Sync(w.t.Context(), memory.SyncInput{})
	w.did(err, "%s syncs", name)
}

// grow invites a colleague, who joins with a new clone.
func (w *teamwork) grow(b bench, name string) {
	if len(w.team) == 5 {
		return
	}
	w.sync(b, name)
	r, err := b.Invite(w.t.Context(), memory.InviteInput{Uses: 1})
	if !w.did(err, "%s invites", name) || !r.Pushed {
		return
	}
	dir := filepath.Join(w.t.TempDir(), "joined")
	b.git("clone", "-q", "--single-branch", "-b", "main", r.Remote, dir)
	configure(w.t, dir)
	joined := openMemory(w.t, dir)
	if _, err = joined.join(r.Key); w.did(err, "agent-%d joins", len(w.team)) {
		w.team = append(w.team, joined)
	}
}

// purge is what docs/secrets.md says: one clone that is up to date purges and replaces
// the branch at the remote; every other one has shared all, and resets its own.
func (w *teamwork) purge(b bench, name string) {
	w.converge()
	key := "domain/a/two"
	r, err := b.Get(w.t.Context(), memory.GetInput{Key: key})
	if err != nil || w.t.Failed() {
		return
	}
	_, err = b.Purge(w.t.Context(), memory.PurgeInput{Keys: []string{key}, Apply: true, Reason: "leaked"})
	if !w.did(err, "%s purges %s", name, key) {
		return
	}
	w.purged = append(w.purged, r.Fact.Claim)
	delete(w.live, r.Fact.Claim)
	b.git("push", "-q", "--force", "origin", "engram")
	for _, other := range w.team {
		if other.dir != b.dir {
			other.git("fetch", "-q", "origin", "+engram:refs/remotes/origin/engram")
			other.git("update-ref", "refs/heads/engram", "refs/remotes/origin/engram")
		}
	}
}

// federate reads another memory, and publishes what is meant for it.
func (w *teamwork) federate(b bench, name string) {
	if w.org == "" {
		w.org, _ = bareOrg(w.t)
	}
	_, err := b.AddSource(w.t.Context(), memory.SourceInput{Name: "org", URL: w.org, Scopes: []string{"shared/*"}})
	w.did(err, "%s reads org", name)
	_, err = b.FetchSources(w.t.Context(), nil)
	w.did(err, "%s fetches org", name)
	_, err = b.Publish(w.t.Context(), memory.PublishInput{To: "org", Scopes: []string{"shared/*"}, Apply: true, SkipRefused: true, Agent: name})
	w.did(err, "%s publishes", name)
}

// converge syncs until all stand at the revision of the remote. Whoever stands there
// has nothing to exchange.
func (w *teamwork) converge() {
	for range 6 {
		for n, b := range w.team {
			if w.tip(filepath.Join(b.dir, ".git")) != w.tip(w.remote) {
				w.sync(b, fmt.Sprint("agent-", n))
			}
		}
		tips := map[string]bool{w.tip(w.remote): true}
		for _, b := range w.team {
			tips[w.tip(filepath.Join(b.dir, ".git"))] = true
		}
		if len(tips) == 1 {
			return
		}
	}
	w.t.Error("the clones do not come to one revision in six rounds")
}

// tip reads the branch's file if there is one, which saves hundreds of processes.
func (w *teamwork) tip(gitDir string) string {
	data, err := os.ReadFile(filepath.Join(gitDir, "refs", "heads", "engram"))
	if err != nil {
		return gitIn(w.t, gitDir, "rev-parse", "engram") + "\n"
	}
	return string(data)
}

func (w *teamwork) finish() {
	w.converge()
	first := w.team[0]
	all := gitIn(w.t, first.dir, "grep", "-h", "claim: ", "engram")
	for _, claim := range slices.Sorted(maps.Keys(w.live)) {
		if !strings.Contains(all, claim) {
			w.t.Errorf("%q of %s is gone", claim, w.live[claim])
		}
	}
	history := first.written("main")
	for _, claim := range w.purged {
		if strings.Contains(history, claim) {
			w.t.Errorf("%q was purged and is back", claim)
		}
	}
	want := w.list(first)
	for _, b := range w.team[1:] {
		if got := w.list(b); got != want {
			w.t.Errorf("%s lists\n%s\nand %s\n%s", b.dir, got, first.dir, want)
		}
	}
	first.git("fsck", "--strict")
}

// list is what the index of a clone has.
func (w *teamwork) list(b bench) string {
	r, err := b.List(w.t.Context(), memory.ListInput{All: true})
	if err != nil {
		w.t.Error(err)
	}
	var lines []string
	for _, f := range r.Facts {
		lines = append(lines, fmt.Sprint(f.Key, " ", f.State, " ", f.Claim))
	}
	return strings.Join(lines, "\n")
}
