package memory_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"engram/facts"
	"engram/memory"
)

// BenchmarkPurgePreview looks for all that has to do with one of 1,000 facts in
// a history of 10,000 commits, in categories of 100.
func BenchmarkPurgePreview(b *testing.B) {
	m := purgeable(b, 10_000)
	for b.Loop() {
		r, err := m.Purge(b.Context(), memory.PurgeInput{Keys: []string{"domain/c0/fact-7"}})
		if err != nil || len(r.Versions) != 10 || r.Rewritten < 9_990 {
			b.Fatalf("%d versions, %d commits, %v", len(r.Versions), r.Rewritten, err)
		}
	}
}

// BenchmarkPurge does it.
func BenchmarkPurge(b *testing.B) {
	m := purgeable(b, 10_000)
	old := m.tip()
	for b.Loop() {
		if _, err := m.Purge(b.Context(), memory.PurgeInput{Keys: []string{"domain/c0/fact-7"}, Apply: true}); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		gitIn(b, m.dir, "update-ref", "refs/heads/engram", old)
		b.StartTimer()
	}
}

// purgeable is a memory with so many commits over 1,000 facts.
func purgeable(b *testing.B, commits int) bench {
	m := newMemory(b)
	var stream strings.Builder
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range commits {
		at := start.Add(time.Duration(i) * time.Minute)
		f := facts.Fact{
			Key: facts.Key{Namespace: "domain", Category: fmt.Sprintf("c%d", i%1000/100), Identifier: fmt.Sprintf("fact-%d", i%1000)},
			ID:  numbered(at), Lineage: fmt.Sprintf("01ARZ3NDEKTSV4RRFFQ%07d", 9_000_000+i%1000),
			Claim: fmt.Sprintf("Setting %d of the service is %d, as measured at run %d.", i%1000, i*7, i), ValidFrom: at,
		}
		message, data := fmt.Sprintf("update %s: %s\n", f.Key, f.Claim), facts.Marshal(f)
		from := ""
		if i == 0 {
			from = "from refs/heads/engram^0\n"
		}
		fmt.Fprintf(&stream, "commit refs/heads/engram\ncommitter Ada <ada@example.com> %d +0000\ndata %d\n%s\n%sM 100644 inline %s\ndata %d\n%s\n",
			at.Unix(), len(message), message, from, f.Key.Path(), len(data), data)
	}
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stdin = m.dir, strings.NewReader(stream.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("git fast-import: %v\n%s", err, out)
	}
	return m
}
