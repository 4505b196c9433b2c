package memory_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
	"engram/gitstore"
	"engram/memory"
)

func TestCommitWithoutKeyMakesOne(t *testing.T) {
	m := newMemory(t)
	for _, c := range []struct {
		in   memory.CommitInput
		want string
	}{
		{memory.CommitInput{Claim: "Sessions live 30 minutes.", Scope: "auth/session"}, "domain/auth.session/sessions-live-30-minutes"},
		{memory.CommitInput{Claim: "Sessions live 30 minutes!", Scope: "auth/session"}, "domain/auth.session/sessions-live-30-minutes-2"},
		{memory.CommitInput{Claim: "We use Postgres.", Kind: "decision"}, "architecture/general/we-use-postgres"},
		{memory.CommitInput{Claim: "p99 is 20 ms.", Kind: "perf", Scope: "API"}, "calibration/api/p99-is-20-ms"},
		{memory.CommitInput{Claim: "セッションは三十分で切れる"}, "domain/general/2b3a0a1f3e5d"},
	} {
		got := m.commit(c.in).Key
		if strings.Contains(c.in.Claim, "セ") {
			c.want = "domain/general/" + facts.ContentHash(c.in.Claim)[:12]
		}
		if got != c.want {
			t.Errorf("commit %q made the key %s, want %s", c.in.Claim, got, c.want)
		}
	}
}

func TestCommitToAKeySupersedes(t *testing.T) {
	m := newMemory(t)
	c := 0.9
	first := m.commit(memory.CommitInput{
		Claim: "The limit is 1000 requests per second.", Key: "domain/auth/limit", Scope: "auth", Tags: []string{"limits"},
		Kind: "constraint", Evidence: "limit.go:12", Confidence: &c,
	})
	second := m.commit(memory.CommitInput{Claim: "The limit is 2000 requests per second.", Key: "domain/auth/limit"})
	if second.MemoryOp != "update" || second.Supersedes != first.FactID || second.LineageID != first.LineageID || second.FactID == first.FactID {
		t.Errorf("second commit = %+v, want an update of %s", second, first.FactID)
	}
	got := m.get("domain/auth/limit")
	if got.Scope != "auth" || got.Kind != "constraint" || !cmp.Equal(got.Tags, []string{"limits"}) {
		t.Errorf("the new version lost its topic: %+v", got)
	}
	if got.Evidence != "" || got.Confidence != nil {
		t.Errorf("the new claim inherited the evidence of the old one: %+v", got)
	}
}

func TestCommitByLineage(t *testing.T) {
	m := newMemory(t)
	first := m.commit(memory.CommitInput{Claim: "The port is 5432.", Key: "domain/db/port"})
	second := m.commit(memory.CommitInput{Claim: "The port is 6432.", Lineage: first.LineageID, Operation: "update"})
	if second.Key != "domain/db/port" || second.Supersedes != first.FactID {
		t.Errorf("update by lineage = %+v", second)
	}
	moved := m.commit(memory.CommitInput{Claim: "The port is 7432.", Lineage: first.LineageID, Key: "domain/database/port"})
	if moved.Key != "domain/database/port" || moved.LineageID != first.LineageID {
		t.Errorf("move by lineage = %+v", moved)
	}
	if old := m.get("domain/db/port"); old.State != facts.Superseded {
		t.Errorf("the fact that moved away is %s, want superseded", old.State)
	}
	_, err := m.Commit(t.Context(), memory.CommitInput{Claim: "x y z w", Lineage: "01ARZ3NDEKTSV4RRFFQ9999999"})
	if !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("commit to an unknown lineage: %v, want ErrNotFound", err)
	}
}

