package index_test

import (
	"slices"
	"testing"

	"engram/facts"
	"engram/index"
)

func recall(t *testing.T, x *index.Index, m *memory, q index.Query, keys ...string) (found []string, total int) {
	t.Helper()
	if q.Now.IsZero() {
		q.Now = day(20)
	}
	_, err := x.View(ctx, m.tip(), func(v *index.View) error {
		hits, n, _, err := v.Recall(ctx, q, keys)
		found, total = nil, n
		for _, h := range hits {
			found = append(found, h.Key.String())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found, total
}

func TestRecall(t *testing.T) {
	x, m := indexOf(t,
		fact(t, "domain/pay/limit", "The rate limit of refunds is strict", 1, func(f *facts.Fact) { f.Tags = []string{"hot-path"} }),
		fact(t, "domain/pay/file", "Refunds are paid once", 2, func(f *facts.Fact) {
			f.Pointers = []facts.Pointer{{Ref: "repo:billing/refund_queue.go#L3"}}
		}),
		fact(t, "domain/pay/gone", "The rate limit of refunds was soft", 3, func(f *facts.Fact) { f.TTL = "P1D" }))
	for _, c := range []struct {
		keys []string
		want []string
	}{
		{[]string{"rate limit"}, []string{"domain/pay/limit"}},
		{[]string{"limit rate"}, []string{"domain/pay/limit"}},
		{[]string{"hot-path"}, []string{"domain/pay/limit"}},
		{[]string{"billing/refund_queue.go"}, []string{"domain/pay/file", "domain/pay/limit"}}, // the latter has a word of it
		{[]string{"strict", "nothing at all"}, []string{"domain/pay/limit"}},
		{[]string{"zebra"}, nil},
		{nil, nil},
	} {
		if got, total := recall(t, x, m, index.Query{Text: "strict"}, c.keys...); !slices.Equal(got, c.want) || total != len(c.want) {
			t.Errorf("%q: %v of %d, want %v", c.keys, got, total, c.want)
		}
	}
	if got, total := recall(t, x, m, index.Query{Limit: 1}, "refunds"); len(got) != 1 || total != 2 {
		t.Errorf("a limit of 1: %v of %d", got, total)
	}
}

// What HashKeys names finds the fact again.
func TestHashKeysRecallTheirFact(t *testing.T) {
	f := fact(t, "domain/auth/limit", "The rate limit of the auth service is strict", 1, func(f *facts.Fact) {
		f.Tags = []string{"Hot-Path"}
		f.Pointers = []facts.Pointer{{Ref: "repo:internal/auth/rate_limit.go#L3"}}
	})
	x, m := indexOf(t, f, fact(t, "domain/other/thing", "Colours are warm", 1))
	keys := index.HashKeys(f, nil)
	if len(keys) == 0 || len(keys) > 32 {
		t.Fatalf("%d keys", len(keys))
	}
	for _, key := range keys {
		if got, _ := recall(t, x, m, index.Query{}, key); !slices.Equal(got, []string{"domain/auth/limit"}) {
			t.Errorf("%q recalls %v", key, got)
		}
	}
}
