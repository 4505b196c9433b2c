package memory_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"engram/memory"
	"engram/model"
	"engram/model/modeltest"
)

// tinyModel is a real table of token vectors, read by the real loader, in
// which words of one line mean the same.
func tinyModel(t testing.TB, meanings ...string) memory.Embedder {
	t.Helper()
	vectors := map[string][]float32{}
	words := strings.Fields("the a is of to in and for how long what by per minutes seconds 30 15 45 service build gateway")
	for i, line := range append(meanings, words...) {
		v := make([]float32, len(meanings)+len(words))
		v[i] = 1
		if i >= len(meanings) { // words that say little
			v[i] = 0.2
		}
		for word := range strings.FieldsSeq(line) {
			vectors[word] = v
		}
	}
	dir := t.TempDir()
	if err := modeltest.Static(dir, vectors); err != nil {
		t.Fatal(err)
	}
	m, err := model.OpenEmbedderFor(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func newSemanticMemory(t testing.TB, meanings ...string) bench {
	t.Helper()
	b := openWith(t, newRepo(t), tinyModel(t, meanings...))
	if _, err := b.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestQueryByMeaning(t *testing.T) {
	m := newSemanticMemory(t, "session login", "lives lasts valid", "queue broker")
	m.commit(memory.CommitInput{Claim: "A session lives 30 minutes.", Key: "domain/auth/session"})
	m.commit(memory.CommitInput{Claim: "The queue drops messages.", Key: "domain/bus/queue"})
	r := m.query(memory.QueryInput{Question: "how long is the login valid"})
	if got := hitKeys(r); !slices.Equal(got, []string{"domain/auth/session"}) {
		t.Errorf("found %v", got)
	}
	if r.Mode != memory.ModeHybrid || !strings.HasPrefix(r.Model, "static:") || r.PendingVectors != 0 || len(r.Notes) != 0 {
		t.Errorf("mode %q, model %q, %d pending, notes %q", r.Mode, r.Model, r.PendingVectors, r.Notes)
	}
	lexical := openMemory(t, m.dir).query(memory.QueryInput{Question: "how long is the login valid"})
	if len(lexical.Results) != 0 || lexical.Mode != memory.ModeLexical || lexical.Model != "" {
		t.Errorf("without a model: %v in mode %q of %q", hitKeys(lexical), lexical.Mode, lexical.Model)
	}
	s, err := m.Status(t.Context(), memory.StatusInput{})
	if err != nil || s.Mode != memory.ModeHybrid || s.NoVector != 0 {
		t.Errorf("status: %+v, %v", s, err)
	}
}

// slow makes any model one that nobody waits for.
type slow struct {
	memory.Embedder
	broken error
}

func (slow) Instant() bool { return false }

func (s slow) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if s.broken != nil {
		return nil, s.broken
	}
	return s.Embedder.Embed(ctx, texts)
}

// With a model that takes long, answers say how many facts it has not got to,
// and a watch gets to them.
func TestQueryWithASlowModel(t *testing.T) {
	tiny := tinyModel(t, "session login", "queue broker")
	m := openWith(t, newRepo(t), slow{Embedder: tiny})
	if _, err := m.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	m.commit(memory.CommitInput{Claim: "A session lives 30 minutes.", Key: "domain/auth/session"})
	r := m.query(memory.QueryInput{Question: "login"})
	if r.Mode != memory.ModeLexical || r.PendingVectors != 1 || len(r.Notes) != 1 || len(r.Results) != 0 {
		t.Errorf("before: %+v", r)
	}
	var reports []memory.WatchReport
	err := m.Watch(t.Context(), memory.WatchOptions{Once: true, Report: func(r memory.WatchReport) { reports = append(reports, r) }})
	if err != nil || len(reports) != 1 || reports[0].Embedded != 1 || reports[0].Revision != m.tip() {
		t.Fatalf("watch: %+v, %v", reports, err)
	}
	r = m.query(memory.QueryInput{Question: "login"})
	if r.Mode != memory.ModeHybrid || r.PendingVectors != 0 || len(r.Results) != 1 {
		t.Errorf("after: %+v", r)
	}
	m.commit(memory.CommitInput{Claim: "The queue drops messages.", Key: "domain/bus/queue"})
	r = m.query(memory.QueryInput{Question: "login"})
	if r.Mode != memory.ModeHybrid || r.PendingVectors != 1 || len(r.Notes) != 1 {
		t.Errorf("after another commit: %+v", r)
	}
}

func TestQueryWithABrokenModel(t *testing.T) {
	m := openWith(t, newRepo(t), slow{tinyModel(t, "session login"), errors.New("out of order")})
	if _, err := m.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	m.commit(memory.CommitInput{Claim: "A session lives 30 minutes.", Key: "domain/auth/session"})
	r := m.query(memory.QueryInput{Question: "session"})
	if len(r.Results) != 1 || r.Mode != memory.ModeLexical || len(r.Notes) == 0 {
		t.Errorf("%+v", r)
	}
	err := m.Watch(t.Context(), memory.WatchOptions{Once: true})
	if err == nil || !strings.Contains(err.Error(), "out of order") {
		t.Errorf("watch: %v", err)
	}
}

// Watch keeps up with other processes until it is called off.
func TestWatchKeepsUp(t *testing.T) {
	m := newSemanticMemory(t, "session login")
	other := openMemory(t, m.dir)
	ctx, cancel := context.WithCancel(t.Context())
	reports, done := make(chan memory.WatchReport, 100), make(chan error, 1)
	go func() {
		done <- m.Watch(ctx, memory.WatchOptions{Tick: time.Hour, Report: func(r memory.WatchReport) { reports <- r }})
	}()
	for i, claim := range []string{"A session lives 30 minutes.", "A login needs a password."} {
		if i > 0 {
			gitIn(t, m.dir, "pack-refs", "--all")
		}
		want := other.commit(memory.CommitInput{Claim: claim}).Revision
		for seen := ""; seen != want; {
			select {
			case r := <-reports:
				seen = r.Revision
			case <-time.After(20 * time.Second):
				t.Fatalf("no report of %s", want)
			}
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}

func TestUpdateOfTheNearestFact(t *testing.T) {
	for name, m := range map[string]bench{"words": newMemory(t), "vectors": newSemanticMemory(t, "session login", "lives lasts", "rate quota")} {
		t.Run(name, func(t *testing.T) {
			first := m.commit(memory.CommitInput{Claim: "A session lives 30 minutes.", Scope: "auth/session"})
			m.commit(memory.CommitInput{Claim: "The rate is 30 per minutes.", Scope: "auth"})
			m.commit(memory.CommitInput{Claim: "A session lives 45 minutes.", Scope: "billing"})
			r := m.commit(memory.CommitInput{Claim: "A session lives 15 minutes.", Scope: "auth", Operation: "update"})
			if r.Key != first.Key || r.Supersedes != first.FactID || r.MemoryOp != "update" || len(r.Notes) != 1 || len(r.Warnings) != 0 {
				t.Errorf("%+v", r)
			}
			if f := m.get(first.Key); f.Claim != "A session lives 15 minutes." || f.Scope != "auth" {
				t.Errorf("%+v", f)
			}
			r = m.commit(memory.CommitInput{Claim: "Backups are encrypted.", Scope: "auth", Operation: "update"})
			if r.MemoryOp != "add" || r.Supersedes != "" || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "added") {
				t.Errorf("nothing near: %+v", r)
			}
		})
	}
}

// In one commit, what comes before is in sight of what comes after.
func TestUpdateOfAFactOfTheSameCommit(t *testing.T) {
	m := newMemory(t)
	results, err := m.CommitAll(t.Context(), []memory.CommitInput{
		{Claim: "The nightly build takes 30 minutes.", Scope: "ci"},
		{Claim: "The nightly build takes 20 minutes.", Scope: "ci", Operation: "update"},
	})
	if err != nil || results[1].Supersedes != results[0].FactID || results[1].Key != results[0].Key {
		t.Errorf("%+v, %v", results, err)
	}
}

func TestEphemeralFactsArePromotedWhenFoundTwice(t *testing.T) {
	m := newMemory(t)
	first := m.commit(memory.CommitInput{Claim: "Port 8080 is taken.", Key: "tool/ci/port", Durability: "ephemeral", Agent: "claude", Evidence: "lsof"})
	ask := func(by string) memory.QueryResult {
		return m.query(memory.QueryInput{Question: "port", Ephemeral: true, AskedBy: by})
	}
	if r := m.query(memory.QueryInput{Question: "port"}); len(r.Results) != 0 {
		t.Errorf("by default: %v", hitKeys(r))
	}
	for range 3 {
		ask("claude") // its own questions prove nothing
	}
	tip := m.tip()
	if r := ask("codex"); len(r.Results) != 1 || !r.Results[0].Ephemeral || m.tip() != tip {
		t.Errorf("first: %+v", r)
	}
	if r := ask(""); len(r.Notes) != 1 || m.tip() == tip {
		t.Errorf("second: %+v", r)
	}
	f := m.get("tool/ci/port")
	if f.Durability != "durable" || f.TTL != "" || f.ValidUntil != nil || f.Supersedes != first.FactID || f.Evidence != "lsof" || f.AgentID != "claude" {
		t.Errorf("%+v", f)
	}
	if subject := gitIn(t, m.dir, "log", "-1", "--format=%s", "engram"); !strings.HasPrefix(subject, "promote tool/ci/port") {
		t.Errorf("its commit says %q", subject)
	}
	if r := m.query(memory.QueryInput{Question: "port"}); len(r.Results) != 1 {
		t.Errorf("afterwards: %v", hitKeys(r))
	}
}

func TestPromote(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "Port 8080 is taken.", Key: "tool/ci/port", Durability: "ephemeral"})
	r, err := m.Promote(t.Context(), "tool/ci/port", "codex")
	if err != nil || r.Duplicate || r.MemoryOp != "update" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = m.Promote(t.Context(), "tool/ci/port", ""); err != nil || !r.Duplicate || r.MemoryOp != "none" {
		t.Errorf("again: %+v, %v", r, err)
	}
	if _, err = m.Promote(t.Context(), "tool/ci/nothing", ""); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("of nothing: %v", err)
	}
	m.commit(memory.CommitInput{Claim: "Port 8081 is taken.", Key: "tool/ci/other", Durability: "ephemeral"})
	m.clock.add(48 * time.Hour)
	if _, err = m.Promote(t.Context(), "tool/ci/other", ""); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("of an expired one: %v", err)
	}
}