func TestDuplicates(t *testing.T) {
	m := newMemory(t)
	first := m.commit(memory.CommitInput{Claim: "The port is 5432.", Key: "domain/db/port", Scope: "db"})
	tip := m.tip()
	for name, in := range map[string]memory.CommitInput{
		"the same":             {Claim: "The port is 5432.", Key: "domain/db/port", Scope: "db"},
		"without a key":        {Claim: "The port is 5432.", Scope: "db"},
		"other case and space": {Claim: "  the PORT\n is 5432. ", Scope: "db"},
		"under another key":    {Claim: "The port is 5432.", Key: "domain/database/port", Scope: "db"},
		"key without scope":    {Claim: "The port is 5432.", Key: "domain/db/port"},
	} {
		got := m.commit(in)
		if !got.Duplicate || got.FactID != first.FactID || got.MemoryOp != "none" || got.Revision != tip {
			t.Errorf("%s: %+v, want a duplicate of %s at %s", name, got, first.FactID, tip)
		}
	}
	if other := m.commit(memory.CommitInput{Claim: "The port is 5432.", Scope: "db/replica"}); other.Duplicate {
		t.Error("the same claim in another scope is no duplicate")
	}
	c := 0.5
	if more := m.commit(memory.CommitInput{Claim: "The port is 5432.", Key: "domain/db/port", Confidence: &c}); more.Duplicate || more.MemoryOp != "update" {
		t.Errorf("stating a confidence for the same claim: %+v, want an update", more)
	}
	m.commit(memory.CommitInput{Operation: "delete", Key: "domain/db/port"})
	if again := m.commit(memory.CommitInput{Claim: "The port is 5432.", Scope: "db"}); again.Duplicate {
		t.Error("a retired fact makes no duplicate")
	}
}

func TestRetire(t *testing.T) {
	m := newMemory(t)
	first := m.commit(memory.CommitInput{Claim: "The port is 5432.", Key: "domain/db/port"})
	got, err := m.Memory.Retire(t.Context(), "domain/db/port", "moved to a socket", "")
	if err != nil {
		t.Fatal(err)
	}
	if got.MemoryOp != "delete" || got.Supersedes != first.FactID {
		t.Errorf("retire = %+v", got)
	}
	f := m.get("domain/db/port")
	if f.State != facts.Retired || f.ValidUntil == nil || f.Claim != "The port is 5432." {
		t.Errorf("after retiring: %+v", f)
	}
	if subject := gitIn(t, m.dir, "log", "-1", "--format=%s", "engram"); subject != "retire domain/db/port: moved to a socket" {
		t.Errorf("commit subject %q", subject)
	}
	if _, err := m.Commit(t.Context(), memory.CommitInput{Operation: "delete", Key: "domain/db/port"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("retiring twice: %v, want ErrNotFound", err)
	}
	anew := m.commit(memory.CommitInput{Claim: "The port is 6432.", Key: "domain/db/port"})
	if anew.LineageID == first.LineageID || anew.MemoryOp != "add" {
		t.Errorf("a fact at a retired key begins a lineage of its own, got %+v", anew)
	}
}

func TestOperationNoneWritesNothing(t *testing.T) {
	m := newMemory(t)
	tip := m.tip()
	if r := m.commit(memory.CommitInput{Operation: "none"}); r.MemoryOp != "none" || m.tip() != tip {
		t.Errorf("none = %+v", r)
	}
}

func TestTTLAndDurability(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "The certificate is valid.", Key: "domain/tls/cert", TTL: "7"})
	if f := m.get("domain/tls/cert"); f.TTL != "P7D" || f.ValidUntil == nil || f.ValidUntil.Sub(f.ValidFrom) != 7*24*time.Hour {
		t.Errorf("seven days: %+v", f)
	}
	m.commit(memory.CommitInput{Claim: "The build is red right now.", Key: "domain/ci/red", Durability: "ephemeral"})
	if f := m.get("domain/ci/red"); f.TTL != "P1D" {
		t.Errorf("an ephemeral fact lives %q, want P1D", f.TTL)
	}
	m.clock.add(8 * 24 * time.Hour)
	if f := m.get("domain/tls/cert"); f.State != facts.Expired {
		t.Errorf("after eight days it is %s", f.State)
	}
	r, err := m.Query(t.Context(), memory.QueryInput{Question: "certificate"})
	if err != nil || len(r.Results) != 0 {
		t.Errorf("an expired fact was found: %+v, %v", r.Results, err)
	}
}

