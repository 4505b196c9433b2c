package index_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
	"engram/index"
)

func TestTerms(t *testing.T) {
	for _, c := range []struct {
		text string
		want string
	}{
		{"The caches are flushed", "cach flush"},
		{"AUTH_RATE_LIMIT", "auth_rate_limit auth rate limit"},
		{"refreshToken", "refreshtoken refresh token"},
		{"HTTPServerID2", "httpserverid2 http server id 2"},
		{"v1.29.3", "v1.29.3 v1 v 1 29 3"},
		{"sha256", "sha256 sha 256"},
		{"internal/auth/token.go", "internal/auth/token.go intern auth token.go token go"},
		{"internal/rateLimiter.go", "internal/ratelimiter.go intern ratelimiter.go ratelimiter rate limit go"},
		{"well-known", "well-known well known"},
		{"wait... what?", "wait"},
		{"a--b", "b"},
		{"user's don't", "user"},
		{"localhost:8080", "localhost 8080"},
		{"naïve Ærø straße Łódź", "naiv aero strass lodz"},
		{"e\u0301clair", "eclair"},
		{"ＦＵＬＬ width", "full width"},
		{"in\u00advisible", "invis"},
		{"日本語", "日本 本語"},
		{"木", "木"},
		{"Go言語", "go 言語"},
		{"한국어 검색", "한국 국어 검색"},
		{"привет ёлка", "привет елка"},
		{"to be or not to be", "to be or not to be"},
		{"", ""},
		{" \t\n.,;", ""},
		{strings.Repeat("x", 61), ""},
		{"data/" + strings.Repeat("y", 61) + "/end", "data end"},
	} {
		if diff := cmp.Diff(c.want, strings.Join(index.Terms(c.text), " ")); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, text := range []string{
		"", "AUTH_RATE_LIMIT", "refreshToken v1.29.3", "internal/auth/token.go", "日本語 naïve", "\xff\xfe", "a-_./b",
		"İstanbul ǅ ﬁ ß", "e\u0301", strings.Repeat("ab1", 100),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms := index.Terms(text)
		for _, term := range terms {
			if term == "" || len(term) > 60 || !utf8.ValidString(term) || strings.ContainsAny(term, " \n\t") {
				t.Errorf("%q gives the term %q", text, term)
			}
		}
		if diff := cmp.Diff(terms, index.Terms(text)); diff != "" {
			t.Errorf("%q gives other terms the second time: %s", text, diff)
		}
	})
}

func FuzzDocID(f *testing.F) {
	for _, id := range []index.DocID{
		{Key: "domain/c/k", Blob: strings.Repeat("0f", 20), Tip: true, Window: facts.Window{From: day(1)}},
		{Key: "paper/c/K/s", Blob: strings.Repeat("a0", 32), Window: facts.Window{From: day(1), Until: day(2)}},
		{Key: "domain/c/k", Blob: "no hex"}, {},
	} {
		f.Add(id.Encode())
	}
	f.Add("")
	f.Add("key\x00")
	f.Add("key\x00\x07\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
	f.Fuzz(func(t *testing.T, name string) {
		id, err := index.DecodeDocID(name)
		if err != nil {
			return
		}
		again, err := index.DecodeDocID(id.Encode())
		if err != nil {
			t.Fatalf("%q reads as %v, which does not read: %v", name, id, err)
		}
		if !index.GlimpseAgrees(id) {
			t.Errorf("%q: a glimpse shows something else", name)
		}
		if diff := cmp.Diff(id, again, cmp.AllowUnexported(id)); diff != "" {
			t.Errorf("%q: %s", name, diff)
		}
	})
}

func TestDocIDRoundTrip(t *testing.T) {
	traits := index.Traits{Text: 1 << 63, Committed: day(3), Agent: "claude", Type: facts.Decision, Verified: true, Entities: 3, Confidence: 80, Depth: 2, Figures: 9}
	for _, want := range []index.DocID{
		{Key: "domain/c/k", Blob: strings.Repeat("0f", 20), Tip: true, Window: facts.Window{From: day(1)}},
		{Key: "domain/c/k", Blob: strings.Repeat("0F", 20), Window: facts.Window{From: day(1), Until: day(2)}},
		{Key: "domain/c/k", Blob: "a\x00b"},
	} {
		want = want.With(traits)
		got, err := index.DecodeDocID(want.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(got)); diff != "" {
			t.Error(diff)
		}
	}
}
