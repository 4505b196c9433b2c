package memory_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"engram/bus"
	"engram/memory"
)

// tenLines commits a file of ten lines and returns the commit.
func (b bench) tenLines(path string) string {
	b.t.Helper()
	file := filepath.Join(b.dir, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.t.Fatal(err)
	}
	var text strings.Builder
	for i := range 10 {
		fmt.Fprintf(&text, "line %d of %s\n", i+1, path)
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		b.t.Fatal(err)
	}
	gitIn(b.t, b.dir, "add", path)
	gitIn(b.t, b.dir, "commit", "-q", "-m", "add "+path)
	return gitIn(b.t, b.dir, "rev-parse", "HEAD")
}

// engram is one that keeps to every rule.
func engram(claim, ref string) memory.Engram {
	confidence := 0.8
	return memory.Engram{Kind: "risk", Claim: claim, Confidence: &confidence, TTL: "P7D", Scope: "project",
		Pointers: []memory.EngramPointer{{Type: strings.SplitN(ref, ":", 2)[0], Ref: ref}}}
}

func (b bench) put(e memory.Engram) memory.PutResult {
	b.t.Helper()
	r, err := b.PutEngram(b.t.Context(), memory.PutInput{Engram: e, Agent: "worker"})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func TestPutEngram(t *testing.T) {
	b := newMemory(t)
	commit := b.tenLines("billing/refund.go")
	e := engram("A refund may be paid twice.", "repo:billing/refund.go#L2-L4@"+commit)
	e.HashKeys, e.ID, e.Tags = []string{"made up"}, "X", []string{"refunds"}
	r := b.put(e)
	if r.Commit.Duplicate || len(r.Commit.Notes) != 2 || r.Revision == "" {
		t.Errorf("%+v", r.Commit)
	}
	got := r.Engram
	if got.ID != r.Commit.FactID || got.EmbeddingRef != got.ID || got.Scope != "project" || got.TTL != "P7D" || got.Kind != "risk" {
		t.Errorf("%+v", got)
	}
	if p := got.Pointers[0]; !strings.HasPrefix(p.Digest, "sha256:") || p.Ref != e.Pointers[0].Ref || p.Type != "repo" {
		t.Errorf("the pointer is %+v", p)
	}
	if slices.Contains(got.HashKeys, "made up") || !slices.Contains(got.HashKeys, "bill refund") || len(got.HashKeys) > 32 {
		t.Errorf("hash keys: %q", got.HashKeys)
	}
	if p := got.Provenance; p == nil || p.CreatedBy != "worker" || p.Source != "agent" || p.CreatedAt.IsZero() {
		t.Errorf("provenance: %+v", got.Provenance)
	}
	f := b.get(r.Commit.Key)
	if f.Reach != "project" || f.AgentID != "worker" || f.Pointers[0].Digest != got.Pointers[0].Digest {
		t.Errorf("the fact is %+v", f)
	}
	if again := b.put(e); !again.Commit.Duplicate || again.Engram.ID != got.ID {
		t.Errorf("the same again: %+v", again)
	}
}

// TestPutEngramIsStrict: what keeps not to the rules is refused, and writes nothing.
func TestPutEngramIsStrict(t *testing.T) {
	b := newMemory(t)
	commit := b.tenLines("billing/refund.go")
	whole := "repo:billing/refund.go#L2-L4@" + commit
	change := func(f func(e *memory.Engram)) memory.Engram {
		e := engram("A refund may be paid twice.", whole)
		f(&e)
		return e
	}
	low := 0.4
	tip := b.tip()
	for name, c := range map[string]struct {
		engram memory.Engram
		code   string
		path   string
	}{
		"no pointers":        {change(func(e *memory.Engram) { e.Pointers = nil }), bus.Invalid, "pointers"},
		"no commit":          {engram("A claim.", "repo:billing/refund.go#L2-L4"), bus.Invalid, "pointers[0].ref"},
		"no such file":       {engram("A claim.", "repo:billing/other.go@"+commit), bus.Invalid, "pointers[0]"},
		"no such lines":      {engram("A claim.", "repo:billing/refund.go#L99@"+commit), bus.Invalid, "pointers[0]"},
		"no such commit":     {engram("A claim.", "repo:billing/refund.go@"+strings.Repeat("ab", 20)), bus.Invalid, "pointers[0]"},
		"no such fact":       {engram("A claim.", "sam:domain/not/there"), bus.Invalid, "pointers[0]"},
		"an address alone":   {engram("A claim.", "url:https://example.com/x"), bus.Invalid, "pointers"},
		"another digest":     {change(func(e *memory.Engram) { e.Pointers[0].Digest = "sha256:" + strings.Repeat("0", 64) }), bus.Invalid, "pointers[0]"},
		"another type":       {change(func(e *memory.Engram) { e.Pointers[0].Type = "sam" }), bus.Invalid, "pointers[0].type"},
		"too long a claim":   {change(func(e *memory.Engram) { e.Claim = strings.Repeat("word ", 101) }), bus.BudgetExceeded, "claim"},
		"no claim":           {change(func(e *memory.Engram) { e.Claim = "" }), bus.Invalid, "claim"},
		"no ttl":             {change(func(e *memory.Engram) { e.TTL = "" }), bus.Invalid, "ttl"},
		"no scope":           {change(func(e *memory.Engram) { e.Scope = "" }), bus.Invalid, "scope"},
		"no confidence":      {change(func(e *memory.Engram) { e.Confidence = nil }), bus.Invalid, "confidence"},
		"an unlikely one":    {change(func(e *memory.Engram) { e.Confidence = &low }), bus.Invalid, "confidence"},
		"beyond the project": {change(func(e *memory.Engram) { e.Scope = "org" }), bus.Invalid, "scope"},
	} {
		_, err := b.PutEngram(t.Context(), memory.PutInput{Engram: c.engram, Agent: "worker"})
		var refusal *bus.Refusal
		if !errors.As(err, &refusal) || refusal.Code != c.code || refusal.Path != c.path || !errors.Is(err, bus.ErrRefused) {
			t.Errorf("%s: %v, want %s at %q", name, err, c.code, c.path)
			if refusal != nil {
				t.Logf("%+v", refusal)
			}
		}
	}
	if b.tip() != tip {
		t.Error("something was written")
	}
	run := change(func(e *memory.Engram) { e.Confidence, e.Scope = &low, "run" })
	r := b.put(run)
	for range 3 {
		b.query(memory.QueryInput{Question: "refund paid twice", Ephemeral: true, AskedBy: "other"})
	}
	if r.Engram.TTL != "P1D" || b.get(r.Commit.Key).Durability != "ephemeral" {
		t.Errorf("of reach run: %+v", r.Engram)
	}
}

// TestMatrixPointerToNonexistentFile is seed 1 §11.2.
func TestMatrixPointerToNonexistentFile(t *testing.T) {
	b := newMemory(t)
	commit := b.tenLines("a.go")
	if _, err := b.Deref(t.Context(), memory.DerefInput{Ref: "repo:b.go#L1@" + commit}); !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), "b.go") {
		t.Errorf("dereferenced: %v", err)
	}
	_, err := b.PutEngram(t.Context(), memory.PutInput{Engram: engram("A claim.", "repo:b.go#L1@"+commit), Agent: "worker"})
	if !errors.Is(err, bus.ErrRefused) || !strings.Contains(err.Error(), "b.go") {
		t.Errorf("put: %v", err)
	}
}