func TestClockThatGoesBack(t *testing.T) {
	m := newMemory(t)
	first := m.commit(memory.CommitInput{Claim: "The port is 5432.", Key: "domain/db/port"})
	m.clock.add(-48 * time.Hour)
	second := m.commit(memory.CommitInput{Claim: "The port is 6432.", Key: "domain/db/port"})
	if len(second.Warnings) != 1 || second.Supersedes != first.FactID {
		t.Errorf("second = %+v, want a warning", second)
	}
	if f := m.get("domain/db/port"); f.Claim != "The port is 6432." || !f.ValidFrom.After(first.Committed) {
		t.Errorf("after the clock went back: %+v", f)
	}
}

func TestSecretsAreRefusedBeforeAnythingIsWritten(t *testing.T) {
	m := newMemory(t)
	objects := gitIn(t, m.dir, "count-objects")
	for field, in := range map[string]memory.CommitInput{
		"claim":       {Claim: "it is " + marker},
		"detail":      {Claim: "a b c d", Detail: marker},
		"tags[1]":     {Claim: "a b c d", Tags: []string{"ok", marker}},
		"evidence":    {Claim: "a b c d", Evidence: marker},
		"pointers[0]": {Claim: "a b c d", Pointers: []memory.Pointer{{Ref: "url:https://x/" + marker}}},
		"agent":       {Claim: "a b c d", Agent: marker},
		"scope":       {Claim: "a b c d", Scope: marker},
		"reason":      {Operation: "delete", Key: "domain/a/b", Reason: marker},
		"key":         {Claim: "a b c d", Key: "finding/a/" + marker},
	} {
		_, err := m.Commit(t.Context(), in)
		var secret *memory.SecretError
		if !errors.As(err, &secret) || secret.Field != field {
			t.Errorf("%s: %v", field, err)
		} else if strings.Contains(err.Error(), marker) {
			t.Errorf("%s: the error repeats the secret", field)
		}
		if code, _ := memory.Classify(err); code != memory.CodeRefused {
			t.Errorf("%s: code %s", field, code)
		}
	}
	if now := gitIn(t, m.dir, "count-objects"); now != objects {
		t.Errorf("objects before: %s, after: %s", objects, now)
	}
}

func TestBadInput(t *testing.T) {
	m := newMemory(t)
	for name, c := range map[string]struct {
		in   memory.CommitInput
		code memory.Code
	}{
		"empty claim":    {memory.CommitInput{}, memory.CodeUsage},
		"long claim":     {memory.CommitInput{Claim: strings.Repeat("word ", 200)}, memory.CodeUsage},
		"traversal":      {memory.CommitInput{Claim: "a", Key: "domain/../x"}, memory.CodeUsage},
		"namespace":      {memory.CommitInput{Claim: "a", Key: "random/foo/bar"}, memory.CodeUsage},
		"operation":      {memory.CommitInput{Claim: "a", Operation: "upsert"}, memory.CodeUsage},
		"delete what":    {memory.CommitInput{Operation: "delete"}, memory.CodeUsage},
		"delete no fact": {memory.CommitInput{Operation: "delete", Key: "domain/a/b"}, memory.CodeNo},
		"ttl":            {memory.CommitInput{Claim: "a", TTL: "soon"}, memory.CodeUsage},
		"kind":           {memory.CommitInput{Claim: "a", Kind: "rumour"}, memory.CodeUsage},
		"pointer":        {memory.CommitInput{Claim: "a", Pointers: []memory.Pointer{{Ref: "repo:../x"}}}, memory.CodeUsage},
		"case clash":     {memory.CommitInput{Claim: "a", Key: "finding/x/ABC"}, memory.CodeUsage},
	} {
		if name == "case clash" {
			m.commit(memory.CommitInput{Claim: "b", Key: "finding/x/abc"})
		}
		tip := m.tip()
		_, err := m.Commit(t.Context(), c.in)
		if code, _ := memory.Classify(err); err == nil || code != c.code {
			t.Errorf("%s: error %v has code %s, want %s", name, err, code, c.code)
		}
		if m.tip() != tip {
			t.Errorf("%s: the branch moved", name)
		}
	}
}

