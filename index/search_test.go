package index_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
	"engram/index"
)

func library(t testing.TB) []facts.Fact {
	return []facts.Fact{
		fact(t, "domain/auth/limit", "AUTH_RATE_LIMIT is 500 requests per minute", 1, func(f *facts.Fact) {
			f.Scope, f.Tags, f.Kind = "auth/login", []string{"Limits", "security"}, facts.KindConstraint
			f.Provenance.Agent = "claude"
		}),
		fact(t, "domain/auth/refresh", "refreshToken rotates after each use", 2, func(f *facts.Fact) {
			f.Scope, f.Tags, f.Type = "auth", []string{"security"}, facts.Decision
			f.ID, f.Lineage = "01BX5ZZKBKACTAV9WEVGEMMVRZ", "01BX5ZZKBKACTAV9WEVGEMMVS0"
		}),
		fact(t, "tool/build/version", "we build with v1.29.3 of the compiler", 3, func(f *facts.Fact) {
			f.Scope = "authority"
		}),
		fact(t, "tool/build/cache", "the build caches are flushed nightly", 4, func(f *facts.Fact) {
			f.Pointers = []facts.Pointer{{Ref: "repo:internal/auth/token.go#L12"}}
			f.Detail = "Flushing takes a quarter of an hour."
		}),
		fact(t, "tool/build/scratch", "scratch notes about the build", 5, func(f *facts.Fact) { f.Durability = facts.Ephemeral }),
		fact(t, "sdd/icr/spec", "ログの保存期間は三十日", 6),
		fact(t, "sdd/icr/spec/sub", "the café serves naïve crêpes", 7),
		fact(t, "sdd/icr2/spec", "to be or not to be", 8),
	}
}