// Promoting takes the time to live away and nothing else.
func TestPromoteKeepsWhatWasStated(t *testing.T) {
	m := newMemory(t)
	now := m.clock.Now()
	m.commit(memory.CommitInput{Claim: "The freeze lasts until the evening.", Key: "tool/ci/freeze", Durability: "ephemeral", ValidUntil: now.Add(6 * time.Hour)})
	m.commit(memory.CommitInput{Claim: "The window opens.", Key: "tool/ci/window", Durability: "ephemeral", ValidFrom: now.AddDate(0, 1, 0)})
	for _, key := range []string{"tool/ci/freeze", "tool/ci/window"} {
		if _, err := m.Promote(t.Context(), key, "codex"); err != nil {
			t.Fatal(err)
		}
	}
	if f := m.get("tool/ci/freeze"); f.ValidUntil == nil || !f.ValidUntil.Equal(now.Add(6*time.Hour)) || f.TTL != "" {
		t.Errorf("%+v", f)
	}
	if f := m.get("tool/ci/window"); f.State != "scheduled" || f.ValidFrom.Before(now.AddDate(0, 1, 0)) {
		t.Errorf("%+v", f)
	}
	if r := m.query(memory.QueryInput{Question: "window opens"}); len(r.Results) != 0 {
		t.Errorf("it holds already: %v", hitKeys(r))
	}
	if log := gitIn(t, m.dir, "log", "-1", "--format=%s", "engram"); !strings.Contains(log, "by codex") {
		t.Errorf("the commit says %q", log)
	}
}

