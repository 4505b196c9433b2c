package main

import (
	"os"
	"testing"

	"engram/eval/torture"
)

// TestTorture puts the real program through all measures; docs/reliability.md has the
// figures of long runs, and ENGRAM_TEST_FULL=1 makes one.
func TestTorture(t *testing.T) {
	home := t.TempDir()
	options := torture.Options{Writes: 16, Histories: 1, Answers: 4, Secrets: 6}
	if os.Getenv("ENGRAM_TEST_FULL") != "" {
		options = torture.Options{Writes: 10000, Histories: 500, Answers: 1000, Secrets: 240}
	}
	report, err := torture.Run(t.Context(), "engram", torture.NewEngram(engramIn(t, home)), t.TempDir(), options)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		t.Logf("%s: %d tried, %d acknowledged, %d refused, %d killed, %d bad", r.Measure, r.Tried, r.Acknowledged, r.Refused, r.Kills, r.Bad)
		if r.Measure == "secrets" { // how many are found is measured in package secret
			if r.Failed > 0 || r.Refused == 0 {
				t.Errorf("%+v", r)
			}
			continue
		}
		if r.Bad+r.Failed > 0 || r.Unsupported {
			t.Errorf("%+v", r)
		}
	}
}
