package bus_test

import (
	"errors"
	"testing"
	"time"

	"engram/bus"
)

func TestParseLifetime(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"PT30M": 30 * time.Minute, "P1D": 24 * time.Hour, "P30D": bus.MaxGrantLifetime, "P29DT24H": bus.MaxGrantLifetime, "PT720H": bus.MaxGrantLifetime,
		"P31D": 0, "P30DT1S": 0, "P999999D": 0, "P106752D": 0, "P213504D": 0, "PT999999999H": 0, "P1M": 0, "P1Y": 0, "PT0S": 0, "": 0, "1h": 0, "P-1D": 0,
	} {
		got, err := bus.ParseLifetime(text)
		if got != want || (want == 0) != errors.Is(err, bus.ErrLifetime) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}
