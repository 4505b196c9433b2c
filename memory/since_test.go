package memory_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"engram/memory"
)

// TestFactsSince: who follows the pages gets each fact once, also those of one moment.
func TestFactsSince(t *testing.T) {
	b := newMemory(t)
	var ins []memory.CommitInput
	for i := range 7 { // one commit, one moment
		ins = append(ins, memory.CommitInput{Claim: fmt.Sprintf("Shared claim %d.", i), Key: fmt.Sprintf("domain/s/c%d", i), Scope: "shared/api", Reach: "org"})
	}
	if _, err := b.CommitAll(t.Context(), ins); err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		b.commit(memory.CommitInput{Claim: fmt.Sprintf("Later claim %d.", i), Key: fmt.Sprintf("domain/s/l%d", i), Scope: "shared", Reach: "global"})
	}
	b.commit(memory.CommitInput{Claim: "It is ours.", Key: "domain/s/ours", Scope: "shared"})
	b.commit(memory.CommitInput{Claim: "It is of another topic.", Key: "domain/s/other", Scope: "sharedness", Reach: "org"})
	b.commit(memory.CommitInput{Claim: "It is for today.", Key: "domain/s/today", Scope: "shared", Reach: "org", Durability: "ephemeral"})
	seen := map[string]int{}
	other := openMemory(t, b.dir) // another process reads
	in, pages := memory.SinceInput{Scope: "shared/*", Limit: 3}, 0
	for more := true; more; pages++ {
		r, err := other.FactsSince(t.Context(), in)
		if err != nil || pages > 20 {
			t.Fatal(err, pages)
		}
		for _, f := range r.Facts {
			seen[f.Key.String()]++
		}
		if pages == 0 && r.Withheld != 2 {
			t.Errorf("%d withheld, want what is ours and what is ephemeral", r.Withheld)
		}
		in.After, more = r.Next, r.More
	}
	if len(seen) != 13 || pages != 3 {
		t.Errorf("%d facts in %d pages: %v", len(seen), pages, seen)
	}
	for key, n := range seen {
		if n != 1 {
			t.Errorf("%s came %d times", key, n)
		}
	}
	b.clock.add(time.Minute)
	if _, err := b.Retire(t.Context(), "domain/s/c3", "gone", ""); err != nil {
		t.Fatal(err)
	}
	r, err := b.FactsSince(t.Context(), in)
	if err != nil || len(r.Facts) != 1 || r.Facts[0].State != "retired" || r.More {
		t.Errorf("after a retirement: %+v, %v", r, err)
	}
	if r, err = b.FactsSince(t.Context(), memory.SinceInput{After: r.Next}); err != nil || len(r.Facts) != 0 || !r.Next.Equal(in.After) && r.Next.IsZero() {
		t.Errorf("at the end: %+v, %v", r, err)
	}
	if _, err := b.FactsSince(t.Context(), memory.SinceInput{Limit: 1001}); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("a limit of 1,001: %v", err)
	}
}

// TestFactsSinceExpired: what expired counts from when it was committed, what was
// retired from when that was.
func TestFactsSinceExpired(t *testing.T) {
	b := newMemory(t)
	for _, c := range []memory.CommitInput{
		{Claim: "It holds for an hour.", Key: "domain/s/hour", TTL: "PT1H"},
		{Claim: "It is retired later.", Key: "domain/s/retired"},
		{Claim: "It stays.", Key: "domain/s/stays"},
	} {
		c.Scope, c.Reach = "shared", "org"
		b.commit(c)
		b.clock.add(time.Minute)
	}
	b.clock.add(2 * time.Hour)
	if _, err := b.Retire(t.Context(), "domain/s/retired", "gone", ""); err != nil {
		t.Fatal(err)
	}
	var after time.Time
	for _, want := range []string{"domain/s/hour expired", "domain/s/stays current", "domain/s/retired retired"} {
		r, err := b.FactsSince(t.Context(), memory.SinceInput{After: after, Limit: 1})
		if err != nil || len(r.Facts) != 1 || r.Facts[0].Key.String()+" "+string(r.Facts[0].State) != want {
			t.Fatalf("%+v, %v, want %s", r, err, want)
		}
		if last := want == "domain/s/retired retired"; r.More == last {
			t.Errorf("%s: more is %t", want, r.More)
		}
		after = r.Next
	}
}
