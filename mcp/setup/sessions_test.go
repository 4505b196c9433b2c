package setup

import (
	"strings"
	"testing"
)

// TestNoSessions: the option takes out the hooks that only capture, and keeps the others
// from it; another set-up brings them back.
func TestNoSessions(t *testing.T) {
	with := testBuilder(nil)
	without := with
	without.NoSessions = true
	begun, err := with.grouped(claudeEvents).put("{}\n")
	if err != nil {
		t.Fatal(err)
	}
	got, err := without.grouped(claudeEvents).put(begun)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(got, "UserPromptSubmit") || strings.Contains(got, "hook tool") || strings.Count(got, " --no-sessions\"") != 3 {
		t.Errorf("%s", got)
	}
	again, err := with.grouped(claudeEvents).put(got)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range claudeEvents {
		if !strings.Contains(again, "hook "+e.hook+" --client claude-code\"") {
			t.Errorf("%s is missing: %s", e.hook, again)
		}
	}
}
