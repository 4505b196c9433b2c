package memory_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"engram/facts"
	"engram/memory"
)

func (b bench) recent(in memory.RecentInput) (keys []string, result memory.RecentResult) {
	b.t.Helper()
	r, err := b.Recent(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, hit := range r.Results {
		keys = append(keys, hit.Key.String())
	}
	return keys, r
}

// TestRecent: newest first, over many commits, and only what holds and may be read.
func TestRecent(t *testing.T) {
	b := newMemory(t)
	if keys, r := b.recent(memory.RecentInput{}); len(keys) != 0 || r.Total != 0 {
		t.Errorf("an empty memory: %v", keys)
	}
	var want []string
	for i := range 40 {
		key := fmt.Sprintf("tool/t%d/claim", i)
		b.commit(memory.CommitInput{Claim: fmt.Sprintf("Tool %d has a setting.", i), Key: key})
		if i%7 == 0 {
			b.recent(memory.RecentInput{}) // the index grows in between
		}
		want = append(want, key)
	}
	b.commit(memory.CommitInput{Claim: "Tool 3 has two settings.", Key: "tool/t3/claim"})
	b.commit(memory.CommitInput{Claim: "It held before all others.", Key: "tool/early/claim", ValidFrom: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)})
	b.commit(memory.CommitInput{Claim: "A scratch note.", Key: "tool/scratch/claim", Durability: "ephemeral"})
	b.commit(memory.CommitInput{Claim: "The vault is payments'.", Key: "tool/vault/claim", Scope: "payments"})
	if _, err := b.Retire(t.Context(), "tool/t39/claim", "gone", ""); err != nil {
		t.Fatal(err)
	}
	want = append(slices.Delete(want[:39], 3, 4), "tool/t3/claim", "tool/vault/claim")
	slices.Reverse(want)
	want = append(want, "tool/early/claim")

	if keys, r := b.recent(memory.RecentInput{Limit: 50, Budget: 1 << 20}); !slices.Equal(keys, want) || r.Total != len(want) || r.Revision != b.tip() {
		t.Errorf("got %v, want %v (total %d)", keys, want, r.Total)
	}
	if keys, r := b.recent(memory.RecentInput{Limit: 3}); !slices.Equal(keys, want[:3]) || r.Total != len(want) {
		t.Errorf("the newest three: %v of %d", keys, r.Total)
	}
	if keys, _ := b.recent(memory.RecentInput{KeyPrefix: "tool/t3"}); !slices.Equal(keys, []string{"tool/t3/claim"}) {
		t.Errorf("below a prefix: %v", keys)
	}
	if keys, _ := b.recent(memory.RecentInput{Without: []string{"tool/vault"}, Limit: 1}); !slices.Equal(keys, want[1:2]) {
		t.Errorf("without a prefix: %v", keys)
	}
	if keys, r := b.recent(memory.RecentInput{Budget: 250}); len(keys) == 0 || r.Omitted == 0 || r.Tokens > 250 {
		t.Errorf("a small budget: %v, %d omitted, %d tokens", keys, r.Omitted, r.Tokens)
	}
	if _, err := b.Recent(t.Context(), memory.RecentInput{Limit: 51}); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("limit 51: %v", err)
	}
	b.agree("permissions:", "  - {agent: guest, scope: payments, read: false}")
	if keys, r := b.recent(memory.RecentInput{Limit: 1, AskedBy: "guest"}); !slices.Equal(keys, want[1:2]) || r.Total != len(want)-1 {
		t.Errorf("as a guest: %v of %d", keys, r.Total)
	}
}

// TestKeyOf: by every id that a fact has or had.
func TestKeyOf(t *testing.T) {
	b := newMemory(t)
	first := b.commit(memory.CommitInput{Claim: "A holds.", Key: "tool/a/one"})
	second := b.commit(memory.CommitInput{Claim: "A holds twice.", Key: "tool/a/one"})
	other := b.commit(memory.CommitInput{Claim: "B holds.", Key: "tool/b/one"})
	for id, want := range map[string]string{first.FactID: "tool/a/one", second.FactID: "tool/a/one", first.LineageID: "tool/a/one", other.FactID: "tool/b/one"} {
		if key, err := b.KeyOf(t.Context(), id); err != nil || key.String() != want {
			t.Errorf("%s: %s, %v", id, key, err)
		}
	}
	moved := b.commit(memory.CommitInput{Claim: "A holds thrice.", Key: "tool/c/one", Lineage: first.LineageID, Operation: string(facts.OpUpdate)})
	if key, err := b.KeyOf(t.Context(), first.LineageID); err != nil || key.String() != moved.Key {
		t.Errorf("a lineage that moved: %s, %v", key, err)
	}
	if _, err := b.KeyOf(t.Context(), "01ARZ3NDEKTSV4RRFFQ69G5FAV"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("an id that nothing has: %v", err)
	}
}
