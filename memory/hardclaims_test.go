package memory_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"engram/memory"
)

// TestHardClaims commits pairs that are hard to read. What a commit says of them is one short
// line of text, and a claim contradicts no other that says the same.
func TestHardClaims(t *testing.T) {
	long := strings.Repeat("the gateway forwards each request to the backend that waits for ", 7)
	for name, pair := range map[string][2]string{
		"no stop":             {long + "30 seconds", long + "60 seconds"},
		"one word":            {strings.Repeat("x", 500), strings.Repeat("x", 499) + "y"},
		"a long name":         {"config_" + strings.Repeat("y", 400) + " is 5", "config_" + strings.Repeat("y", 400) + " is 6"},
		"a long address":      {"https://example.com/" + strings.Repeat("a", 400) + " returns 200", "https://example.com/" + strings.Repeat("a", 400) + " returns 404"},
		"many numbers":        {strings.Repeat("1 2 3 ", 80), strings.Repeat("3 2 1 ", 80)},
		"many clauses":        {strings.Repeat("the db is on; ", 35), strings.Repeat("the db is off; ", 33)},
		"German":              {"Der Server lauscht auf Port 8080.", "Der Server lauscht auf Port 9090."},
		"Chinese":             {strings.Repeat("会话在服务器上", 30) + "端口 8080。", strings.Repeat("会话在服务器上", 30) + "端口 9090。"},
		"Arabic":              {"الخادم يستمع على المنفذ 8080", "الخادم يستمع على المنفذ 9090"},
		"a table":             {"| env | port | |---|---| | dev | 5432 | | prod | 6432 |", "| env | port | |---|---| | dev | 5433 | | prod | 6432 |"},
		"code":                {"`for i := 0; i < 10; i++ { a[i] = b[i] }` is the hot loop", "`for i := 0; i < 20; i++ { a[i] = c[i] }` is the hot loop"},
		"JSON":                {`{"port": 8080, "host": "localhost"}`, `{"port": 9090, "host": "localhost"}`},
		"look-alikes":         {"The АPI listens on port 8080.", "The API listens on port 9090."},
		"combining marks":     {strings.Repeat("é", 250), strings.Repeat("e\u0301", 249)},
		"impossible numbers":  {"1/0 is 5% of 10^999999 req/s", "1/0 is 6% of 10^999999 req/s"},
		"nothing but denials": {"not not never no none", "yes always all"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newMemory(t)
			b.commit(memory.CommitInput{Claim: pair[0], Key: "domain/hard/a", Scope: "hard", Agent: "ann"})
			r := b.commit(memory.CommitInput{Claim: pair[1], Key: "domain/hard/b", Scope: "hard", Agent: "ben"})
			for _, list := range [][]memory.Met{r.Contradicts, r.Likely, r.Related} {
				for _, met := range list {
					if n := utf8.RuneCountInString(met.Explanation); n > 300 || !utf8.ValidString(met.Explanation) || strings.Contains(met.Explanation, "\n") {
						t.Errorf("%s, %d characters: %q", met.Grade, n, met.Explanation)
					}
				}
			}
			again := b.commit(memory.CommitInput{Claim: pair[0], Key: "domain/hard/c", Scope: "other/hard", Agent: "cid"})
			for _, met := range again.Contradicts {
				if met.Key == "domain/hard/a" {
					t.Errorf("it contradicts itself: %+v", met)
				}
			}
		})
	}
}
