package facts_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/facts"
)

func at(s string) time.Time {
	t, err := facts.ParseTime(s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestParseTime(t *testing.T) {
	utc := func(y int, m time.Month, d, h, min, s, ms int) time.Time {
		return time.Date(y, m, d, h, min, s, ms*1e6, time.UTC)
	}
	for text, want := range map[string]time.Time{
		"2026-04-30":                         utc(2026, 4, 30, 0, 0, 0, 0),
		"2026-04-30T12:00:00Z":               utc(2026, 4, 30, 12, 0, 0, 0),
		"2026-04-30T12:00:00.1239Z":          utc(2026, 4, 30, 12, 0, 0, 123),
		"2026-04-30T01:30:00+02:00":          utc(2026, 4, 29, 23, 30, 0, 0),
		"1900-01-01T00:00:00Z":               utc(1900, 1, 1, 0, 0, 0, 0),
		"9999-12-31T23:59:59.999999Z":        utc(9999, 12, 31, 23, 59, 59, 999),
		"1899-12-31T23:00:00-05:00":          utc(1900, 1, 1, 4, 0, 0, 0),
		"2024-02-29":                         utc(2024, 2, 29, 0, 0, 0, 0),
		"1899-12-31":                         {},
		"9999-12-31T23:00:00-05:00":          {},
		"0001-01-01T00:00:00Z":               {},
		"2026-02-30":                         {},
		"2026-04-30 12:00:00":                {},
		"2026-04-30T12:00:00":                {},
		"2026-04":                            {},
		"30.4.2026":                          {},
		"yesterday":                          {},
		"":                                   {},
		"+2026-04-30":                        {},
		strings.Repeat("2026-04-30", 10_000): {},
	} {
		got, err := facts.ParseTime(text)
		if !got.Equal(want) || (err != nil) != want.IsZero() || got.Location() != time.UTC {
			t.Errorf("ParseTime(%.40q) = %v, %v, want %v", text, got, err, want)
		}
		if err != nil && len(err.Error()) > 200 {
			t.Errorf("the error for %.40q has %d bytes", text, len(err.Error()))
		}
	}
}

func TestParseTTL(t *testing.T) {
	for text, want := range map[string]facts.Period{
		"P7D":                  {Days: 7},
		"PT6H":                 {Exact: 6 * time.Hour},
		"P1Y2M":                {Years: 1, Months: 2},
		"P2W":                  {Days: 14},
		"P1W1D":                {Days: 8},
		"P1Y2M3DT4H5M6S":       {Years: 1, Months: 2, Days: 3, Exact: 4*time.Hour + 5*time.Minute + 6*time.Second},
		"PT90M":                {Exact: 90 * time.Minute},
		"P1M":                  {Months: 1},
		"PT1M":                 {Exact: time.Minute},
		"7":                    {Days: 7},
		"1000000":              {Days: 1_000_000},
		"P1000000D":            {Days: 1_000_000},
		"PT1000000H":           {Exact: 1_000_000 * time.Hour},
		"":                     {},
		"0":                    {},
		"-7":                   {},
		"+7":                   {},
		"1.5":                  {},
		"1000001":              {},
		"P1000001D":            {},
		"P1000000W":            {},
		"P1W1000000D":          {},
		"P1000001Y":            {},
		"P9999999999999M":      {},
		"PT1000000H1S":         {},
		"P":                    {},
		"PT":                   {},
		"P1YT":                 {},
		"P0D":                  {},
		"PT0S":                 {},
		"P-1D":                 {},
		"P1.5D":                {},
		"P1D1Y":                {},
		"P1D1D":                {},
		"P1H":                  {},
		"PT1D":                 {},
		"P7":                   {},
		"PD":                   {},
		"p7d":                  {},
		" P7D":                 {},
		"P7D ":                 {},
		"P7DT1HT1M":            {},
		"P\u0667D":             {},
		"7 days":               {},
		"99999999999999999999": {},
	} {
		got, err := facts.ParseTTL(text)
		if diff := cmp.Diff(want, got); diff != "" || (err != nil) != (want == facts.Period{}) {
			t.Errorf("ParseTTL(%q): %v %s", text, err, diff)
		}
	}
}

func TestPeriodString(t *testing.T) {
	if got := (facts.Period{}).String(); got != "P0D" {
		t.Fatalf("no time is written %q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := genPeriod(t)
		if back, err := facts.ParseTTL(p.String()); err != nil || back != p {
			t.Fatalf("%s reads as %+v, %v, want %+v", p, back, err, p)
		}
	})
}

func genPeriod(t *rapid.T) facts.Period {
	return facts.Period{
		Years:  rapid.IntRange(0, 1_000_000).Draw(t, "years"),
		Months: rapid.IntRange(0, 1_000_000).Draw(t, "months"),
		Days:   rapid.IntRange(1, 1_000_000).Draw(t, "days"),
		Exact:  time.Duration(rapid.IntRange(0, 3_600_000_000).Draw(t, "seconds")) * time.Second,
	}
}

func TestPeriodAfter(t *testing.T) {
	for _, tt := range []struct{ ttl, from, want string }{
		{"P7D", "2026-02-25", "2026-03-04"},
		{"P1M", "2026-01-31", "2026-03-03"},
		{"P1M", "2024-01-31", "2024-03-02"},
		{"P1Y", "2024-02-29", "2025-03-01"},
		{"PT36H", "2026-03-28T12:00:00.5Z", "2026-03-30T00:00:00.5Z"},
		{"P1D", "2026-04-30T01:00:00+02:00", "2026-04-30T23:00:00Z"},
		{"P9000Y", "2026-04-30", "9999-12-31T23:59:59.999Z"},
		{"P1000000Y1000000M1000000DT1000000H", "2026-04-30", "9999-12-31T23:59:59.999Z"},
	} {
		p, err := facts.ParseTTL(tt.ttl)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.After(at(tt.from)); !got.Equal(at(tt.want)) {
			t.Errorf("%s after %s is %s, want %s", tt.ttl, tt.from, got, tt.want)
		}
	}
}
