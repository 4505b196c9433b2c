package memory_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
	"engram/memory"
)

func keys[T any](list []T, key func(T) facts.Key) []string {
	out := []string{}
	for _, v := range list {
		out = append(out, key(v).String())
	}
	return out
}

func hitKeys(r memory.QueryResult) []string {
	return keys(r.Results, func(h memory.Hit) facts.Key { return h.Key })
}

func listKeys(r memory.ListResult) []string {
	return keys(r.Facts, func(f memory.Fact) facts.Key { return f.Key })
}

func (b bench) query(in memory.QueryInput) memory.QueryResult {
	b.t.Helper()
	r, err := b.Query(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func TestQuerySeesEveryAcknowledgedWrite(t *testing.T) {
	a := newMemory(t)
	b := openMemory(t, a.dir)
	for i := range 5 {
		claim := fmt.Sprintf("Worker number%d drains the queue.", i)
		r := a.commit(memory.CommitInput{Claim: claim})
		got := b.query(memory.QueryInput{Question: fmt.Sprintf("who is number%d?", i)})
		if len(got.Results) == 0 || got.Results[0].FactID != r.FactID || got.Revision != r.Revision || got.Pending != 0 {
			t.Errorf("write %d: found %+v at %s, want %s at %s", i, got.Results, got.Revision, r.FactID, r.Revision)
		}
	}
}

func TestQueryAsOf(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "The limit is 1000 requests.", Key: "domain/auth/limit"})
	between := m.clock.Now()
	m.commit(memory.CommitInput{Claim: "The limit is 2000 requests.", Key: "domain/auth/limit"})
	beforeRetiring := m.clock.Now()
	m.commit(memory.CommitInput{Operation: "delete", Key: "domain/auth/limit"})
	for name, c := range map[string]struct {
		asOf time.Time
		want string
	}{
		"before anything": {between.Add(-time.Hour), ""},
		"first":           {between, "The limit is 1000 requests."},
		"second":          {beforeRetiring, "The limit is 2000 requests."},
		"retired":         {m.clock.Now(), ""},
		"now":             {time.Time{}, ""},
	} {
		got := ""
		if r := m.query(memory.QueryInput{Question: "limit of requests", AsOf: c.asOf}); len(r.Results) == 1 {
			got = r.Results[0].Claim
		} else if len(r.Results) > 1 {
			t.Errorf("%s: %d versions held at once", name, len(r.Results))
		}
		if got != c.want {
			t.Errorf("query %s: %q, want %q", name, got, c.want)
		}
		if c.asOf.IsZero() {
			continue
		}
		f, err := m.Get(t.Context(), memory.GetInput{Key: "domain/auth/limit", AsOf: c.asOf})
		if c.want == "" && !errors.Is(err, memory.ErrNotFound) || c.want != "" && f.Fact.Claim != c.want {
			t.Errorf("get %s: %q, %v", name, f.Fact.Claim, err)
		}
	}
}

func TestQueryFitsTheBudget(t *testing.T) {
	m := newMemory(t)
	for i := range 8 {
		m.commit(memory.CommitInput{Claim: fmt.Sprintf("Retry policy %d waits a second.", i), Scope: "net/http"})
	}
	all := m.query(memory.QueryInput{Question: "retry policy"})
	if len(all.Results) != 8 || all.Omitted != 0 || all.Matched != 8 {
		t.Fatalf("without a budget: %d results, %d omitted, %d matched", len(all.Results), all.Omitted, all.Matched)
	}
	some := m.query(memory.QueryInput{Question: "retry policy", Budget: all.Tokens / 2})
	if len(some.Results)+some.Omitted != 8 || some.Omitted == 0 || some.Tokens > all.Tokens/2 {
		t.Errorf("half the budget: %d results, %d omitted, %d tokens", len(some.Results), some.Omitted, some.Tokens)
	}
	for _, in := range []memory.QueryInput{{Question: "x", Limit: -1}, {Question: "x", Limit: 51}, {Question: "x", Budget: -1}, {Question: " "}, {Question: "x", Kind: "rumour"}, {Question: "x", Type: "guess"}} {
		if _, err := m.Query(t.Context(), in); !errors.Is(err, memory.ErrUsage) {
			t.Errorf("query %+v: %v, want ErrUsage", in, err)
		}
	}
}

func TestListFilters(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "one", Key: "domain/a/one", Scope: "pay/hooks", Agent: "bot", Tags: []string{"Hot"}})
	m.commit(memory.CommitInput{Claim: "two", Key: "domain/a/two", Scope: "pay", Kind: "risk"})
	m.commit(memory.CommitInput{Claim: "three", Key: "tool/a/three", Scope: "payroll", Type: "decision"})
	m.commit(memory.CommitInput{Operation: "delete", Key: "domain/a/two"})
	for name, c := range map[string]struct {
		in   memory.ListInput
		want []string
	}{
		"open":   {memory.ListInput{}, []string{"domain/a/one", "tool/a/three"}},
		"all":    {memory.ListInput{All: true}, []string{"domain/a/one", "domain/a/two", "tool/a/three"}},
		"prefix": {memory.ListInput{Prefix: "domain/", All: true}, []string{"domain/a/one", "domain/a/two"}},
		"part":   {memory.ListInput{Prefix: "dom"}, []string{}},
		"scope":  {memory.ListInput{Scope: "pay", All: true}, []string{"domain/a/one", "domain/a/two"}},
		"agent":  {memory.ListInput{Agent: "bot"}, []string{"domain/a/one"}},
		"tag":    {memory.ListInput{Tag: "hot"}, []string{"domain/a/one"}},
		"kind":   {memory.ListInput{Kind: "risk", All: true}, []string{"domain/a/two"}},
		"type":   {memory.ListInput{Type: "decision"}, []string{"tool/a/three"}},
		"limit":  {memory.ListInput{Limit: 1}, []string{"domain/a/one"}},
	} {
		got, err := m.List(t.Context(), c.in)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, listKeys(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestHistory(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "The limit is 1000.", Key: "domain/auth/limit"})
	m.commit(memory.CommitInput{Claim: "Something else.", Key: "domain/auth/other"})
	m.commit(memory.CommitInput{Claim: "The limit is 2000.", Key: "domain/auth/limit"})
	h, err := m.History(t.Context(), memory.HistoryInput{Key: "domain/auth/limit"})
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Versions) != 2 {
		t.Fatalf("%d versions, want 2", len(h.Versions))
	}
	newest := h.Versions[0]
	want := facts.Change{Field: "claim", From: "The limit is 1000.", To: "The limit is 2000."}
	if newest.Changes[0] != want || newest.Author != "Ada <ada@example.com>" || newest.Subject != "update domain/auth/limit: The limit is 2000." {
		t.Errorf("newest = %+v", newest)
	}
	if h, err := m.History(t.Context(), memory.HistoryInput{Key: "domain/auth/limit", Limit: 1}); err != nil || len(h.Versions) != 1 {
		t.Errorf("limit 1: %d versions, %v", len(h.Versions), err)
	}
	if _, err := m.History(t.Context(), memory.HistoryInput{Key: "domain/auth/none"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("history of nothing: %v", err)
	}
}