func TestSearchFinds(t *testing.T) {
	x, m := indexOf(t, library(t)...)
	for _, c := range []struct {
		name  string
		query index.Query
		want  []string
	}{
		// Identifiers, whole and by their parts.
		{"identifier", index.Query{Text: "AUTH_RATE_LIMIT"}, []string{"domain/auth/limit", "domain/auth/refresh", "tool/build/cache"}},
		{"identifier, other case", index.Query{Text: "auth_rate_limit", Limit: 1}, []string{"domain/auth/limit"}},
		{"part of snake case", index.Query{Text: "rate"}, []string{"domain/auth/limit"}},
		{"part of camel case", index.Query{Text: "token refresh", Limit: 1}, []string{"domain/auth/refresh"}},
		{"version", index.Query{Text: "v1.29.3"}, []string{"tool/build/version"}},
		{"part of a version", index.Query{Text: "29"}, []string{"tool/build/version"}},
		{"path of a pointer", index.Query{Text: "internal/auth/token.go", Limit: 1}, []string{"tool/build/cache"}},
		{"file of a path", index.Query{Text: "token.go", Limit: 1}, []string{"tool/build/cache"}},
		// Words.
		{"stem", index.Query{Text: "cached flush"}, []string{"tool/build/cache"}},
		{"stem the other way", index.Query{Text: "rotation"}, []string{"domain/auth/refresh"}},
		{"accents", index.Query{Text: "cafe crepes"}, []string{"sdd/icr/spec/sub"}},
		{"accents in the question", index.Query{Text: "çafé"}, []string{"sdd/icr/spec/sub"}},
		{"CJK", index.Query{Text: "保存期間"}, []string{"sdd/icr/spec"}},
		{"CJK, one character is too few", index.Query{Text: "保"}, []string{}},
		{"detail", index.Query{Text: "quarter"}, []string{"tool/build/cache"}},
		{"stop words among words", index.Query{Text: "what is the rate"}, []string{"domain/auth/limit"}},
		{"stop words alone", index.Query{Text: "To be, or not to be?"}, []string{"sdd/icr2/spec"}},
		{"any word will do", index.Query{Text: "zebra rate giraffe"}, []string{"domain/auth/limit"}},
		{"no such word", index.Query{Text: "zebra"}, []string{}},
		// Operators and quotes are text.
		{"operators", index.Query{Text: `+rate -limit "per minute" AND NOT (x:y)^2 ~*?\ /`, Limit: 1}, []string{"domain/auth/limit"}},
		{"punctuation", index.Query{Text: `"'*?()[]{}:^~ -- //`}, []string{}},
		{"nothing", index.Query{}, []string{}},
		{"not UTF-8", index.Query{Text: "rate\xff\xfe"}, []string{"domain/auth/limit"}},
		// Filters.
		{"scope with sub-scopes", index.Query{Scope: "auth"}, []string{"domain/auth/refresh", "domain/auth/limit"}},
		{"scope with a slash", index.Query{Scope: "auth/login/"}, []string{"domain/auth/limit"}},
		{"part of a scope", index.Query{Scope: "aut"}, []string{}},
		{"kind", index.Query{Kind: facts.KindConstraint}, []string{"domain/auth/limit"}},
		{"kind by default", index.Query{Kind: facts.KindFact, Scope: "auth"}, []string{"domain/auth/refresh"}},
		{"type", index.Query{Type: facts.Decision}, []string{"domain/auth/refresh"}},
		{"type by default", index.Query{Type: facts.Observation, Scope: "auth"}, []string{"domain/auth/limit"}},
		{"agent", index.Query{Agent: "claude"}, []string{"domain/auth/limit"}},
		{"tag in any case", index.Query{Tags: []string{"LIMITS"}}, []string{"domain/auth/limit"}},
		{"all tags", index.Query{Tags: []string{"security", "limits"}}, []string{"domain/auth/limit"}},
		{"key prefix", index.Query{KeyPrefix: "sdd/icr"}, []string{"sdd/icr/spec/sub", "sdd/icr/spec"}},
		{"key", index.Query{KeyPrefix: "sdd/icr/spec/sub"}, []string{"sdd/icr/spec/sub"}},
		{"id", index.Query{ID: "01BX5ZZKBKACTAV9WEVGEMMVRZ"}, []string{"domain/auth/refresh"}},
		{"lineage", index.Query{Lineage: "01BX5ZZKBKACTAV9WEVGEMMVS0"}, []string{"domain/auth/refresh"}},
		{"hash", index.Query{Hash: facts.ContentHash("RefreshToken  rotates after each use")}, []string{"domain/auth/refresh"}},
		{"words and filter", index.Query{Text: "build", KeyPrefix: "tool"}, []string{"tool/build/cache", "tool/build/version"}},
		{"words and filter at odds", index.Query{Text: "rate", KeyPrefix: "tool"}, []string{}},
		// Durability and time.
		{"ephemeral", index.Query{Text: "scratch", Ephemeral: true}, []string{"tool/build/scratch"}},
		{"not ephemeral", index.Query{Text: "scratch"}, []string{}},
		{"as of before it began", index.Query{Text: "rate", AsOf: day(1).Add(-time.Second)}, []string{}},
		{"by a clock behind its writer's", index.Query{Text: "rate", Now: day(1).Add(-time.Second)}, []string{"domain/auth/limit"}},
		{"when it began", index.Query{Text: "rate", Now: day(1)}, []string{"domain/auth/limit"}},
		{"limit", index.Query{KeyPrefix: "tool", Limit: 1}, []string{"tool/build/cache"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, find(t, x, m, c.query)); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
		})
	}
}

func TestClaimMattersMost(t *testing.T) {
	x, m := indexOf(t,
		fact(t, "domain/c/detail", "nothing about it", 3, func(f *facts.Fact) { f.Detail = "see the ledger" }),
		fact(t, "domain/c/claim", "the ledger is closed", 1),
		fact(t, "domain/c/tag", "nothing about that", 2, func(f *facts.Fact) { f.Tags = []string{"ledger"} }))
	want := []string{"domain/c/claim", "domain/c/tag", "domain/c/detail"}
	if diff := cmp.Diff(want, find(t, x, m, index.Query{Text: "ledger"})); diff != "" {
		t.Error(diff)
	}
}

func TestEqualScoresAreOrderedByTimeThenKey(t *testing.T) {
	var list []facts.Fact
	for _, key := range []string{"bb", "aa", "dd", "cc"} {
		n := 1
		if key == "cc" {
			n = 2
		}
		list = append(list, fact(t, "domain/x/"+key, "same claim", n))
	}
	x, m := indexOf(t, list...)
	want := []string{"domain/x/cc", "domain/x/aa", "domain/x/bb"}
	if diff := cmp.Diff(want, find(t, x, m, index.Query{Text: "claim", Limit: 3})); diff != "" {
		t.Error(diff)
	}
}

