package app

import (
	"testing"
	"time"

	"engram/cmd/internal/term"
)

func TestParseTime(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 999, time.UTC)
	for text, want := range map[string]string{
		"now": "2026-05-01T12:00:00Z", "today": "2026-05-01T00:00:00Z", "yesterday": "2026-04-30T00:00:00Z",
		"3d ago": "2026-04-28T12:00:00Z", "3 days ago": "2026-04-28T12:00:00Z", "2w": "2026-04-17T12:00:00Z", "90m": "2026-05-01T10:30:00Z",
		"36 hours ago": "2026-04-30T00:00:00Z", "1y": "2025-05-01T12:00:00Z", "6 months": "2025-11-01T12:00:00Z", "15s": "2026-05-01T11:59:45Z",
		"2026-04-30": "2026-04-30T00:00:00Z", "2026-04-30T12:00:00+02:00": "2026-04-30T10:00:00Z",
	} {
		got, err := parseTime(text, now)
		if err != nil || term.Stamp(got) != want {
			t.Errorf("parseTime(%q) = %s, %v; want %s", text, term.Stamp(got), err, want)
		}
	}
	for _, text := range []string{"", "ago", "3", "d", "3 fortnights", "-3d", "99999999999999999999d", "2000000d", "tomorrow", "30.4.2026"} {
		if got, err := parseTime(text, now); err == nil {
			t.Errorf("parseTime(%q) = %s, want an error", text, got)
		}
	}
}
