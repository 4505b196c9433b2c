package memory_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"engram/memory"
)

func TestParseLifetime(t *testing.T) {
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{
		"": 0, "30m": 30 * time.Minute, "PT30M": 30 * time.Minute, "8h": 8 * time.Hour, "1h30m": 90 * time.Minute,
		"1d": day, "P1D": day, "2w": 14 * day, "P2W": 14 * day, "30d": 30 * day, "P30D": 30 * day, "P1DT1H": 25 * time.Hour, "7": 7 * day,
	} {
		if got, err := memory.ParseLifetime(text); err != nil || got != want {
			t.Errorf("%q is %s, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"90d": "30 days at most", "P90D": "30 days at most", "P2M": "30 days at most", "P1Y": "30 days at most", "721h": "30 days at most", "P1000000D": "30 days at most",
		"PT1000000H": "30 days at most", "65535w": "30 days at most", "P900000Y": "30 days at most",
		"soon": "not a duration", "0s": "not a duration", "-1h": "not a duration", "0d": "not a duration", "-1d": "not a duration", "P": "not a duration", "1 d": "not a duration", "d": "not a duration",
	} {
		got, err := memory.ParseLifetime(text)
		if code, hint := classified(err); got != 0 || !errors.Is(err, memory.ErrUsage) || !strings.Contains(err.Error(), want) || code != memory.CodeUsage || !strings.Contains(hint, "30 days") {
			t.Errorf("%q: %s, %v", text, got, err)
		}
	}
}