// Every version is found as of the time it held, and the tip alone otherwise.
func TestAsOf(t *testing.T) {
	m := newMemory("main")
	x := index.New(t.TempDir(), m, nil)
	for _, v := range []struct {
		n     int
		claim string
	}{{3, "the limit is one"}, {6, "the limit is two"}, {9, "the limit is three"}} {
		m.put(fact(t, "domain/c/limit", v.claim, v.n))
		if _, err := x.CatchUp(ctx, m.tip()); err != nil {
			t.Fatal(err)
		}
	}
	m.put(fact(t, "domain/c/other", "limit with an end", 4, func(f *facts.Fact) { f.TTL = "P3D" }))
	for _, c := range []struct {
		n    int
		want []string
	}{
		{2, nil}, {3, []string{"one"}}, {5, []string{"one", "with an end"}}, {6, []string{"two", "with an end"}},
		{7, []string{"two"}}, {9, []string{"three"}}, {30, []string{"three"}},
	} {
		claims := claimsFound(t, x, m, index.Query{Text: "limit", AsOf: day(c.n)})
		if diff := cmp.Diff(c.want, claims); diff != "" {
			t.Errorf("as of day %d: want (-), got (+):\n%s", c.n, diff)
		}
	}
	if diff := cmp.Diff([]string{"three"}, claimsFound(t, x, m, index.Query{Text: "limit", Now: day(30)})); diff != "" {
		t.Errorf("now: %s", diff)
	}
}

// claimsFound returns how the claims that were found end, in order of the text.
func claimsFound(t *testing.T, x *index.Index, m *memory, q index.Query) (claims []string) {
	t.Helper()
	_, err := x.View(ctx, m.tip(), func(v *index.View) error {
		hits, _, err := v.Search(ctx, q)
		for _, h := range hits {
			f, err := facts.Parse(m.blobs[h.Blob])
			if err != nil {
				return err
			}
			_, end, _ := strings.Cut(f.Claim, "limit ")
			claims = append(claims, strings.TrimPrefix(end, "is "))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return claims
}

func TestHugeQuestion(t *testing.T) {
	x, m := indexOf(t, library(t)...)
	var b strings.Builder
	b.WriteString("rate ")
	for i := 0; b.Len() < 1<<20; i++ {
		b.WriteString("zz" + strings.Map(func(r rune) rune { return r - '0' + 'k' }, strconv.Itoa(i)) + " ")
	}
	if got := find(t, x, m, index.Query{Text: b.String()}); len(got) == 0 || got[0] != "domain/auth/limit" {
		t.Errorf("found %v", got)
	}
	if got := find(t, x, m, index.Query{Text: strings.Repeat("é", 1<<20)}); len(got) != 0 {
		t.Errorf("found %v", got)
	}
}

func TestTotalCountsEveryHit(t *testing.T) {
	var list []facts.Fact
	for i := range 30 {
		list = append(list, fact(t, fmt.Sprintf("domain/c/k%02d", i), "common word", 1, func(f *facts.Fact) {
			if i < 5 {
				f.TTL = "P1D"
			}
		}))
	}
	x, m := indexOf(t, list...)
	_, err := x.View(ctx, m.tip(), func(v *index.View) error {
		for q, want := range map[*index.Query]int{
			{Text: "common", Now: day(9)}:          25,
			{Text: "common", AsOf: day(9)}:         25,
			{Text: "common", AsOf: day(1).Add(-1)}: 0,
			{Text: "common", Now: day(1).Add(-1)}:  30, // a clock behind the writer's
		} {
			hits, total, err := v.Search(ctx, *q)
			if err != nil || total != want || len(hits) != min(10, want) {
				t.Errorf("%d hits of %d, %v; want %d in all", len(hits), total, err, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPlanned: a fact that somebody meant to begin later is not there before.
func TestPlanned(t *testing.T) {
	x, m := indexOf(t, fact(t, "domain/auth/limit", "The rate limit rises.", 3, func(f *facts.Fact) { f.Provenance.CreatedAt = day(1) }))
	if got := find(t, x, m, index.Query{Text: "rate", Now: day(2)}); len(got) != 0 {
		t.Errorf("found %v before it began", got)
	}
	if got := find(t, x, m, index.Query{Text: "rate", Now: day(3)}); len(got) != 1 {
		t.Errorf("found %v when it began", got)
	}
}
