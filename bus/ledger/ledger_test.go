package ledger_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"engram/bus"
	"engram/bus/ledger"
	"engram/facts"
)

const commit = "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"

// roleVariable makes the test binary play one process of a test.
const roleVariable = "ENGRAM_TEST_LEDGER"

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "puller": // pulls as often as it is let, and prints how often
		taken := 0
		for range 5 {
			l := ledger.New(os.Args[1], nil)
			place, err := l.Take(ctxBackground(), pull("coder", "repo:a.go@"+commit, 10, os.Args[2]))
			if err != nil && !errors.Is(err, bus.ErrRefused) {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			if err == nil {
				taken++
				_, err = l.Settle(ctxBackground(), place, 10)
			}
			if err != nil && !errors.Is(err, bus.ErrRefused) {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		fmt.Println(taken)
		os.Exit(0)
	case "taker": // takes a place and waits to be killed
		if _, err := ledger.New(os.Args[1], nil).Take(ctxBackground(), pull("coder", "repo:a.go@"+commit, 10, os.Args[2])); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println("taken")
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

func pull(agent, ref string, want int, token string) ledger.Pull {
	a, err := facts.ParseRef(ref)
	if err != nil {
		panic(err)
	}
	return ledger.Pull{Agent: agent, Ref: ref, Address: a, Want: want, Token: token}
}

// bench is a ledger with a clock.
type bench struct {
	*ledger.Ledger
	t   *testing.T
	dir string
	now time.Time
	ids int
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t, dir: filepath.Join(t.TempDir(), "bus"), now: time.Now().Truncate(time.Millisecond)}
	b.Ledger = ledger.New(b.dir, &ledger.Options{Now: func() time.Time { return b.now }})
	return b
}

func (b *bench) grant(change func(*bus.Grant)) bus.Grant {
	b.ids++
	g := bus.Grant{ID: fmt.Sprintf("01J%023d", b.ids), Parent: "lead", Child: "coder", Pointer: "repo:a.go@" + commit, Cap: 100, Uses: 2, Issued: b.now}
	if change != nil {
		change(&g)
	}
	return g
}

func (b *bench) issue(from string, change func(*bus.Grant)) (string, bus.Grant) {
	b.t.Helper()
	token, g, err := b.Issue(b.t.Context(), b.grant(change), from)
	if err != nil {
		b.t.Fatal(err)
	}
	return token, g
}

// pull pulls and pays, or says why not.
func (b *bench) pull(agent, ref string, tokens int, token string) error {
	place, err := b.Take(b.t.Context(), pull(agent, ref, tokens, token))
	if err == nil {
		_, err = b.Settle(b.t.Context(), place, place.Tokens)
	}
	return err
}

func (b *bench) refused(reason string, err error) {
	b.t.Helper()
	var refusal *bus.Refusal
	if !errors.As(err, &refusal) || refusal.Code != bus.DerefDenied || !strings.Contains(refusal.Reason, reason) || !strings.Contains(refusal.Resend, "DEREF_REQUESTS:") {
		b.t.Errorf("want a refusal with %q, got %v", reason, err)
	}
}

func (b *bench) file(name string) string { return filepath.Join(b.dir, name) }

// TestGrantIsRefused: every way in which a grant does not pay, each with its reason.
func TestGrantIsRefused(t *testing.T) {
	const ref = "repo:a.go#L1-L9@" + commit
	b := newBench(t)
	token, g := b.issue("", nil)
	b.refused("another agent", b.pull("tester", ref, 10, token))
	b.refused("covers only repo:a.go@"+commit, b.pull("coder", "repo:b.go@"+commit, 10, token))
	b.refused("the token was not signed here", b.pull("coder", ref, 10, token[:43]+"!"))
	b.refused("the token was not signed here", b.pull("coder", ref, 10, flip(token)))
	stranger := newBench(t)
	theirs, _ := stranger.issue("", func(g *bus.Grant) { g.ID = "01J0000000000000000000000Z" })
	b.refused("not issued here or no longer exists", b.pull("coder", ref, 10, theirs))
	same, _ := stranger.issue("", func(x *bus.Grant) { *x = g })
	b.refused("the token was not signed here", b.pull("coder", ref, 10, same))
	// Nothing of this used it.
	for range 2 {
		if err := b.pull("coder", ref, 10, token); err != nil {
			t.Fatal(err)
		}
	}
	b.refused("is used up: 2 of 2 uses", b.pull("coder", ref, 10, token))
	token, _ = b.issue("", func(g *bus.Grant) { g.Uses = 9 })
	place, err := b.Take(t.Context(), pull("coder", ref, 400, token))
	if err != nil || place.Tokens != 100 {
		t.Fatalf("%+v, %v: the cap is 100", place, err)
	}
	b.refused("100 of 100 of its cap", b.pull("coder", ref, 10, token))
	if _, err := b.Settle(t.Context(), place, 0); err != nil {
		t.Fatal(err)
	}
	if err := b.pull("coder", ref, 10, token); err != nil {
		t.Errorf("what failed costs something: %v", err)
	}
	b.now = b.now.Add(time.Hour)
	b.refused("expired at", b.pull("coder", ref, 10, token))
	token, _ = b.issue("", func(g *bus.Grant) { g.Purpose, g.Pointer = bus.ForCode, "" })
	b.refused("is for inline, not for deref", b.pull("coder", ref, 10, token))
	token, g = b.issue("", nil)
	if _, err := b.Revoke(t.Context(), g.ID, "lead"); err != nil {
		t.Fatal(err)
	}
	b.refused("was revoked at", b.pull("coder", ref, 10, token))
	if now, err := b.Turn("coder"); err != nil || now != (bus.Turn{}) {
		t.Errorf("the turn paid as well: %+v, %v", now, err)
	}
}

// flip changes the last character of a token.
func flip(token string) string {
	last := "A"
	if strings.HasSuffix(token, last) {
		last = "B"
	}
	return token[:len(token)-1] + last
}

// TestGrantPassedOn: what is passed on is gone from where it came, ends with it, and
// widens nothing.
func TestGrantPassedOn(t *testing.T) {
	const ref = "repo:a.go#L1@" + commit
	b := newBench(t)
	first, top := b.issue("", func(g *bus.Grant) { g.PassOn, g.Cap, g.Uses = true, 100, 5 })
	own := func(change func(*bus.Grant)) bus.Grant {
		return b.grant(func(g *bus.Grant) {
			g.Parent, g.Child, g.Cap, g.Uses, g.PassOn = "coder", "tester", 60, 2, true
			if change != nil {
				change(g)
			}
		})
	}
	for name, change := range map[string]func(*bus.Grant){
		"cap": func(g *bus.Grant) { g.Cap = 101 }, "uses": func(g *bus.Grant) { g.Uses = 6 },
		"end": func(g *bus.Grant) { g.Expires = b.now.Add(2 * time.Hour) }, "whose": func(g *bus.Grant) { g.Parent = "tester2" },
		"pointer": func(g *bus.Grant) { g.Pointer = "repo:b.go@" + commit }, "purpose": func(g *bus.Grant) { g.Purpose = bus.ForCode },
	} {
		var fault *bus.GrantError
		if _, _, err := b.Issue(t.Context(), own(change), first); !errors.As(err, &fault) {
			t.Errorf("widened by its %s: %v", name, err)
		}
	}
	second, middle, err := b.Issue(t.Context(), own(nil), first)
	if err != nil || middle.From != top.ID {
		t.Fatal(middle, err)
	}
	if _, _, err := b.Issue(t.Context(), own(nil), first); err == nil {
		t.Error("twice 60 of 100")
	}
	third, _, err := b.Issue(t.Context(), b.grant(func(g *bus.Grant) { g.Parent, g.Child, g.Cap, g.Uses, g.PassOn = "tester", "helper", 0, 0, false }), second)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Issue(t.Context(), b.grant(func(g *bus.Grant) { g.Parent, g.Child, g.Cap, g.Uses = "helper", "x", 1, 1 }), third); err == nil || !strings.Contains(err.Error(), "cannot be passed on") {
		t.Errorf("passed on although it may not be: %v", err)
	}
	list, err := b.Grants("helper")
	if err != nil || len(list) != 1 || list[0].Cap != 60 || list[0].Uses != 1 || !list[0].Expires.Equal(top.Expires) {
		t.Errorf("%+v, %v", list, err)
	}
	if err := b.pull("coder", ref, 50, first); err != nil { // what is left of it: 40
		t.Error(err)
	}
	b.refused("is used up", b.pull("coder", ref, 1, first))
	if _, err := b.Revoke(t.Context(), middle.ID, "helper"); !errors.Is(err, ledger.ErrNotTheirs) {
		t.Errorf("revoked by a stranger: %v", err)
	}
	if ended, err := b.Revoke(t.Context(), middle.ID, "lead"); err != nil || len(ended) != 2 {
		t.Errorf("%d ended, %v", len(ended), err)
	}
	b.refused("was revoked", b.pull("helper", ref, 1, third))
	if _, _, err := b.Issue(t.Context(), own(func(g *bus.Grant) { g.Parent, g.Child, g.Cap, g.Uses = "tester", "x", 1, 1 }), second); err == nil {
		t.Error("passed on after it was revoked")
	}
	if _, err := b.Revoke(t.Context(), "01J00000000000000000000ZZZ", ""); !errors.Is(err, ledger.ErrNoGrant) {
		t.Error(err)
	}
}

// TestProcessesUseAGrant: of eight processes that use a grant with five uses, five
// uses succeed.
func TestProcessesUseAGrant(t *testing.T) {
	b := newBench(t)
	token, g := b.issue("", func(g *bus.Grant) { g.Uses, g.Cap = 5, 1000 })
	taken := make([]int, 8)
	var wg sync.WaitGroup
	for i := range taken {
		wg.Go(func() {
			out, err := process(t, "puller", b.dir, token).Output()
			if _, scan := fmt.Sscan(string(out), &taken[i]); err != nil || scan != nil {
				t.Error(err, scan)
			}
		})
	}
	wg.Wait()
	sum := 0
	for _, n := range taken {
		sum += n
	}
	list, err := b.Grants("")
	if sum != 5 || err != nil || list[0].ID != g.ID || list[0].Used != 5 || list[0].Spent != 50 {
		t.Errorf("%v succeeded; %+v, %v", taken, list, err)
	}
}

func process(t *testing.T, role string, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	cmd.Stderr = os.Stderr
	return cmd
}

// TestKilledInBetween: a process that dies over an excerpt has used its place.
func TestKilledInBetween(t *testing.T) {
	b := newBench(t)
	token, _ := b.issue("", func(g *bus.Grant) { g.Uses, g.Cap = 2, 100 })
	for _, test := range []struct{ token, agent string }{{token, "coder"}, {"", "coder"}} {
		cmd := process(t, "taker", b.dir, test.token)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fscan(out, new(string)); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	list, err := b.Grants("")
	if err != nil || list[0].Used != 1 || list[0].Spent != 10 {
		t.Errorf("%+v, %v", list, err)
	}
	if now, err := b.Turn("coder"); err != nil || now != (bus.Turn{RepoSpans: 1, Tokens: 10}) {
		t.Errorf("%+v, %v", now, err)
	}
	if err := b.pull("coder", "repo:a.go@"+commit, 10, token); err != nil {
		t.Error(err)
	}
	b.refused("used up", b.pull("coder", "repo:a.go@"+commit, 10, token))
}

// TestDamaged: files that cannot be read forget budgets, and never open a grant.
func TestDamaged(t *testing.T) {
	const ref = "repo:a.go@" + commit
	for _, damage := range []string{"", "{", "null", "[]", "\x00\x00\x00", `{"x":{"used":-5}}`} {
		b := newBench(t)
		token, _ := b.issue("", func(g *bus.Grant) { g.Uses = 1 })
		if err := b.pull("coder", ref, 10, token); err != nil {
			t.Fatal(err)
		}
		if err := b.pull("coder", ref, 10, ""); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"grants.json", "turns.json", "counters.json"} {
			if err := os.WriteFile(b.file(name), []byte(damage), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		b.refused("not issued here or no longer exists", b.pull("coder", ref, 10, token))
		if now, err := b.Turn("coder"); err != nil || now != (bus.Turn{}) {
			t.Errorf("%q: %+v, %v", damage, now, err)
		}
		if token, _ := b.issue("", nil); b.pull("coder", ref, 10, token) != nil {
			t.Errorf("%q: nothing works any more", damage)
		}
		if err := b.Note(t.Context(), ledger.Event{Name: ledger.EngramQuery}); err != nil {
			t.Errorf("%q: %v", damage, err)
		}
	}
	// A key that is lost or cut off ends every grant.
	for _, key := range []string{"", "short"} {
		b := newBench(t)
		token, _ := b.issue("", nil)
		if err := os.WriteFile(b.file("key"), []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
		b.refused("the token was not signed here", b.pull("coder", ref, 10, token))
	}
}

func TestKey(t *testing.T) {
	b := newBench(t)
	b.issue("", nil)
	key, err := os.ReadFile(b.file("key"))
	if err != nil || len(key) != 32 {
		t.Fatal(len(key), err)
	}
	b.issue("", nil)
	if again, _ := os.ReadFile(b.file("key")); !bytes.Equal(key, again) {
		t.Error("another key")
	}
	if runtime.GOOS == "windows" {
		return // it does not say who can read a file
	}
	info, _ := os.Stat(b.file("key"))
	if info.Mode().Perm() != 0o600 {
		t.Errorf("others can read it: %v", info.Mode())
	}
	if err := os.Chmod(b.file("key"), 0o640); err != nil {
		t.Fatal(err)
	}
	var exposed *ledger.KeyError
	if _, _, err := b.Issue(t.Context(), b.grant(nil), ""); !errors.As(err, &exposed) {
		t.Errorf("a key that others can read: %v", err)
	}
}

// TestKeyIsMadeOnce: processes that begin at once agree on one key.
func TestKeyIsMadeOnce(t *testing.T) {
	b := newBench(t)
	tokens := make([]string, 8)
	grants := make([]bus.Grant, len(tokens))
	for i := range grants {
		grants[i] = b.grant(nil)
	}
	var wg sync.WaitGroup
	for i := range tokens {
		wg.Go(func() {
			var err error
			if tokens[i], _, err = ledger.New(b.dir, nil).Issue(t.Context(), grants[i], ""); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, token := range tokens {
		if err := b.pull("coder", "repo:a.go@"+commit, 10, token); err != nil {
			t.Error(err)
		}
	}
}

// TestTurns: what counts, what a turn ends by, and that a place is given back.
func TestTurns(t *testing.T) {
	const ref = "repo:a.go#L1@" + commit
	b := newBench(t)
	for range 3 {
		if err := b.pull("coder", ref, 10, ""); err != nil {
			t.Fatal(err)
		}
	}
	b.refused("this turn has used 3 of 3 excerpts for repo pointers", b.pull("coder", ref, 10, ""))
	if err := b.pull("coder", "sam:domain/a/b", 10, ""); err != nil {
		t.Error(err)
	}
	if err := b.pull("tester", ref, 10, ""); err != nil {
		t.Errorf("another agent's turn: %v", err)
	}
	if err := b.EndTurn(t.Context(), "coder"); err != nil {
		t.Fatal(err)
	}
	place, err := b.Take(t.Context(), pull("coder", ref, 5000, ""))
	if err != nil || !place.Began || place.Tokens != 1200 {
		t.Fatalf("%+v, %v", place, err)
	}
	b.refused("1200 of 1200 tokens", b.pull("coder", ref, 1, ""))
	if now, err := b.Settle(t.Context(), place, 0); err != nil || now != (bus.Turn{}) {
		t.Errorf("%+v, %v", now, err)
	}
	place, err = b.Take(t.Context(), pull("coder", ref, 400, ""))
	if err != nil || !place.Began {
		t.Fatalf("%+v, %v: what failed began no turn", place, err)
	}
	if now, err := b.Settle(t.Context(), place, 30); err != nil || now != (bus.Turn{RepoSpans: 1, Tokens: 30}) {
		t.Errorf("%+v, %v", now, err)
	}
	// A turn that ended while an excerpt was read is not the next one's business.
	place, _ = b.Take(t.Context(), pull("coder", ref, 400, ""))
	_ = b.EndTurn(t.Context(), "coder")
	_ = b.pull("coder", ref, 7, "")
	if now, err := b.Settle(t.Context(), place, 0); err != nil || now != (bus.Turn{RepoSpans: 1, Tokens: 7}) {
		t.Errorf("%+v, %v", now, err)
	}
	b.now = b.now.Add(ledger.DefaultTurnTime)
	if now, err := b.Turn("coder"); err != nil || now != (bus.Turn{}) {
		t.Errorf("after its time: %+v, %v", now, err)
	}
}

// TestTurnsAreBounded: where a thousand turns are kept, the one that began first makes
// room, and one that is going on is not forgotten sooner.
func TestTurnsAreBounded(t *testing.T) {
	const ref = "repo:a.go#L1@" + commit
	b := newBench(t)
	if err := b.EndTurn(t.Context(), "nobody"); err != nil { // makes the folder
		t.Fatal(err)
	}
	var file strings.Builder // in the file's form
	for i := range 1000 {
		fmt.Fprintf(&file, `,"agent%d":{"number":%d,"began":%q,"repo_spans":3,"tokens":7}`, i, i+1, b.now.Format(time.RFC3339))
	}
	if err := os.WriteFile(b.file("turns.json"), []byte(`{"last":1000,"agents":{`+file.String()[1:]+`}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.pull("one more", ref, 1, ""); err != nil {
		t.Fatal(err)
	}
	for agent, want := range map[string]int{"agent0": 0, "agent1": 3, "agent999": 3, "one more": 1} {
		if turn, err := b.Turn(agent); err != nil || turn.RepoSpans != want {
			t.Errorf("%s: %+v, %v, want %d spans", agent, turn, err, want)
		}
	}
	b.refused("this turn has used 3 of 3 excerpts", b.pull("agent1", ref, 1, ""))
	if err := b.pull("agent0", ref, 1, ""); err != nil {
		t.Errorf("the forgotten one begins anew: %v", err)
	}
}

// TestCode: grants for code are counted in characters, and used up together.
func TestCode(t *testing.T) {
	b := newBench(t)
	code := func(g *bus.Grant) { g.Purpose, g.Pointer, g.Cap, g.Uses = bus.ForCode, "", 100, 2 }
	one, _ := b.issue("", code)
	two, _ := b.issue("", code)
	tokens := []string{one, two, one}
	if chars, err := b.CodeAllowance(t.Context(), "coder", tokens); err != nil || chars != 200 {
		t.Errorf("%d, %v", chars, err)
	}
	if _, err := b.CodeAllowance(t.Context(), "tester", tokens); !errors.Is(err, bus.ErrRefused) {
		t.Error(err)
	}
	if _, err := b.TakeCode(t.Context(), "coder", tokens, 201); !errors.Is(err, bus.ErrRefused) {
		t.Error(err)
	}
	if place, err := b.TakeCode(t.Context(), "coder", tokens, 0); err != nil || b.GiveBackCode(t.Context(), place) != nil {
		t.Error(err)
	}
	before, _ := b.Grants("")
	place, err := b.TakeCode(t.Context(), "coder", tokens, 150)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.GiveBackCode(t.Context(), place); err != nil {
		t.Error(err)
	}
	if after, _ := b.Grants(""); !slices.Equal(before, after) {
		t.Errorf("given back: %+v\nbefore: %+v", after, before)
	}
	if err := b.GiveBackCode(t.Context(), place); err == nil {
		t.Error("the same place was given back twice")
	}
	if _, err := b.TakeCode(t.Context(), "coder", tokens, 150); err != nil {
		t.Error(err)
	}
	if _, err := b.CodeAllowance(t.Context(), "coder", tokens); !errors.Is(err, bus.ErrRefused) {
		t.Errorf("one of them is used up: %v", err)
	}
	if chars, err := b.CodeAllowance(t.Context(), "coder", []string{two}); err != nil || chars != 50 {
		t.Errorf("%d, %v", chars, err)
	}
}

// TestPrune: what ended is forgotten, and never what is open.
func TestPrune(t *testing.T) {
	b := newBench(t)
	old, _ := b.issue("", nil)
	b.now = b.now.Add(8 * 24 * time.Hour)
	token, _ := b.issue("", nil)
	if list, _ := b.Grants(""); len(list) != 1 {
		t.Errorf("%d grants", len(list))
	}
	b.refused("no longer exists", b.pull("coder", "repo:a.go@"+commit, 1, old))
	var book strings.Builder // as many as can be, all open, in the file's form
	for i := range ledger.MaxGrants {
		fmt.Fprintf(&book, `,"01K%023d":{"id":"01K%023d","child":"x","uses":1,"cap":1,"expires":%q}`, i, i, b.now.Add(time.Hour).Format(time.RFC3339))
	}
	if err := os.WriteFile(b.file("grants.json"), []byte("{"+book.String()[1:]+"}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Issue(t.Context(), b.grant(nil), ""); !errors.Is(err, ledger.ErrManyGrants) {
		t.Errorf("above what can be kept: %v", err)
	}
	if _, err := b.Revoke(t.Context(), fmt.Sprintf("01K%023d", 7), ""); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Issue(t.Context(), b.grant(nil), ""); err != nil {
		t.Errorf("one had ended: %v", err)
	}
	if list, _ := b.Grants(""); len(list) != ledger.MaxGrants {
		t.Errorf("%d grants", len(list))
	}
	_ = token
}

// TestDerivedGrantsAreBounded: what children pass on is bounded for each grant, and keeps
// no parent from granting.
func TestDerivedGrantsAreBounded(t *testing.T) {
	b := newBench(t)
	wide := func(g *bus.Grant) { g.PassOn, g.Cap, g.Uses = true, 10_000, 1_000 }
	from, _ := b.issue("", wide)
	next, _ := b.issue(from, func(g *bus.Grant) { g.Parent, g.Child, g.PassOn, g.Cap, g.Uses = "coder", "helper", true, 500, 100 })
	for i := range ledger.MaxDerived - 1 {
		token, parent := from, "coder"
		if i%2 == 0 {
			token, parent = next, "helper"
		}
		b.issue(token, func(g *bus.Grant) { g.Parent, g.Child, g.Cap, g.Uses = parent, fmt.Sprint("x", i), 1, 1 })
	}
	for token, parent := range map[string]string{from: "coder", next: "helper"} {
		_, _, err := b.Issue(t.Context(), b.grant(func(g *bus.Grant) { g.Parent, g.Child, g.Cap, g.Uses = parent, "one more", 1, 1 }), token)
		if !errors.Is(err, ledger.ErrManyDerived) {
			t.Errorf("one more of %s: %v", parent, err)
		}
	}
	if list, err := b.Grants(""); err != nil || len(list) != ledger.MaxDerived+1 {
		t.Fatalf("%d grants, %v", len(list), err)
	}
	var book strings.Builder // of as many roots as leave room for one, each with others
	for i := range ledger.MaxGrants - 1 {
		for n := range 3 {
			fmt.Fprintf(&book, `,"01K%d%022d":{"id":"01K%d%022d","child":"x","uses":1,"cap":1,"expires":%q`, n, i, n, i, b.now.Add(time.Hour).Format(time.RFC3339))
			if n > 0 {
				fmt.Fprintf(&book, `,"from":"01K0%022d"`, i)
			}
			book.WriteString("}")
		}
	}
	if err := os.WriteFile(b.file("grants.json"), []byte("{"+book.String()[1:]+"}"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.issue("", nil)
	if _, _, err := b.Issue(t.Context(), b.grant(nil), ""); !errors.Is(err, ledger.ErrManyGrants) {
		t.Errorf("above the bound: %v", err)
	}
}

// TestClockSetBack: a grant that was seen to have expired stays so; one that is issued
// afterwards is good.
func TestClockSetBack(t *testing.T) {
	b := newBench(t)
	token, _ := b.issue("", nil)
	code, _ := b.issue("", func(g *bus.Grant) { g.Purpose, g.Pointer = bus.ForCode, "" })
	begin := b.now
	b.now = begin.Add(2 * time.Hour)
	b.refused("expired", b.pull("coder", "repo:a.go@"+commit, 1, token))
	b.now = begin
	b.refused("expired", b.pull("coder", "repo:a.go@"+commit, 1, token))
	if _, err := b.CodeAllowance(t.Context(), "coder", []string{code}); err == nil {
		t.Error("a grant for code is open again")
	}
	again, _ := b.issue("", nil)
	if err := b.pull("coder", "repo:a.go@"+commit, 1, again); err != nil {
		t.Error(err)
	}
}
