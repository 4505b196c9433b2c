package memory_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"engram/gitstore"
	"engram/memory"
)

// pairSharing is a repository with a bare remote named origin, which has its main.
func pairSharing(t *testing.T) (dir, remote string) {
	t.Helper()
	dir, remote = newRepo(t), filepath.Join(t.TempDir(), "team.git")
	gitIn(t, dir, "init", "-q", "--bare", "-b", "main", remote)
	gitIn(t, dir, "remote", "add", "origin", remote)
	gitIn(t, dir, "push", "-q", "origin", "main")
	return dir, remote
}

// colleague clones the code, and no more of it than a hurried person does.
func colleague(t *testing.T, remote, name string) bench {
	t.Helper()
	dir := filepath.Join(t.TempDir(), strings.ToLower(name))
	gitIn(t, filepath.Dir(dir), "clone", "-q", "--single-branch", "file://"+remote, dir)
	return bench{nil, t, dir, newClock()}.as(name)
}

func (b bench) begin(in memory.BeginInput) memory.InitResult {
	b.t.Helper()
	r, err := b.Begin(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func removals(list []memory.Footprint) (commands []string) {
	for _, f := range list {
		if strings.HasPrefix(f.Remove, "git ") {
			commands = append(commands, f.Remove)
		}
	}
	return commands
}

func TestBeginAdoptsWhatWasNotFetched(t *testing.T) {
	dir, remote := pairSharing(t)
	ada := openMemory(t, dir)
	if r := ada.begin(memory.BeginInput{}); !r.Created || r.Remote != "origin" || r.Visibility != memory.Local {
		t.Errorf("begin = %+v", r)
	}
	ada.commit(memory.CommitInput{Claim: "Refunds take 5 days.", Key: "domain/pay/refunds"})
	gitIn(t, dir, "push", "-q", "origin", "engram")

	ben := colleague(t, remote, "Ben")
	config := gitIn(t, ben.dir, "config", "--list", "--local")
	r := ben.begin(memory.BeginInput{})
	if r.Created || r.Adopted != "origin/engram" || r.Revision != ada.tip() {
		t.Errorf("begin = %+v", r)
	}
	// Plain git brings later facts along.
	ada.commit(memory.CommitInput{Claim: "Holds last 7 days.", Key: "domain/pay/holds"})
	gitIn(t, dir, "push", "-q", "origin", "engram")
	gitIn(t, ben.dir, "fetch", "-q")
	if got := gitIn(t, ben.dir, "rev-parse", "origin/engram"); got != ada.tip() {
		t.Errorf("git fetch brought %s, want %s", got, ada.tip())
	}
	if again := ben.begin(memory.BeginInput{}); again.Created || len(removals(again.Footprint)) != 0 {
		t.Errorf("begin again = %+v", again)
	}
	// The footprint says how to be rid of what was set.
	commands := removals(r.Footprint)
	if len(commands) != 3 {
		t.Errorf("removals: %q", commands)
	}
	for _, command := range commands {
		args := strings.Fields(strings.ReplaceAll(command, "'", ""))
		gitIn(t, ben.dir, args[1:]...)
	}
	after := gitIn(t, ben.dir, "config", "--list", "--local")
	if after != config {
		t.Errorf("settings before:\n%s\nafter:\n%s", config, after)
	}
}

func TestBeginOffline(t *testing.T) {
	dir := newRepo(t)
	gitIn(t, dir, "remote", "add", "origin", filepath.Join(t.TempDir(), "gone.git"))
	m := openMemory(t, dir)
	r := m.begin(memory.BeginInput{})
	if !r.Created || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "could not find out") {
		t.Errorf("begin = %+v", r)
	}
	if _, err := openMemory(t, newRepo(t)).Begin(t.Context(), memory.BeginInput{Remote: filepath.Join(t.TempDir(), "gone.git")}); !errors.Is(err, gitstore.ErrUnreachable) {
		t.Errorf("begin with a remote that is not there: %v", err)
	}
}

func TestBeginWithARemoteForTheMemoryAlone(t *testing.T) {
	dir, _ := pairSharing(t)
	private := filepath.Join(t.TempDir(), "memory.git")
	gitIn(t, dir, "init", "-q", "--bare", private)
	m := openMemory(t, dir)
	r := m.begin(memory.BeginInput{Remote: private})
	if !r.Created || r.Remote != "engram" {
		t.Errorf("begin = %+v", r)
	}
	for key, want := range map[string]string{
		"remote.engram.url": private, "remote.engram.fetch": "+refs/heads/engram:refs/remotes/engram/engram", "branch.engram.remote": "engram",
	} {
		if got := gitIn(t, dir, "config", "--get-all", key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	// It may be that remote's first branch.
	invited, err := m.Invite(t.Context(), memory.InviteInput{})
	if err != nil || !invited.Pushed || invited.Remote != private {
		t.Fatalf("invite = %+v, %v", invited, err)
	}
	if got := gitIn(t, private, "rev-parse", "engram"); got != m.tip() {
		t.Errorf("the remote has %s, want %s", got, m.tip())
	}
	if _, err := m.Begin(t.Context(), memory.BeginInput{Remote: "nowhere"}); !errors.Is(err, gitstore.ErrNoRemote) {
		t.Errorf("a remote that does not exist: %v", err)
	}
	if _, err := m.Begin(t.Context(), memory.BeginInput{Remote: "ext::sh -c id"}); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("an address that runs a program: %v", err)
	}
}

func TestPrivacyIsAskedOnce(t *testing.T) {
	asked := 0
	ask := func() (memory.Privacy, error) {
		asked++
		return memory.Privacy{AnonymousMode: true}, nil
	}
	m := openMemory(t, newRepo(t))
	r := m.begin(memory.BeginInput{Ask: ask})
	if asked != 1 || !r.AnonymousMode || r.AnonAgents {
		t.Errorf("asked %d times; %+v", asked, r)
	}
	if got := gitIn(t, m.dir, "show", "engram:engram.yml"); !strings.HasSuffix(got, "format: 1\nanonymous_mode: true") {
		t.Errorf("engram.yml:\n%s", got)
	}
	r = m.begin(memory.BeginInput{Ask: ask, Privacy: &memory.Privacy{AnonAgents: true}})
	if asked != 1 || r.AnonAgents || len(r.Notes) != 1 {
		t.Errorf("asked %d times; %+v", asked, r)
	}
	other := openMemory(t, newRepo(t))
	if r := other.begin(memory.BeginInput{Ask: ask, Privacy: &memory.Privacy{AnonAgents: true}}); asked != 1 || !r.AnonAgents || r.AnonymousMode {
		t.Errorf("asked %d times; %+v", asked, r)
	}
}

// invitedTeam is a memory at a remote, with an invitation to it.
func invitedTeam(t *testing.T, in memory.InviteInput) (ada bench, remote string, invited memory.InviteResult) {
	t.Helper()
	dir, remote := pairSharing(t)
	ada = openMemory(t, dir)
	ada.begin(memory.BeginInput{})
	ada.commit(memory.CommitInput{Claim: "Refunds take 5 days.", Key: "domain/pay/refunds"})
	invited, err := ada.Invite(t.Context(), in)
	if err != nil || !invited.Pushed || !strings.HasPrefix(invited.Key, "engram1_") {
		t.Fatalf("invite = %+v, %v", invited, err)
	}
	return ada, remote, invited
}

func (b bench) join(key string) (memory.JoinResult, error) {
	b.t.Helper()
	k, err := memory.ParseInviteKey(key)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.Join(b.t.Context(), k)
}

func (b bench) invitations() []memory.Invitation {
	b.t.Helper()
	r, err := b.Invitations(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return r.Invitations
}

func TestInviteAndJoin(t *testing.T) {
	ada, remote, invited := invitedTeam(t, memory.InviteInput{Uses: 1})
	ben := colleague(t, remote, "Ben")
	r, err := ben.join(invited.Key)
	if err != nil || !r.Begun || r.Remote != "origin" || !r.Recorded || !r.Pushed || len(r.Notes) != 0 {
		t.Fatalf("join = %+v, %v", r, err)
	}
	if f := ben.get("domain/pay/refunds"); f.Claim != "Refunds take 5 days." {
		t.Errorf("%+v", f)
	}
	gitIn(t, ada.dir, "fetch", "-q", "origin", "engram:engram")
	list := ada.invitations()
	if len(list) != 1 || list[0].State != memory.InviteUsedUp || len(list[0].Joined) != 1 || list[0].Joined[0].Engineer != "Ben <ben@example.com>" {
		t.Errorf("invitations = %+v", list)
	}
	// Ben's second clone is Ben; Cleo is one too many.
	if r, err := colleague(t, remote, "Ben").join(invited.Key); err != nil || !r.Begun || !r.Recorded {
		t.Errorf("join again = %+v, %v", r, err)
	}
	cleo := colleague(t, remote, "Cleo")
	if _, err := cleo.join(invited.Key); !errors.Is(err, memory.ErrNotInvited) || !strings.Contains(err.Error(), "all of them have joined") {
		t.Errorf("join with a used invitation: %v", err)
	} else if code, hint := classified(err); code != memory.CodeRefused || hint == "" {
		t.Errorf("classified %s, %q", code, hint)
	}
	if refs := gitIn(t, cleo.dir, "for-each-ref", "refs/heads/engram"); refs != "" {
		t.Errorf("a refused join left %s", refs)
	}
	gitIn(t, ben.dir, "fsck", "--strict")
}

func TestInvitationsAreNoAnswers(t *testing.T) {
	ada, _, _ := invitedTeam(t, memory.InviteInput{})
	q, err := ada.Query(t.Context(), memory.QueryInput{Question: "invitation to this memory refunds"})
	if err != nil || len(q.Results) != 1 {
		t.Errorf("query = %+v, %v", q.Results, err)
	}
	if q, err := ada.Query(t.Context(), memory.QueryInput{Question: "invitation", KeyPrefix: "tool/engram-invite"}); err != nil || len(q.Results) != 1 {
		t.Errorf("query below the prefix = %+v, %v", q.Results, err)
	}
	if l, err := ada.List(t.Context(), memory.ListInput{}); err != nil || len(l.Facts) != 1 {
		t.Errorf("list = %+v, %v", l.Facts, err)
	}
	if s, err := ada.Status(t.Context(), memory.StatusInput{}); err != nil || s.Files != 1 {
		t.Errorf("status = %+v, %v", s, err)
	}
	if lint, err := ada.Lint(t.Context(), nil); err != nil || !lint.Canonical {
		t.Errorf("lint = %+v, %v", lint, err)
	}
}

func TestRevokedAndExpiredInvitations(t *testing.T) {
	ada, remote, first := invitedTeam(t, memory.InviteInput{Expires: "P30D"})
	second, err := ada.Invite(t.Context(), memory.InviteInput{Expires: "PT1H"})
	if err != nil || second.ID == first.ID {
		t.Fatalf("invite = %+v, %v", second, err)
	}
	r, err := ada.Revoke(t.Context(), first.ID[:4], "posted in the wrong channel")
	if err != nil || r.ID != first.ID || !r.Pushed {
		t.Fatalf("revoke = %+v, %v", r, err)
	}
	if _, err := ada.Revoke(t.Context(), first.ID, ""); !errors.Is(err, memory.ErrNoInvitation) {
		t.Errorf("revoke again: %v", err)
	}
	if _, err := colleague(t, remote, "Ben").join(first.Key); !errors.Is(err, memory.ErrNotInvited) || !strings.Contains(err.Error(), "revoked") {
		t.Errorf("join with a revoked invitation: %v", err)
	}
	cleo := colleague(t, remote, "Cleo")
	late := openAt(t, cleo.dir, time.Now().AddDate(50, 0, 0))
	if _, err := late.join(second.Key); !errors.Is(err, memory.ErrNotInvited) || !strings.Contains(err.Error(), "until") {
		t.Errorf("join with an expired invitation: %v", err)
	}
	ada.clock.add(2 * time.Hour)
	states := map[string]string{}
	for _, i := range ada.invitations() {
		states[i.ID] = i.State
	}
	if states[first.ID] != memory.InviteRevoked || states[second.ID] != memory.InviteExpired {
		t.Errorf("states = %v", states)
	}
}

// openAt opens a memory with a clock that stands.
func openAt(t *testing.T, dir string, now time.Time) bench {
	t.Helper()
	m, err := memory.Open(t.Context(), dir, markerScanner{}, &memory.Options{Now: func() time.Time { return now }, NewID: numbered})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return bench{m, t, dir, newClock()}
}

func TestJoinAddsARemote(t *testing.T) {
	dir, _ := pairSharing(t)
	private := filepath.Join(t.TempDir(), "memory.git")
	gitIn(t, dir, "init", "-q", "--bare", private)
	ada := openMemory(t, dir)
	ada.begin(memory.BeginInput{Remote: private})
	invited, err := ada.Invite(t.Context(), memory.InviteInput{})
	if err != nil {
		t.Fatal(err)
	}
	ben := bench{nil, t, newRepo(t), newClock()}.as("Ben")
	r, err := ben.join(invited.Key)
	if err != nil || r.Remote != "engram" || !r.Pushed || ben.tip() != gitIn(t, private, "rev-parse", "engram") {
		t.Errorf("join = %+v, %v", r, err)
	}
	if got := gitIn(t, ben.dir, "config", "--get-all", "remote.engram.fetch"); got != "+refs/heads/engram:refs/remotes/engram/engram" {
		t.Errorf("the refspec is %s", got)
	}
	// A remote that was made for an invitation that does not hold goes again.
	gone, err := ada.Invite(t.Context(), memory.InviteInput{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ada.Revoke(t.Context(), gone.ID, ""); err != nil {
		t.Fatal(err)
	}
	cleo := bench{nil, t, newRepo(t), newClock()}.as("Cleo")
	before := gitIn(t, cleo.dir, "config", "--list", "--local")
	if _, err := cleo.join(gone.Key); !errors.Is(err, memory.ErrNotInvited) {
		t.Errorf("join = %v", err)
	}
	if after := gitIn(t, cleo.dir, "config", "--list", "--local"); after != before {
		t.Errorf("settings before:\n%s\nafter:\n%s", before, after)
	}
}

func TestJoinMayBeReadOnly(t *testing.T) {
	ada, remote, invited := invitedTeam(t, memory.InviteInput{})
	hook := filepath.Join(remote, "hooks", "pre-receive")
	if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hook, []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	ben := colleague(t, remote, "Ben")
	r, err := ben.join(invited.Key)
	if err != nil || !r.Begun || r.Recorded || r.Pushed || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "not recorded") {
		t.Errorf("join = %+v, %v", r, err)
	}
	if ben.tip() != ada.tip() {
		t.Errorf("the clone is at %s, the remote at %s", ben.tip(), ada.tip())
	}
}

func TestJoinWithoutAName(t *testing.T) {
	dir, remote := pairSharing(t)
	ada := openMemory(t, dir)
	ada.begin(memory.BeginInput{Privacy: &memory.Privacy{AnonymousMode: true}})
	invited, err := ada.Invite(t.Context(), memory.InviteInput{})
	if err != nil {
		t.Fatal(err)
	}
	ben := colleague(t, remote, "Ben")
	if r, err := ben.join(invited.Key); err != nil || !r.Recorded {
		t.Fatalf("join = %+v, %v", r, err)
	}
	l, err := ben.List(t.Context(), memory.ListInput{Prefix: "tool/engram-invite"})
	if err != nil || len(l.Facts) != 2 || l.Facts[1].Claim != "Somebody joined." {
		t.Errorf("list = %+v, %v", l.Facts, err)
	}
}

func TestJoinWhereAMemoryStands(t *testing.T) {
	_, remote, invited := invitedTeam(t, memory.InviteInput{})
	ben := colleague(t, remote, "Ben")
	gitIn(t, ben.dir, "remote", "rename", "origin", "elsewhere")
	gitIn(t, ben.dir, "remote", "set-url", "elsewhere", filepath.Join(t.TempDir(), "gone"))
	ben.begin(memory.BeginInput{}) // he could not look, and began one of his own
	tip := ben.tip()
	r, err := ben.join(invited.Key)
	if err != nil || r.Begun || !r.Behind || r.Recorded || r.Remote != "engram" || ben.tip() != tip {
		t.Errorf("join = %+v, %v", r, err)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "engram sync") {
		t.Errorf("notes = %q", r.Notes)
	}
}

func TestInviteKeys(t *testing.T) {
	_, _, invited := invitedTeam(t, memory.InviteInput{Uses: 3})
	key := invited.Key
	k, err := memory.ParseInviteKey("  \"" + key[:20] + "\n " + key[20:] + "\"\r\n")
	if err != nil || k.Remote != invited.Remote || k.Branch != "engram" || k.Uses != 3 || !k.Expires.Equal(invited.Expires) || k.ID() != invited.ID || k.String() != key {
		t.Errorf("parsed %+v, %v", k, err)
	}
	swapped := []byte(key)
	swapped[len(swapped)/2] ^= 1
	for text, want := range map[string]string{
		"":                                     "begins with engram1_",
		"hello":                                "begins with engram1_",
		"engram2_abc":                          "a later one made it",
		"engram1_":                             "cut off",
		key[:len(key)-7]:                       "cut off",
		string(swapped):                        "cut off",
		key + "A":                              "cut off",
		"engram1_" + strings.Repeat("A", 5000): "longer",
	} {
		_, err := memory.ParseInviteKey(text)
		if !errors.Is(err, memory.ErrInviteKey) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
}

func TestInviteTellsNoSecret(t *testing.T) {
	dir, _ := pairSharing(t)
	ada := openMemory(t, dir)
	ada.begin(memory.BeginInput{})
	gitIn(t, dir, "remote", "set-url", "origin", "https://ada:hunter2@127.0.0.1:1/team.git?token=hunter2")
	r, err := ada.Invite(t.Context(), memory.InviteInput{})
	if err != nil || r.Pushed || len(r.Notes) == 0 || r.Remote != "https://127.0.0.1:1/team.git" {
		t.Fatalf("invite = %+v, %v", r, err)
	}
	if slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "hunter2") }) {
		t.Errorf("notes = %q", r.Notes)
	}
	gitIn(t, dir, "remote", "set-url", "origin", "https://127.0.0.1:1/"+marker+"/team.git")
	var secret *memory.SecretError
	if _, err := ada.Invite(t.Context(), memory.InviteInput{}); !errors.As(err, &secret) {
		t.Errorf("an address with a secret in its path: %v", err)
	}
	if _, err := newMemory(t).Invite(t.Context(), memory.InviteInput{}); !errors.Is(err, gitstore.ErrNoRemote) {
		t.Errorf("invite without a remote: %v", err)
	}
}

func FuzzParseInviteKey(f *testing.F) {
	f.Add("engram1_eyJyIjoiL3ggICJ9")
	f.Add("engram1_" + strings.Repeat("_", 40))
	f.Fuzz(func(t *testing.T, text string) {
		k, err := memory.ParseInviteKey(text)
		if err != nil {
			return
		}
		again, err := memory.ParseInviteKey(k.String())
		if err != nil || again.String() != k.String() {
			t.Errorf("%q is read as %+v, which is read as %+v, %v", text, k, again, err)
		}
	})
}