func TestCommitAllIsOneCommitOrNone(t *testing.T) {
	m := newMemory(t)
	before := m.tip()
	_, err := m.CommitAll(t.Context(), []memory.CommitInput{{Claim: "one of two"}, {Claim: "two of two", Kind: "rumour"}})
	if err == nil || !strings.HasPrefix(err.Error(), "input 2: ") || m.tip() != before {
		t.Errorf("error %v, moved %v", err, m.tip() != before)
	}
	results, err := m.CommitAll(t.Context(), []memory.CommitInput{
		{Claim: "The port is 5432.", Key: "domain/db/port"}, {Claim: "The port is 5432."}, {Claim: "The port is 6432.", Key: "domain/db/port"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if results[2].Supersedes != results[0].FactID {
		t.Errorf("the third supersedes %s, want the first", results[2].Supersedes)
	}
	if n := gitIn(t, m.dir, "rev-list", "--count", before+"..engram"); n != "1" {
		t.Errorf("%s commits, want 1", n)
	}
}

// TestTwoWritersOfOneKey: both are acknowledged, so both are in the history.
func TestTwoWritersOfOneKey(t *testing.T) {
	a := newMemory(t)
	b := openMemory(t, a.dir)
	const each = 10
	var wg sync.WaitGroup
	var mu sync.Mutex
	acknowledged := make(map[string]bool)
	for name, m := range map[string]bench{"a": a, "b": b} {
		wg.Go(func() {
			for i := range each {
				claim := strings.Repeat(name, i+1) + " says so"
				r, err := m.Commit(t.Context(), memory.CommitInput{Claim: claim, Key: "domain/db/port"})
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				acknowledged[r.FactID+claim] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	h, err := a.History(t.Context(), memory.HistoryInput{Key: "domain/db/port"})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range h.Versions {
		delete(acknowledged, v.Fact.FactID+v.Fact.Claim)
	}
	if len(h.Versions) != 2*each || len(acknowledged) != 0 {
		t.Errorf("%d versions, %d acknowledged ones missing", len(h.Versions), len(acknowledged))
	}
	for i, v := range h.Versions[:len(h.Versions)-1] {
		if v.Fact.Supersedes != h.Versions[i+1].Fact.FactID {
			t.Errorf("version %d supersedes %s, want %s", i, v.Fact.Supersedes, h.Versions[i+1].Fact.FactID)
		}
	}
}

func TestUnreadableFileIsNotOverwritten(t *testing.T) {
	m := newMemory(t)
	m.place("domain/db/port.yml", "claim: [not a fact\n")
	_, err := m.Commit(t.Context(), memory.CommitInput{Claim: "The port is 5432.", Key: "domain/db/port"})
	if !errors.Is(err, memory.ErrUnreadable) {
		t.Errorf("commit over a damaged file: %v, want ErrUnreadable", err)
	}
}

func TestUnknownFieldsSurviveAnUpdate(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "The port is 5432.", Key: "domain/db/port"})
	m.place("domain/db/port.yml", gitIn(t, m.dir, "show", "engram:domain/db/port.yml")+"\nreview: accepted\n")
	m.commit(memory.CommitInput{Claim: "The port is 6432.", Key: "domain/db/port"})
	if text := gitIn(t, m.dir, "show", "engram:domain/db/port.yml"); !strings.Contains(text, "review: accepted") {
		t.Errorf("the field of a later format is gone:\n%s", text)
	}
}

func TestCommitNeedsAMemory(t *testing.T) {
	m := openMemory(t, newRepo(t))
	if _, err := m.Commit(t.Context(), memory.CommitInput{Claim: "a"}); !errors.Is(err, gitstore.ErrNoBranch) {
		t.Errorf("commit without a branch: %v", err)
	}
	gitIn(t, m.dir, "branch", "engram")
	if _, err := m.Commit(t.Context(), memory.CommitInput{Claim: "a"}); !errors.Is(err, memory.ErrNotMemory) {
		t.Errorf("commit to a code branch: %v", err)
	}
}