func (b bench) engrams(in memory.EngramQuery) (keys []string, r memory.EngramsResult) {
	b.t.Helper()
	r, err := b.QueryEngrams(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, e := range r.Engrams {
		keys = append(keys, e.Key.String())
	}
	return keys, r
}

// TestMatrixExpiredEngramIsExcluded is seed 1 §11.3.
func TestMatrixExpiredEngramIsExcluded(t *testing.T) {
	b := newMemory(t)
	commit := b.tenLines("a.go")
	e := engram("The port is taken.", "repo:a.go#L1@"+commit)
	e.TTL = "PT6H"
	key := b.put(e).Commit.Key
	ways := []memory.EngramQuery{{Keys: []string{"port"}}, {Text: "which port is taken"}}
	for _, in := range ways {
		got, r := b.engrams(in)
		if !slices.Equal(got, []string{key}) {
			t.Errorf("%+v finds %v, want %s", in, got, key)
		}
		if len(got) > 0 && r.Engrams[0].Freshness != memory.Fresh {
			t.Errorf("%+v: its evidence is %s", in, r.Engrams[0].Freshness)
		}
	}
	b.clock.add(7 * 60 * 60 * 1e9)
	for _, in := range ways {
		if got, _ := b.engrams(in); len(got) != 0 {
			t.Errorf("%+v still finds %v", in, got)
		}
	}
}

func TestQueryEngrams(t *testing.T) {
	b := newMemory(t)
	half, sure := 0.5, 0.9
	for i := range 20 {
		b.commit(memory.CommitInput{Claim: fmt.Sprintf("The gateway has a timeout of %d seconds.", i), Key: fmt.Sprintf("domain/gateway/t%02d", i), Confidence: &half})
	}
	b.commit(memory.CommitInput{Claim: "Webhooks are signed.", Key: "domain/hooks/signed", Confidence: &sure, Scope: "shared/hooks", Reach: "org", Tags: []string{"hot-path"}})
	b.commit(memory.CommitInput{Claim: "Webhooks come late.", Key: "domain/hooks/late", Durability: "ephemeral", Kind: "risk"})
	got, r := b.engrams(memory.EngramQuery{Keys: []string{"gateway timeout"}, K: 3})
	if len(got) != 3 || r.Matched != 20 || r.Mode != memory.ModeHashKeys || got[0] != "domain/gateway/t19" {
		t.Errorf("%v, %+v", got, r)
	}
	all, r := b.engrams(memory.EngramQuery{Keys: []string{"timeout"}})
	if r.Tokens > 800 || len(all)+r.Omitted != 12 || len(all) == 0 {
		t.Errorf("%d engrams of %d tokens, %d left out", len(all), r.Tokens, r.Omitted)
	}
	for name, c := range map[string]struct {
		in   memory.EngramQuery
		want []string
	}{
		"a tag":              {memory.EngramQuery{Keys: []string{"hot-path"}}, []string{"domain/hooks/signed"}},
		"the newest first":   {memory.EngramQuery{Keys: []string{"webhooks"}}, []string{"domain/hooks/late", "domain/hooks/signed"}},
		"a kind":             {memory.EngramQuery{Keys: []string{"webhooks"}, Kind: "risk"}, []string{"domain/hooks/late"}},
		"a reach":            {memory.EngramQuery{Keys: []string{"webhooks"}, Reach: "org"}, []string{"domain/hooks/signed"}},
		"a topic":            {memory.EngramQuery{Keys: []string{"webhooks"}, Scope: "shared/*"}, []string{"domain/hooks/signed"}},
		"near, without any":  {memory.EngramQuery{Near: "domain/hooks/late"}, []string{"domain/hooks/signed"}},
		"near, by an id":     {memory.EngramQuery{Near: b.get("domain/hooks/late").FactID}, []string{"domain/hooks/signed"}},
		"nothing like it":    {memory.EngramQuery{Keys: []string{"zebra"}}, nil},
		"a question of text": {memory.EngramQuery{Text: "are webhooks signed?", Reach: "org"}, []string{"domain/hooks/signed"}},
	} {
		got, r := b.engrams(c.in)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if c.in.Near != "" && (r.Mode != memory.ModeLexical || len(r.Notes) == 0) {
			t.Errorf("%s: mode %s, notes %q", name, r.Mode, r.Notes)
		}
	}
	for _, in := range []memory.EngramQuery{{}, {Keys: []string{" "}}, {Text: "a", Near: "b"}, {Text: "a", K: 13}, {Text: "a", Kind: "x"}, {Text: "a", Reach: "x"}} {
		if _, err := b.QueryEngrams(t.Context(), in); !errors.Is(err, memory.ErrUsage) {
			t.Errorf("%+v: %v", in, err)
		}
	}
	if f := b.get("domain/hooks/late"); f.Durability != "ephemeral" {
		t.Error("a query of engrams promoted what it found")
	}
}

func TestQueryEngramsKeepsToPermissions(t *testing.T) {
	b := newMemory(t)
	b.commit(memory.CommitInput{Claim: "The vault is payments'.", Key: "tool/vault/claim", Scope: "payments"})
	b.commit(memory.CommitInput{Claim: "The vault has a door.", Key: "tool/vault/door", Scope: "docs"})
	b.agree("permissions:", "  - {agent: guest, scope: payments, read: false}")
	for _, in := range []memory.EngramQuery{{Keys: []string{"vault"}}, {Text: "what of the vault"}, {Near: "tool/vault/door"}} {
		in.AskedBy = "guest"
		got, r := b.engrams(in)
		if slices.Contains(got, "tool/vault/claim") || r.Withheld != 1 {
			t.Errorf("%+v: %v, %d withheld", in, got, r.Withheld)
		}
	}
	var refused *memory.PermissionError
	if _, err := b.QueryEngrams(t.Context(), memory.EngramQuery{Near: "tool/vault/claim", AskedBy: "guest"}); !errors.As(err, &refused) {
		t.Errorf("near to what is withheld: %v", err)
	}
}

func TestDeleteEngram(t *testing.T) {
	b := newMemory(t)
	commit := b.tenLines("a.go")
	r := b.put(engram("The port is taken.", "repo:a.go#L1@"+commit))
	var lead *memory.LeadError
	if _, err := b.DeleteEngram(t.Context(), r.Engram.ID, "stranger"); !errors.As(err, &lead) {
		t.Errorf("somebody else: %v", err)
	}
	if _, err := b.DeleteEngram(t.Context(), "01ARZ3NDEKTSV4RRFFQ69G5FAV", "worker"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("no such engram: %v", err)
	}
	if _, err := b.DeleteEngram(t.Context(), r.Engram.ID, "worker"); err != nil {
		t.Error(err)
	}
	if got, _ := b.engrams(memory.EngramQuery{Keys: []string{"port"}}); len(got) != 0 {
		t.Errorf("it still holds: %v", got)
	}
	other := b.put(engram("The disk is full.", "repo:a.go#L2@"+commit))
	if _, err := b.DeleteEngram(t.Context(), other.Commit.Key, ""); err != nil {
		t.Errorf("a person, by its key: %v", err)
	}
}

// TestPutEngramAtAKey: over the bus, an agent that is no parent changes neither what
// others stated nor how far its own facts reach.
func TestPutEngramAtAKey(t *testing.T) {
	b := newBus(t, memory.BusOptions{Parents: []string{"lead"}})
	ref := "repo:" + b.ref("a/one.go#L1-L3")
	put := func(agent, key, claim string, change func(e *memory.Engram)) (memory.PutResult, error) {
		e := engram(claim, ref)
		if change != nil {
			change(&e)
		}
		return b.PutEngram(t.Context(), memory.PutInput{Engram: e, Agent: agent, Key: key})
	}
	run := func(e *memory.Engram) { e.Scope, e.TTL = "run", "PT1S" }
	brief := func(e *memory.Engram) { e.TTL = "PT1S" }
	org := func(e *memory.Engram) { e.Scope = "org" }
	b.commit(memory.CommitInput{Claim: "Refunds are paid once.", Key: "domain/pay/once"})
	b.commit(memory.CommitInput{Claim: "Mine is durable.", Key: "domain/pay/mine", Agent: "child"})
	b.commit(memory.CommitInput{Claim: "Another's.", Key: "domain/pay/theirs", Agent: "other"})
	if _, err := put("lead", "domain/pay/org", "All teams retry.", org); err != nil {
		t.Fatal(err)
	}
	tip := b.tip()
	for name, c := range map[string]struct {
		key, claim, path string
		change           func(e *memory.Engram)
	}{
		"a person's, for a second":   {"domain/pay/once", "Never mind.", "key", run},
		"another agent's":            {"domain/pay/theirs", "Mine now.", "key", nil},
		"a parent's, the opposite":   {"domain/pay/org", "No team retries.", "key", nil},
		"one's own, for the run":     {"domain/pay/mine", "Mine is for now.", "scope", run},
		"one's own, the same, again": {"domain/pay/mine", "Mine is durable.", "scope", run},
	} {
		_, err := put("child", c.key, c.claim, c.change)
		var refusal *bus.Refusal
		if !errors.As(err, &refusal) || refusal.Code != bus.Invalid || refusal.Path != c.path {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, err := put("child", "domain/pay/once", "Refunds are paid once.", brief)
	if err != nil || !r.Commit.Duplicate || r.Engram.TTL != "" {
		t.Errorf("the same as a person's: %+v, %v", r, err)
	}
	if b.tip() != tip {
		t.Error("something was written")
	}
	if r, err := put("child", "domain/pay/mine", "Mine is better.", nil); err != nil || r.Commit.Supersedes == "" {
		t.Errorf("one's own: %+v, %v", r, err)
	}
	for _, who := range []string{"lead", ""} {
		if r, err := put(who, "domain/pay/theirs", "Corrected by "+who+".", nil); err != nil || r.Commit.Supersedes == "" {
			t.Errorf("corrected by %q: %+v, %v", who, r, err)
		}
	}
}

// TestOwnReachIsNotLowered: a fact that a parent stated and that was given to a child's
// name reaches no less by that child's word.
func TestOwnReachIsNotLowered(t *testing.T) {
	b := newBus(t, memory.BusOptions{})
	b.commit(memory.CommitInput{Claim: "All teams retry.", Key: "domain/pay/org", Reach: "org", Agent: "child"})
	_, err := b.PutEngram(t.Context(), memory.PutInput{Engram: engram("All teams retry.", "repo:"+b.ref("a/one.go#L1-L3")), Agent: "child", Key: "domain/pay/org"})
	var refusal *bus.Refusal
	if !errors.As(err, &refusal) || refusal.Path != "scope" || b.get("domain/pay/org").Reach != "org" {
		t.Errorf("%v", err)
	}
}
