package compare_test

import (
	"testing"
	"time"

	"engram/detect"
	"engram/memory/internal/compare"
)

// TestInformation: each pair tells more than the next.
func TestInformation(t *testing.T) {
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	since := func(days int) time.Time { return now.AddDate(0, 0, -days) }
	best := 2.0
	for _, tt := range []struct {
		name string
		compare.Prospect
	}{
		{"an even chance, grave", compare.Prospect{Kinship: 0.8, Signal: 0.5, Severity: detect.High, Begun: now}},
		{"likelier", compare.Prospect{Kinship: 0.8, Signal: 0.65, Severity: detect.High, Begun: now}},
		{"a medium one", compare.Prospect{Kinship: 0.8, Signal: 0.65, Severity: detect.Medium, Begun: now}},
		{"as sure as rules get", compare.Prospect{Kinship: 0.8, Signal: 0.99, Severity: detect.Medium, Begun: now}},
		{"a faint signal", compare.Prospect{Kinship: 0.8, Signal: 0.2, Severity: detect.Medium, Begun: now}},
		{"the same a week later", compare.Prospect{Kinship: 0.8, Signal: 0.2, Severity: detect.Medium, Begun: since(7)}},
		{"no signal, the same matter", compare.Prospect{Kinship: 1, Begun: now}},
		{"farther apart", compare.Prospect{Kinship: 0.6, Begun: now}},
		{"a month later", compare.Prospect{Kinship: 0.6, Begun: since(30)}},
		{"years later", compare.Prospect{Kinship: 0.6, Begun: since(3000)}},
		{"nothing known", compare.Prospect{Begun: now}},
	} {
		got := tt.Information(now)
		if got < 0 || got > 1 || got >= best {
			t.Errorf("%s: %.3f, after %.3f", tt.name, got, best)
		}
		best = got
	}
	if a, b := (compare.Prospect{Kinship: 1, Begun: since(-5)}), (compare.Prospect{Kinship: 1, Begun: now}); a.Information(now) != b.Information(now) {
		t.Error("a fact that has not begun counts for more")
	}
}
