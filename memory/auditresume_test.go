package memory_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/memory"
)

// TestAuditContinues where the last one was interrupted: together they open what one audit
// opens, and compare no pair twice.
func TestAuditContinues(t *testing.T) {
	const services = 300
	fill := func(b bench) {
		var lines strings.Builder
		for n := range services {
			for side, port := range []int{8000 + n, 9000 + n} {
				// The two of a pair are far from each other in the order of the audit.
				fmt.Fprintf(&lines, "{\"claim\":\"The s%03d service listens on port %d.\",\"key\":\"domain/c%d/s%03d\",\"scope\":\"infra\",\"agent_id\":\"a%d\"}\n", n, port, side, n, side)
			}
		}
		if _, err := b.Import(t.Context(), strings.NewReader(lines.String()), memory.ImportInput{Format: memory.JSONL}); err != nil {
			t.Fatal(err)
		}
	}
	whole := newMemory(t)
	fill(whole)
	want := whole.audit(memory.AuditInput{})
	if len(want.Opened) != services {
		t.Fatalf("%d conflicts", len(want.Opened))
	}

	// One that is cancelled halfway.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b := openProgress(t, newRepo(t), func(task string, done, total int) {
		if task == "auditing" && done >= total/2 {
			cancel()
		}
	})
	if _, err := b.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	fill(b)
	if _, err := b.Audit(ctx, memory.AuditInput{}); err == nil {
		t.Fatal("the audit was not interrupted")
	}
	if n := len(b.conflicts(memory.ConflictsInput{Status: "open"})); n != 0 {
		t.Fatalf("%d conflicts are on the branch before an audit is complete", n)
	}
	// A process that dies tears the line that it writes.
	file := filepath.Join(b.dir, ".git", "engram", "audit", "engram.progress.jsonl")
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(kept, `{"done":["ab`...), 0o644); err != nil {
		t.Fatal(err)
	}
	got := b.audit(memory.AuditInput{})
	if got.Facts < services/2 || got.Facts > 2*services-services/2 || len(got.Notes) != 1 || !strings.HasPrefix(got.Notes[0], "continued") {
		t.Errorf("examined %d facts: %q", got.Facts, got.Notes)
	}
	if diff := cmp.Diff(keysOf(want), keysOf(got)); diff != "" {
		t.Error(diff)
	}
	if got.Pairs >= want.Pairs*3/4 {
		t.Errorf("%d pairs after the interruption, %d without one", got.Pairs, want.Pairs)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the progress of a complete audit was kept")
	}
	if again := b.audit(memory.AuditInput{All: true}); len(again.Opened)+len(again.Closed) != 0 || again.Facts < 2*services || len(again.Notes) != 0 {
		t.Errorf("%d facts, %d opened: %q", again.Facts, len(again.Opened), again.Notes)
	}
}

func keysOf(r memory.AuditResult) (pairs []string) {
	for _, c := range r.Opened {
		pairs = append(pairs, c.KeyA+" "+c.KeyB)
	}
	slices.Sort(pairs)
	return pairs
}

// openProgress opens a memory that tells of its progress.
func openProgress(t *testing.T, dir string, progress func(task string, done, total int)) bench {
	t.Helper()
	c := newClock()
	m, err := memory.Open(t.Context(), dir, markerScanner{}, &memory.Options{Now: c.Now, NewID: numbered, Progress: progress})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return bench{m, t, dir, c}
}

// TestDisputesGrow with each commit that brings a conflict, to what reading all conflicts
// gives.
func TestDisputesGrow(t *testing.T) {
	b := newMemory(t)
	b.state("domain/infra/one", "The gateway listens on port 8001.", "ann")
	var keys []string
	for n := range 4 {
		key := fmt.Sprintf("domain/infra/other-%d", n)
		r := b.state(key, fmt.Sprintf("The gateway listens on port %d.", 9000+n), "ben")
		if len(r.Contradicts) == 0 || r.Conflicts == nil || *r.Conflicts == 0 {
			t.Fatalf("%s: %+v", key, r)
		}
		keys = append(keys, key)
	}
	id := b.conflicts(memory.ConflictsInput{})[0].ConflictID
	if _, err := b.Resolve(t.Context(), memory.ResolveInput{ConflictID: id, How: "dismissed", Reason: "a test"}); err != nil {
		t.Fatal(err)
	}
	r := b.state("domain/infra/last", "The gateway listens on port 9100.", "cleo")
	if r.Conflicts == nil {
		t.Fatalf("%+v", r)
	}
	grown := *r.Conflicts
	if err := os.Remove(filepath.Join(b.dir, ".git", "engram", "audit", "engram.conflicts.json")); err != nil {
		t.Fatal(err)
	}
	fresh := openMemory(t, b.dir)
	for _, key := range append(keys, "domain/infra/one", "domain/infra/last") {
		got, want := b.get(key).HasConflict, fresh.get(key).HasConflict
		if got == nil || want == nil || *got != *want {
			t.Errorf("%s: %v, read from scratch %v", key, got, want)
		}
	}
	if open := fresh.conflicts(memory.ConflictsInput{}); grown == 0 || len(open) < grown {
		t.Errorf("the last fact has %d conflicts, of %d", grown, len(open))
	}
}
