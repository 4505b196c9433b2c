package app

import (
	"testing"
	"time"
)

// FuzzParseTime: nothing panics, and what is read is a moment.
func FuzzParseTime(f *testing.F) {
	for _, seed := range []string{"2w ago", "2026-04-30", "2026-04-30T12:00:00Z", "999999999999y ago", "-1d ago", "yesterday"} {
		f.Add(seed)
	}
	now := time.Date(2026, 4, 30, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		if moment, err := parseTime(text, now); err == nil && moment.IsZero() {
			t.Fatalf("%q is no moment", text)
		}
	})
}