// TestBadFilesStopNothing: what people put on the branch by hand is reported,
// and the rest works on.
func TestBadFilesStopNothing(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "The limit is 1000.", Key: "domain/auth/limit", Evidence: "limit.go:3", Scope: "auth"})
	bad := map[string]string{
		"domain/auth/broken.yml":     "claim: [\n",
		"domain/auth/binary.yml":     "\x00\x01\x02",
		"domain/auth/alien.yml":      "key: domain/auth/other\nclaim: it says it is another\n",
		"domain/auth/bomb.yml":       "a: &a [x,x]\nb: &b [*a,*a]\nclaim: *b\n",
		"domain/auth/huge.yml":       "claim: " + strings.Repeat("x", 1<<20) + "\n",
		"domain/Upper/x.yml":         "claim: x\n",
		"domain/auth/notes.txt":      "not a fact",
		"random/auth/x.yml":          "claim: x\n",
		"domain/auth/invalid.yml":    "key: domain/auth/invalid\nclaim: no ids and no dates\n",
		"domain/auth/a/b/c/deep.yml": "claim: x\n",
	}
	for path, content := range bad {
		m.place(path, content)
	}
	lint, err := m.Lint(t.Context(), nil)
	if err != nil || lint.Canonical {
		t.Fatalf("lint: %v, canonical %v", err, lint.Canonical)
	}
	reported := make(map[string]bool)
	for _, f := range lint.Findings {
		if f.Severity == memory.SeverityError {
			reported[f.Path] = true
		}
	}
	for path := range bad {
		if !reported[path] {
			t.Errorf("lint says nothing of %s", path)
		}
	}
	if reported["domain/auth/limit.yml"] {
		t.Error("lint complains of the good fact")
	}
	if got := hitKeys(m.query(memory.QueryInput{Question: "limit"})); !cmp.Equal(got, []string{"domain/auth/limit"}) {
		t.Errorf("query found %v", got)
	}
	if list, err := m.List(t.Context(), memory.ListInput{Scope: "auth"}); err != nil || len(list.Facts) != 1 || list.Damaged == 0 {
		t.Errorf("list: %d facts, %d damaged, %v", len(list.Facts), list.Damaged, err)
	}
	m.commit(memory.CommitInput{Claim: "The limit is 2000.", Key: "domain/auth/limit"})
	doctor, err := m.Doctor(t.Context(), memory.DoctorInput{})
	if err != nil || doctor.Healthy {
		t.Errorf("doctor: healthy %v, %v", doctor.Healthy, err)
	}
}

func TestLintOfKeys(t *testing.T) {
	m := newMemory(t)
	r, err := m.Lint(t.Context(), []string{"architecture/fmea/f04", "paper:abc EXPLORE done"})
	if err != nil || r.Canonical || len(r.Findings) != 1 || r.Findings[0].Suggestion != "paper/abc/EXPLORE" {
		t.Errorf("lint = %+v, %v", r, err)
	}
}

func TestDoctor(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "The limit is 1000 a second.", Key: "domain/auth/limit"})
	m.commit(memory.CommitInput{Claim: "The limit was something.", Key: "domain/auth/gone"})
	m.query(memory.QueryInput{Question: "limit"})
	checks := func() map[string]bool {
		r, err := m.Doctor(t.Context(), memory.DoctorInput{Fix: true})
		if err != nil {
			t.Fatal(err)
		}
		ok := make(map[string]bool)
		for _, c := range r.Checks {
			ok[c.Name] = c.OK
		}
		return ok
	}
	want := map[string]bool{"git": true, "writable": true, "identity": true, "branch": true, "checkout": true, "facts": true, "removed": true, "purged": true, "index": true, "model": true}
	if diff := cmp.Diff(want, checks()); diff != "" {
		t.Errorf("a healthy memory (-want +got):\n%s", diff)
	}
	tree := t.TempDir() + "/tree"
	gitIn(t, m.dir, "worktree", "add", "-q", tree, "engram")
	gitIn(t, tree, "rm", "-q", "domain/auth/gone.yml")
	gitIn(t, tree, "commit", "-q", "-m", "removed by hand")
	want["checkout"], want["removed"] = false, false
	if diff := cmp.Diff(want, checks()); diff != "" {
		t.Errorf("a removed fact and a checkout (-want +got):\n%s", diff)
	}
}
