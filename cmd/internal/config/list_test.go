package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestConfigLists: settings with several entries are a list in the file, or one text.
func TestConfigLists(t *testing.T) {
	for _, text := range []string{
		"bus:\n  parents: lead, the planner\ndetect:\n  high_stakes: payments, auth/login\n",
		"bus:\n  parents: [lead, the planner]\ndetect:\n  high_stakes: [payments, auth/login]\n",
		"bus:\n  parents:\n    - lead\n    - \"the planner\"\ndetect:\n  high_stakes:\n    - payments\n    - auth/login\n",
	} {
		s, err := parseConfig([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff([]string{"lead", "the planner"}, s.Bus.Options().Parents); diff != "" {
			t.Errorf("%s: parents (-want +got):\n%s", text, diff)
		}
		if diff := cmp.Diff([]string{"payments", "auth/login"}, s.Detection.Scopes()); diff != "" {
			t.Errorf("%s: scopes (-want +got):\n%s", text, diff)
		}
	}
	if s, err := parseConfig([]byte("bus:\n  parents: []\n")); err != nil || len(s.Bus.Options().Parents) > 0 {
		t.Errorf("an empty list names %q, %v", s.Bus.Options().Parents, err)
	}
	for text, want := range map[string]string{
		"bus:\n  parents: {a: b}\n":      "line 2: bus.parents: it takes a list",
		"bus:\n  parents: [a, [b]]\n":    "bus.parents: entry 2",
		"bus:\n  parents: [a, ~]\n":      "bus.parents: entry 2",
		"bus:\n  parents: [\"a, b\"]\n":  "bus.parents: entry 1",
		"bus:\n  turn_time: [30m, 1h]\n": "bus.turn_time: it takes one value",
		"agent: [a]\n":                   "agent: it takes one value",
	} {
		if _, err := parseConfig([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
