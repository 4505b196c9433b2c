package terms_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"engram/internal/terms"
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
		if diff := cmp.Diff(c.want, strings.Join(terms.Terms(c.text), " ")); diff != "" {
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
		got := terms.Terms(text)
		for _, term := range got {
			if term == "" || len(term) > 60 || !utf8.ValidString(term) || strings.ContainsAny(term, " \n\t") {
				t.Errorf("%q gives the term %q", text, term)
			}
		}
		if diff := cmp.Diff(got, terms.Terms(text)); diff != "" {
			t.Errorf("%q gives other terms the second time: %s", text, diff)
		}
	})
}
