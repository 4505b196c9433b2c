package memory_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/memory"
)

var updateGolden = flag.Bool("update", false, "rewrite the golden files in testdata")

// TestMergedRanking keeps what questions to two memories give in a golden file, so
// that a change of quality is a change that somebody reviews.
func TestMergedRanking(t *testing.T) {
	theirs, b := newMemory(t), newMemory(t)
	fill := func(m bench, reach string, facts [][3]string) {
		t.Helper()
		for _, f := range facts {
			m.commit(memory.CommitInput{Key: f[0], Scope: f[1], Claim: f[2], Reach: reach})
			m.clock.add(24 * time.Hour)
		}
	}
	fill(theirs, "org", [][3]string{
		{"architecture/logging/format", "shared/logging", "Every service logs to stdout as JSON, one object a line."},
		{"architecture/logging/retention", "shared/logging", "Logs are kept for 30 days and then deleted."},
		{"architecture/retry/policy", "shared/retry", "HTTP clients retry three times with exponential backoff and jitter."},
		{"architecture/auth/tokens", "shared/auth", "Access tokens are JWTs signed with ES256 and live 10 minutes."},
		{"architecture/release/day", "shared/release", "Releases are cut on Tuesdays by the platform team."},
		{"tool/ci/runners", "shared/ci", "CI runners have four cores and 16 GB of memory."},
		{"tool/go/version", "shared/go", "Services are built with Go 1.26."},
	})
	fill(b, "project", [][3]string{
		{"domain/payments/retry", "payments", "The payments client retries five times, because the bank drops connections."},
		{"domain/payments/amounts", "payments", "Amounts are integers of the smallest unit of a currency."},
		{"domain/auth/session", "auth/session", "Sessions live 15 minutes and are renewed by each request."},
		{"domain/gateway/log", "gateway", "The gateway logs requests to a file as well as to stdout."},
		{"domain/ci/flaky", "ci", "The browser tests are flaky on runners with two cores."},
		{"tool/go/lint", "go", "golangci-lint runs before each commit."},
	})
	b.addSource("org", theirs.dir, "shared")
	var text strings.Builder
	for _, question := range []string{
		"how often do clients retry", "how long does a token live", "where do services log to", "how many cores does a CI runner have",
		"when are releases cut", "which version of Go", "how long does a session live", "what is an amount", "is there a database",
	} {
		r := b.query(memory.QueryInput{Question: question, Limit: 4})
		fmt.Fprintf(&text, "%s\n", question)
		for _, h := range r.Results {
			fmt.Fprintf(&text, "  %.2f  %-4s %s\n", h.Score, h.Origin, h.Key)
		}
	}
	const file = "testdata/merged_ranking.golden"
	if *updateGolden {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("the ranking changed; -update takes it:\n%s", diff)
	}
}