// Questions about another time prove nothing about now.
func TestHitsOfThePastDoNotCount(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "Port 8080 is taken.", Key: "tool/ci/port", Durability: "ephemeral"})
	asOf := m.clock.Now()
	m.clock.add(48 * time.Hour)
	for range 3 {
		if r := m.query(memory.QueryInput{Question: "port", Ephemeral: true, AsOf: asOf}); len(r.Results) != 1 || len(r.Notes) != 0 {
			t.Errorf("%+v", r)
		}
	}
}

// What the branch did not know yet corroborates nothing.
func TestCorroborationAsKnownThen(t *testing.T) {
	m := newSemanticMemory(t, "nightly", "build", "slow")
	m.commit(memory.CommitInput{Claim: "The nightly build is slow.", Key: "tool/ci/a", Agent: "claude"})
	then := m.tip()
	m.commit(memory.CommitInput{Claim: "The nightly build is slow", Key: "tool/ci/b", Agent: "codex", Scope: "ci"})
	if r := m.query(memory.QueryInput{Question: "nightly"}); r.Results[0].Corroborated != 1 {
		t.Errorf("now: %+v", r.Results[0])
	}
	if r := m.query(memory.QueryInput{Question: "nightly", KnownAtRevision: then}); len(r.Results) != 1 || r.Results[0].Corroborated != 0 {
		t.Errorf("then: %+v", r.Results)
	}
}

// Where two facts are as near, the answer says that the other one was.
func TestUpdateSaysWhatElseIsAsNear(t *testing.T) {
	for name, m := range map[string]bench{"words": newMemory(t), "vectors": newSemanticMemory(t, "session login", "lives lasts")} {
		m.commit(memory.CommitInput{Claim: "A session lives 30 minutes.", Scope: "auth/web"})
		m.commit(memory.CommitInput{Claim: "A session lives 45 minutes.", Scope: "auth/app"})
		r := m.commit(memory.CommitInput{Claim: "A session lives 15 minutes.", Scope: "auth", Operation: "update"})
		if r.MemoryOp != "update" || len(r.Notes) != 1 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "is as near") {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
