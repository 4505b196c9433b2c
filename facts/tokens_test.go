package facts_test

import (
	"strings"
	"testing"

	"engram/facts"
)

func TestTokens(t *testing.T) {
	for text, want := range map[string]int{
		"":                          0,
		"   \n\t":                   0,
		"session":                   1,
		"Sessions live 30 minutes.": 5,
		"AUTH_RATE_LIMIT":           5,
		"refreshToken":              2,
		"1000000":                   3,
		"internationalisation":      2,
		"保存期間":                      4,
		strings.Repeat("x", 1000):   100,
	} {
		if got := facts.Tokens(text); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
}
