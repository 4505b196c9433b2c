package memory_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"engram/bus"
	"engram/bus/ledger"
	"engram/memory"
)

// busBench is a memory whose repository has four files of code, a document and a fact.
type busBench struct {
	bench
	head string
}

func newBus(t testing.TB, options memory.BusOptions) busBench {
	t.Helper()
	dir := newRepo(t)
	for name, text := range map[string]string{
		"a/one.go": sourceOf("one"), "a/two.go": sourceOf("two"), "a/three.go": sourceOf("three"), "b/four.go": sourceOf("four"),
		"spec.md": "# Rules\n\nOnce only.\n\n# Limits\n\nThree of them.\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-q", "-m", "code")
	c := newClock()
	m, err := memory.Open(t.Context(), dir, markerScanner{}, &memory.Options{Now: c.Now, NewID: numbered, Bus: options, EvidenceTime: patience(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	b := busBench{bench{m, t, dir, c}, gitIn(t, dir, "rev-parse", "HEAD")}
	if _, err := b.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

func sourceOf(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n", name)
	for i := range 40 {
		fmt.Fprintf(&b, "func %s%d() int { return %d }\n", name, i, i)
	}
	return b.String()
}

func (b busBench) ref(path string) string { return path + "@" + b.head }

func (b busBench) deref(agent, ref, token string, most int) (memory.DerefResult, error) {
	return b.Deref(b.t.Context(), memory.DerefInput{Ref: ref, Agent: agent, BudgetToken: token, MaxTokens: most, Strict: true})
}

func (b busBench) pulled(agent, ref, token string) memory.DerefResult {
	b.t.Helper()
	r, err := b.deref(agent, ref, token, 100)
	if err != nil {
		b.t.Fatalf("%s pulls %s: %v", agent, ref, err)
	}
	return r
}

func (b busBench) denied(reason string, err error) *memory.Refusal {
	b.t.Helper()
	var refusal *memory.Refusal
	if !errors.As(err, &refusal) || refusal.Code != bus.DerefDenied || !strings.Contains(refusal.Reason, reason) {
		b.t.Fatalf("want DEREF_DENIED with %q, got %v", reason, err)
	}
	if got, hint := classified(err); got != memory.CodeRefused || !strings.Contains(hint, "DEREF_REQUESTS:") {
		b.t.Errorf("code %s, hint %q", got, hint)
	}
	return refusal
}

func (b busBench) grant(in memory.GrantInput) memory.GrantResult {
	b.t.Helper()
	r, err := b.IssueGrant(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// TestMatrixFourthRepoDerefIsDenied is seed 1 §11.1: the fourth repo dereference of a
// turn is denied without a grant, and not with one.
func TestMatrixFourthRepoDerefIsDenied(t *testing.T) {
	b := newBus(t, memory.BusOptions{})
	for i, path := range []string{"repo:a/one.go#L1-L2", "repo:a/two.go#L1-L2", "repo:a/three.go#L1-L2"} {
		if r := b.pulled("coder", b.ref(path), ""); r.Turn == nil || r.Turn.RepoSpans != i+1 || r.GrantID != "" {
			t.Errorf("%+v", r.Turn)
		}
	}
	fourth := b.ref("repo:b/four.go#L1-L9")
	_, err := b.deref("coder", fourth, "", 100)
	refusal := b.denied("this turn has used 3 of 3 excerpts for repo pointers", err)
	if refusal.Name != "max_repo_spans" || refusal.Limit != 3 || refusal.Amount != 4 || !strings.Contains(refusal.Resend, fourth) {
		t.Errorf("%+v", refusal)
	}
	g := b.grant(memory.GrantInput{Child: "coder", Pointer: fourth})
	if r := b.pulled("coder", fourth, g.BudgetToken); r.GrantID != g.Grant.ID || r.Turn.RepoSpans != 3 {
		t.Errorf("%s paid; %+v", r.GrantID, r.Turn)
	}
	_, err = b.deref("coder", fourth, g.BudgetToken, 100)
	b.denied("is used up: 1 of 1 uses", err)
	turn, err := b.Turn(t.Context(), "coder")
	if err != nil || turn.Used.RepoSpans != 3 || turn.Left.RepoSpans != 0 || turn.Left.SAMItems != 2 || turn.Left.Tokens != turn.Limits.Tokens-turn.Used.Tokens || turn.Ends == nil {
		t.Errorf("%+v, %v", turn, err)
	}
	if turn, err = b.Turn(t.Context(), "tester"); err != nil || turn.Used != (memory.Turn{}) || turn.Left != turn.Limits || turn.Ends != nil {
		t.Errorf("no turn: %+v, %v", turn, err)
	}
	// Other classes have their own limits, and people none.
	b.pulled("coder", b.ref("artifact:spec.md#sec=Rules"), "")
	for range 5 {
		if r := b.pulled("", fourth, ""); r.Turn != nil {
			t.Error("a person has a turn")
		}
	}
	b.pulled("tester", fourth, "")
}

// TestTurnTokens: of the last excerpt there is as much as the turn has room for; what
// fails before a content is reached costs nothing; a turn ends by time.
func TestTurnTokens(t *testing.T) {
	b := newBus(t, memory.BusOptions{Limits: memory.Limits{Deref: bus.Deref{Tokens: 150}}, TurnTime: time.Hour})
	for _, ref := range []string{b.ref("repo:no/such.go"), "repo:a/one.go@0123456789"} {
		if _, err := b.deref("coder", ref, "", 100); err == nil || errors.Is(err, bus.ErrRefused) {
			t.Errorf("%s: %v", ref, err)
		}
	}
	r, err := b.deref("coder", b.ref("repo:a/one.go"), "", 100)
	if err != nil || r.Turn.RepoSpans != 1 || r.Tokens > 100 || !r.Truncated {
		t.Fatalf("%+v, %v", r, err)
	}
	r, err = b.deref("coder", b.ref("repo:a/two.go"), "", 1000)
	if err != nil || r.Turn.Tokens > 150 || r.Turn.RepoSpans != 2 {
		t.Fatalf("%+v, %v", r.Turn, err)
	}
	b.clock.add(time.Hour)
	if r := b.pulled("coder", b.ref("repo:a/two.go#L1"), ""); r.Turn.RepoSpans != 1 {
		t.Errorf("%+v", r.Turn)
	}
}

// TestProbingCosts: what fails at a content costs an item, of the turn or of a grant,
// and no tokens.
func TestProbingCosts(t *testing.T) {
	b := newBus(t, memory.BusOptions{})
	at := b.code(map[string]string{"picture": "\x89PNG\x00\x01", "empty": "", "a_test.go": "package a\n"})
	for i, c := range []struct {
		ref  string
		most int
		used memory.Turn
	}{
		{"repo:none@" + at, 100, memory.Turn{}}, {"repo:a/one.go@0123456789", 100, memory.Turn{}}, {"sam:domain/no/fact", 100, memory.Turn{}},
		{"artifact:spec.md#sec=None@" + at, 100, memory.Turn{ArtifactSections: 1}}, {"test:a_test.go#name=TestNone@" + at, 100, memory.Turn{RepoSpans: 1}},
		{"repo:a/one.go#L900@" + at, 100, memory.Turn{RepoSpans: 1}}, {"repo:picture@" + at, 100, memory.Turn{RepoSpans: 1}},
		{"repo:empty@" + at, 100, memory.Turn{RepoSpans: 1}}, {"repo:a/one.go#L2@" + at, 1, memory.Turn{RepoSpans: 1}},
	} {
		agent := fmt.Sprintf("coder%d", i)
		r, err := b.deref(agent, c.ref, "", c.most)
		if errors.Is(err, bus.ErrRefused) || err == nil && r.Tokens > 0 {
			t.Errorf("%s: %d tokens, %v", c.ref, r.Tokens, err)
		}
		if turn, err := b.Turn(t.Context(), agent); err != nil || turn.Used != c.used {
			t.Errorf("%s costs %+v, %v", c.ref, turn.Used, err)
		}
	}
	g := b.grant(memory.GrantInput{Child: "coder", Pointer: "repo:picture@" + at})
	if _, err := b.deref("coder", "repo:picture@"+at, g.BudgetToken, 100); !errors.Is(err, memory.ErrUsage) {
		t.Error(err)
	}
	_, err := b.deref("coder", "repo:picture@"+at, g.BudgetToken, 100)
	b.denied("is used up: 1 of 1 uses and 0 of 500", err)
}

// TestGrantIsNotForOthers: forged, expired, replayed, another's, revoked, another
// pointer: each is denied, with its reason.
func TestGrantIsNotForOthers(t *testing.T) {
	b := newBus(t, memory.BusOptions{Parents: []string{"lead"}})
	ref := b.ref("repo:a/one.go#L1-L9")
	g := b.grant(memory.GrantInput{Parent: "lead", Child: "coder", Pointer: ref, Uses: 2})
	pull := func(agent, ref, token string) error {
		_, err := b.deref(agent, ref, token, 50)
		return err
	}
	b.denied("another agent", pull("tester", ref, g.BudgetToken))
	b.denied("the token was not signed here", pull("coder", ref, "eg1."+strings.Repeat("A", 39)+"!"))
	b.denied("no longer exists", pull("coder", ref, "eg1."+strings.Repeat("A", 40)))
	b.denied("covers only", pull("coder", b.ref("repo:a/one.go#L9-L10"), g.BudgetToken))
	b.denied("covers only", pull("coder", b.ref("repo:b/four.go#L1"), g.BudgetToken))
	if err := pull("coder", b.ref("repo:a/one.go#L3"), g.BudgetToken); err != nil {
		t.Errorf("a line of those: %v", err)
	}
	if _, err := b.RevokeGrant(t.Context(), g.Grant.ID, "coder"); !errors.Is(err, ledger.ErrNotTheirs) {
		t.Errorf("the child revokes it: %v", err)
	}
	list, err := b.RevokeGrant(t.Context(), g.Grant.ID, "lead")
	if err != nil || len(list.Grants) != 1 || list.Grants[0].State != "revoked" || list.Grants[0].UsesLeft != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	b.denied("was revoked", pull("coder", ref, g.BudgetToken))
	g = b.grant(memory.GrantInput{Child: "coder", Pointer: ref, Lifetime: time.Minute})
	b.clock.add(time.Minute)
	b.denied("expired", pull("coder", ref, g.BudgetToken))
	g = b.grant(memory.GrantInput{Child: "coder", Pointer: "", Purpose: "inline"})
	b.denied("is for inline", pull("coder", ref, g.BudgetToken))
	if list, err := b.Grants(t.Context(), "coder"); err != nil || len(list.Grants) != 3 || list.Grants[0].ID != g.Grant.ID {
		t.Errorf("%+v, %v", list, err)
	}
	// A folder, and nothing that only begins like it.
	g = b.grant(memory.GrantInput{Child: "coder", Pointer: "repo:a/", Prefix: true, Uses: 9, Cap: 900})
	if err := pull("coder", b.ref("repo:a/two.go#L1-L3"), g.BudgetToken); err != nil {
		t.Error(err)
	}
	b.denied("covers only", pull("coder", b.ref("repo:b/four.go#L1"), g.BudgetToken))
}

// TestTokenWithoutAName: a token that is shown without a name is charged, and reads as
// the child that its grant is for.
func TestTokenWithoutAName(t *testing.T) {
	b := newBus(t, memory.BusOptions{})
	ref := b.ref("repo:a/one.go#L1-L2")
	g := b.grant(memory.GrantInput{Child: "coder", Pointer: ref})
	_, err := b.deref("", b.ref("repo:b/four.go#L1"), g.BudgetToken, 100)
	b.denied("covers only", err)
	if r := b.pulled("", ref, g.BudgetToken); r.GrantID != g.Grant.ID || r.Turn == nil {
		t.Errorf("%q paid; %+v", r.GrantID, r.Turn)
	}
	_, err = b.deref("", ref, g.BudgetToken, 100)
	b.denied("is used up: 1 of 1 uses", err)
	_, err = b.deref("", ref, "eg1."+strings.Repeat("A", 40), 100)
	b.denied("no longer exists", err)
	_, err = b.deref("", ref, "eg1.forged", 100)
	b.denied("the token was not signed here", err)

	b.place("engram.yml", "format: 1\npermissions:\n  - {agent: eve, scope: auth, read: false}\n")
	b.commit(memory.CommitInput{Claim: "Sessions live 30 minutes.", Key: "domain/auth/session", Scope: "auth"})
	g = b.grant(memory.GrantInput{Child: "eve", Pointer: "sam:domain/auth/session"})
	var refused *memory.PermissionError
	if _, err := b.deref("", "sam:domain/auth/session", g.BudgetToken, 100); !errors.As(err, &refused) {
		t.Errorf("eve reads it by leaving her name away: %v", err)
	}
}

// TestGrantOutlivesACommit: what the child writes without a commit is what the grant is
// for, also after the next commit.
func TestGrantOutlivesACommit(t *testing.T) {
	b := newBus(t, memory.BusOptions{})
	lines := b.grant(memory.GrantInput{Child: "coder", Pointer: "a/one.go:1-2", Uses: 9})
	folder := b.grant(memory.GrantInput{Child: "coder", Pointer: b.ref("repo:a/"), Prefix: true, Uses: 9})
	everywhen := b.grant(memory.GrantInput{Child: "coder", Pointer: "repo:a/", Prefix: true, Uses: 9})
	if r, err := b.Deref(t.Context(), memory.DerefInput{Ref: "a/one.go:1", BudgetToken: lines.BudgetToken}); err != nil || len(r.Notes) > 0 {
		t.Errorf("before: %v, %v", r.Notes, err)
	}
	old := b.head
	now := b.code(map[string]string{"a/one.go": "package other\n", "a/new.go": "package other\n"})
	for name, c := range map[string]struct{ ref, token, commit string }{
		"short":     {"a/one.go:1-2", lines.BudgetToken, old},
		"reference": {"repo:a/one.go#L2", lines.BudgetToken, old},
		"folder":    {"a/one.go:1", folder.BudgetToken, old},
		"any":       {"a/one.go:1", everywhen.BudgetToken, now},
		"no token":  {"a/one.go:1", "", now},
	} {
		r, err := b.Deref(t.Context(), memory.DerefInput{Ref: c.ref, Agent: "coder", BudgetToken: c.token})
		if err != nil || !strings.HasSuffix(r.Pointer.Ref, "@"+c.commit) || (len(r.Notes) > 0) != (c.commit == old) {
			t.Errorf("%s: %s, %v, %v", name, r.Pointer.Ref, r.Notes, err)
		}
	}
	for name, in := range map[string]memory.DerefInput{
		"another file":  {Ref: "b/four.go:1", Agent: "coder", BudgetToken: lines.BudgetToken},
		"another type":  {Ref: "artifact:a/one.go", Agent: "coder", BudgetToken: lines.BudgetToken},
		"another agent": {Ref: "a/one.go:1", Agent: "tester", BudgetToken: lines.BudgetToken},
		"more lines":    {Ref: "a/one.go:1-3", Agent: "coder", BudgetToken: lines.BudgetToken},
	} {
		if _, err := b.Deref(t.Context(), in); !errors.Is(err, bus.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := b.deref("coder", "repo:a/one.go#L1", lines.BudgetToken, 100); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("between agents, a pointer names its commit: %v", err)
	}
}

// TestWhatCutAnExcerpt: who reads is told whether more can be asked for.
func TestWhatCutAnExcerpt(t *testing.T) {
	b := newBus(t, memory.BusOptions{Limits: memory.Limits{Deref: bus.Deref{Tokens: 150}}})
	ref := b.ref("repo:a/one.go")
	g := b.grant(memory.GrantInput{Child: "coder", Pointer: ref, Cap: 60})
	for _, c := range []struct {
		agent, ref, token string
		most              int
		want              string
	}{
		{"", ref, "", 40, "max_tokens"}, {"", ref, "", 4000, ""}, {"coder", ref, g.BudgetToken, 400, "grant"},
		{"coder", ref, "", 40, "max_tokens"}, {"coder", b.ref("repo:a/one.go#L1"), "", 400, ""}, {"coder", ref, "", 400, "turn"},
	} {
		r, err := b.deref(c.agent, c.ref, c.token, c.most)
		if err != nil || r.LimitedBy != c.want || r.Truncated != (c.want != "") {
			t.Fatalf("%+v: by %q, cut %v, %v", c, r.LimitedBy, r.Truncated, err)
		}
		if c.want == "turn" && r.LimitLeft != 150-r.Turn.Tokens || c.want == "grant" && r.LimitLeft != 60-r.Tokens {
			t.Errorf("%+v: %d tokens left; %+v", c, r.LimitLeft, r)
		}
	}
	g = b.grant(memory.GrantInput{Child: "coder", Pointer: ref, Cap: 1})
	_, err := b.deref("coder", ref, g.BudgetToken, 400)
	if _, hint := classified(err); !errors.Is(err, memory.ErrUsage) || hint != "tokens left of the grant: 1; ask the parent for a grant" {
		t.Errorf("%v (%s)", err, hint)
	}
}

// TestWhoIssuesGrants: parents and people, and children out of what they may pass on.
func TestWhoIssuesGrants(t *testing.T) {
	b := newBus(t, memory.BusOptions{Parents: []string{"lead"}})
	ctx := t.Context()
	ref := b.ref("repo:a/one.go")
	var lead *memory.LeadError
	_, err := b.IssueGrant(ctx, memory.GrantInput{Parent: "coder", Child: "tester", Pointer: ref})
	if code, hint := classified(err); !errors.As(err, &lead) || code != memory.CodeRefused || hint == "" {
		t.Errorf("by no parent: %v", err)
	}
	for name, in := range map[string]memory.GrantInput{
		"no child":   {Pointer: ref},
		"itself":     {Parent: "lead", Child: "lead", Pointer: ref},
		"no pointer": {Child: "coder"},
		"no form":    {Child: "coder", Pointer: "repo:../x"},
		"a page":     {Child: "coder", Pointer: "url:https://example.org"},
		"cap":        {Child: "coder", Pointer: ref, Cap: -1},
		"uses":       {Child: "coder", Pointer: ref, Uses: 5000},
		"a year":     {Child: "coder", Pointer: ref, Lifetime: 365 * 24 * time.Hour},
		"the past":   {Child: "coder", Pointer: ref, Lifetime: -time.Hour},
		"purpose":    {Child: "coder", Pointer: ref, Purpose: "everything"},
		"no commit":  {Parent: "lead", Child: "coder", Pointer: "repo:a/one.go", Strict: true},
		"nobody's":   {Child: "coder", Pointer: ref, From: "eg1.x"},
	} {
		if _, err := b.IssueGrant(ctx, in); !errors.Is(err, memory.ErrUsage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = b.IssueGrant(ctx, memory.GrantInput{Parent: "lead", Child: "coder", Pointer: "repo:a/one.go#L1-L2", Strict: true})
	if _, hint := classified(err); !strings.Contains(hint, b.ref("repo:a/one.go#L1-L2")) {
		t.Errorf("hint %q", hint)
	}
	if r := b.grant(memory.GrantInput{Child: "coder", Pointer: "a/one.go:1-2"}); r.Grant.Pointer != b.ref("repo:a/one.go#L1-L2") || r.Grant.Cap != 500 || r.Grant.Uses != 1 {
		t.Errorf("%+v", r.Grant)
	}
	first := b.grant(memory.GrantInput{Parent: "lead", Child: "coder", Pointer: ref, PassOn: true, Uses: 4, Cap: 400})
	narrow := memory.GrantInput{Parent: "coder", Child: "tester", Pointer: b.ref("repo:a/one.go#L1-L9"), From: first.BudgetToken, Uses: 2, Cap: 100}
	second := b.grant(narrow)
	if second.Grant.From != first.Grant.ID {
		t.Errorf("%+v", second.Grant)
	}
	b.pulled("tester", b.ref("repo:a/one.go#L2"), second.BudgetToken)
	for name, change := range map[string]func(*memory.GrantInput){
		"cap": func(in *memory.GrantInput) { in.Cap = 301 }, "pointer": func(in *memory.GrantInput) { in.Pointer = b.ref("repo:a/two.go") },
		"end": func(in *memory.GrantInput) { in.Lifetime = 2 * time.Hour }, "by another": func(in *memory.GrantInput) { in.Parent = "lead" },
	} {
		in := narrow
		change(&in)
		if _, err := b.IssueGrant(ctx, in); !errors.Is(err, memory.ErrUsage) {
			t.Errorf("widened by its %s: %v", name, err)
		}
	}
	in := narrow
	in.From = "eg1." + strings.Repeat("A", 40)
	if _, err := b.IssueGrant(ctx, in); !errors.Is(err, bus.ErrUnknownGrant) {
		t.Error(err)
	}
	if list, err := b.RevokeGrant(ctx, first.Grant.ID, ""); err != nil || len(list.Grants) != 2 {
		t.Errorf("%+v, %v", list, err)
	}
	_, err = b.deref("tester", b.ref("repo:a/one.go#L2"), second.BudgetToken, 50)
	b.denied("was revoked", err)
}

// TestReachIsAParentsToGive: where parents are named, other agents state nothing of
// reach org or global, and change nothing of it.
func TestReachIsAParentsToGive(t *testing.T) {
	b := newBus(t, memory.BusOptions{Parents: []string{"lead"}})
	commit := func(agent, reach, key string) error {
		_, err := b.Commit(t.Context(), memory.CommitInput{Claim: "Of " + agent + " at " + key + " for " + reach + ".", Agent: agent, Reach: reach, Key: key})
		return err
	}
	for _, test := range []struct {
		agent, reach string
		may          bool
	}{{"coder", "org", false}, {"coder", "global", false}, {"coder", "project", true}, {"coder", "run", true}, {"coder", "", true}, {"lead", "org", true}, {"", "global", true}} {
		err := commit(test.agent, test.reach, "domain/reach/"+test.agent+test.reach+"x")
		var lead *memory.LeadError
		if test.may != (err == nil) || !test.may && !errors.As(err, &lead) {
			t.Errorf("%+v: %v", test, err)
		}
	}
	if err := commit("coder", "", "domain/reach/leadorgx"); err == nil {
		t.Error("an agent changes what reaches the organization")
	}
	free := newBus(t, memory.BusOptions{})
	if _, err := free.Commit(t.Context(), memory.CommitInput{Claim: "It rains.", Agent: "coder", Reach: "org"}); err != nil {
		t.Errorf("where nobody named parents: %v", err)
	}
}

// TestGrantsNeverGiveMore: whatever is granted, passed on and pulled, in whatever
// order, nobody gets more tokens, uses or other pointers than the first grant allowed.
func TestGrantsNeverGiveMore(t *testing.T) {
	b := newBus(t, memory.BusOptions{})
	refs := []string{b.ref("repo:a/one.go#L1-L9"), b.ref("repo:a/one.go"), b.ref("repo:a/two.go#L2-L4"), b.ref("repo:b/four.go#L1")}
	agents := []string{"w", "x", "y"}
	rapid.Check(t, func(rt *rapid.T) {
		folder := memory.GrantInput{Child: "w", Pointer: "repo:a/", Prefix: true, PassOn: true, Uses: rapid.IntRange(1, 5).Draw(rt, "uses"), Cap: rapid.IntRange(20, 400).Draw(rt, "cap")}
		first := b.grant(folder)
		type held struct{ agent, token string }
		tokens := []held{{"w", first.BudgetToken}}
		uses, sum := 0, 0
		for range rapid.IntRange(1, 10).Draw(rt, "steps") {
			h := rapid.SampledFrom(tokens).Draw(rt, "token")
			agent := rapid.SampledFrom(agents).Draw(rt, "agent")
			ref := rapid.SampledFrom(refs).Draw(rt, "ref")
			if rapid.Bool().Draw(rt, "pass on") {
				r, err := b.IssueGrant(t.Context(), memory.GrantInput{Parent: h.agent, Child: agent, Pointer: ref, From: h.token, PassOn: rapid.Bool().Draw(rt, "further"),
					Uses: rapid.IntRange(0, 4).Draw(rt, "its uses"), Cap: rapid.IntRange(0, 300).Draw(rt, "its cap")})
				if err == nil {
					tokens = append(tokens, held{agent, r.BudgetToken})
				} else if !errors.Is(err, memory.ErrUsage) {
					rt.Fatal(err)
				}
				continue
			}
			r, err := b.deref(agent, ref, h.token, rapid.IntRange(10, 300).Draw(rt, "wanted"))
			switch {
			case err == nil:
				uses, sum = uses+1, sum+r.Tokens
				if agent != h.agent || !strings.HasPrefix(r.Pointer.Ref, "repo:a/") {
					rt.Fatalf("%s pulled %s by a token of %s", agent, r.Pointer.Ref, h.agent)
				}
			case !errors.Is(err, bus.ErrRefused) && !errors.Is(err, memory.ErrUsage): // not even a line fits
				rt.Fatal(err)
			}
		}
		if uses > folder.Uses || sum > folder.Cap {
			rt.Fatalf("%d uses with %d tokens; %d with %d were granted", uses, sum, folder.Uses, folder.Cap)
		}
		if _, err := b.RevokeGrant(t.Context(), first.Grant.ID, ""); err != nil {
			rt.Fatal(err)
		}
		for _, h := range tokens {
			if _, err := b.deref(h.agent, refs[0], h.token, 50); !errors.Is(err, bus.ErrRefused) {
				rt.Fatalf("after the first was revoked: %v", err)
			}
		}
	})
}

// TestEmptyMessagesEndOneTurn: messages that say nothing new do not begin one turn after
// another; those that do, and the parent's brief, begin one.
func TestEmptyMessagesEndOneTurn(t *testing.T) {
	b := newBus(t, memory.BusOptions{})
	submit := func(engrams string) {
		t.Helper()
		text := "ROLE: worker\nTASK_STATUS: done\nENGRAMS: []\nOUTPUT:\n  summary: x\n"
		if engrams != "" {
			text = reportOf(engrams)
		}
		if r, err := b.Submit(t.Context(), memory.MessageInput{Text: []byte(text), Agent: "child"}); err != nil || !r.Verdict.OK {
			t.Fatalf("%+v, %v", r.Verdict, err)
		}
	}
	used := func() int {
		t.Helper()
		r, err := b.Turn(t.Context(), "child")
		if err != nil {
			t.Fatal(err)
		}
		return r.Used.RepoSpans
	}
	pull := func() { b.pulled("child", "repo:"+b.ref("a/one.go#L1-L2"), "") }
	found := wireEngram("A refund is paid twice.", "repo:"+b.ref("a/one.go#L1-L3"))
	pull()
	if submit(""); used() != 0 {
		t.Error("whoever has nothing to report cannot end a turn")
	}
	pull()
	if submit(""); used() != 1 {
		t.Error("a second empty message ended another turn")
	}
	if submit(found); used() != 0 {
		t.Error("a message with something new did not end the turn")
	}
	pull()
	if submit(found); used() != 1 {
		t.Error("a message of duplicates ended the turn")
	}
	if _, err := b.Broadcast(t.Context(), memory.BroadcastInput{Child: "child", Goal: "go on"}); err != nil || used() != 0 {
		t.Errorf("a brief did not begin a turn: %v", err)
	}
	pull()
	b.clock.add(memory.DefaultTurnTime)
	pull()
	if submit(""); used() != 0 {
		t.Error("after the time of a turn an empty message does not end one")
	}
}

// TestNamesThatLookAlike: have one turn, or none.
func TestNamesThatLookAlike(t *testing.T) {
	b := newBus(t, memory.BusOptions{})
	ref := "repo:" + b.ref("a/one.go#L1-L2")
	b.pulled("child", ref, "")
	for _, name := range []string{"child ", " child"} {
		b.pulled(name, ref, "")
	}
	if r, err := b.Turn(t.Context(), "child "); err != nil || r.Used.RepoSpans != 3 || r.Agent != "child" {
		t.Errorf("%+v, %v", r, err)
	}
	for _, name := range []string{" ", "child\t", "child\u200b", "ch\u00adild", "child\n", "child\u00a0", "child\xff", "\u2003", strings.Repeat("c", 201)} {
		if _, err := b.deref(name, ref, "", 100); !errors.Is(err, memory.ErrUsage) {
			t.Errorf("%q pulls: %v", name, err)
		}
		if _, err := b.IssueGrant(t.Context(), memory.GrantInput{Child: name, Pointer: ref}); !errors.Is(err, memory.ErrUsage) {
			t.Errorf("a grant for %q: %v", name, err)
		}
		if _, err := b.PutEngram(t.Context(), memory.PutInput{Engram: engram("A claim.", ref), Agent: name}); !errors.Is(err, memory.ErrUsage) {
			t.Errorf("%q puts: %v", name, err)
		}
	}
	if g := b.grant(memory.GrantInput{Child: " child ", Pointer: ref}); g.Grant.Child != "child" {
		t.Errorf("a grant for %q", g.Grant.Child)
	}
}

// TestGrantNotes: who grants is told where nothing, or a listing alone, can be read by it.
func TestGrantNotes(t *testing.T) {
	b := newBus(t, memory.BusOptions{})
	for name, c := range map[string]struct {
		in   memory.GrantInput
		want string
	}{
		"lines":      {memory.GrantInput{Pointer: "repo:" + b.ref("a/one.go#L1-L2")}, ""},
		"a folder":   {memory.GrantInput{Pointer: "repo:" + b.ref("a")}, "listing alone"},
		"a prefix":   {memory.GrantInput{Pointer: "repo:a/", Prefix: true}, ""},
		"no file":    {memory.GrantInput{Pointer: "repo:" + b.ref("a/none.go")}, "it permits nothing at present"},
		"no lines":   {memory.GrantInput{Pointer: "repo:" + b.ref("a/one.go#L900")}, "it permits nothing at present"},
		"no such":    {memory.GrantInput{Pointer: "sam:domain/no/fact"}, "it permits nothing at present"},
		"no code":    {memory.GrantInput{Pointer: "repo:a/none.go@0123abc", Purpose: "inline"}, ""},
		"no history": {memory.GrantInput{Pointer: "repo:a/one.go@0123abc"}, "it permits nothing at present"},
	} {
		c.in.Child = "child"
		r := b.grant(c.in)
		if got := strings.Join(r.Notes, "; "); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
