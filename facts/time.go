package facts

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

const timeLayout = "2006-01-02T15:04:05.999Z" // RFC 3339 in UTC, whole milliseconds

// maxTime is the last moment that RFC 3339 can write.
var maxTime = time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC)

// ParseTime reads a moment: RFC 3339, or a date, which means its first moment
// in UTC. The years 1900 to 9999 are accepted. The result is in UTC and whole
// milliseconds, rounded down.
func ParseTime(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil && plausibleYear(t.UTC()) {
			return t.UTC().Truncate(timePrecision), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time such as 2026-04-30T12:00:00Z or 2026-04-30", abridge(s, 40))
}

// plausibleYear keeps to the years that RFC 3339 can write and in which
// somebody may have stated something.
func plausibleYear(t time.Time) bool { return t.Year() >= 1900 && t.Year() <= 9999 }

// Period is a length of time as ISO 8601 has it: calendar units are kept apart
// from exact ones, because a month has no fixed length.
type Period struct {
	Years, Months, Days int
	Exact               time.Duration // whole seconds
}

// After returns the moment one period after t, in UTC, or the last moment of
// the year 9999 if that is earlier. A month after 31 January is 3 March (2 in
// a leap year), as time.Time.AddDate counts.
func (p Period) After(t time.Time) time.Time {
	end := t.UTC().AddDate(p.Years, p.Months, p.Days).Add(p.Exact).Truncate(timePrecision)
	if end.After(maxTime) {
		return maxTime
	}
	return end
}

// maxPeriodUnits bounds each number in a TTL, and the days that weeks and days
// come to; no duration needs more and smaller numbers cannot overflow.
const maxPeriodUnits = 1_000_000

// ParseTTL reads a time to live: an ISO-8601 duration of whole units (P7D,
// PT6H, P1Y2M, P2W) or a bare number of days (7). It
// is longer than nothing.
func ParseTTL(s string) (Period, error) {
	text := s
	if s != "" && strings.Trim(s, "0123456789") == "" {
		text = "P" + s + "D"
	}
	rest, ok := strings.CutPrefix(text, "P")
	date, clock, hasClock := strings.Cut(rest, "T")
	var p Period
	ok = ok && hasClock == (clock != "") &&
		readUnits(date, "YMWD", p.addDate) && readUnits(clock, "HMS", p.addClock)
	if !ok || p == (Period{}) || p.Days > maxPeriodUnits || p.Exact > maxPeriodUnits*time.Hour {
		return Period{}, fmt.Errorf("ttl %q is neither an ISO-8601 duration such as P7D or PT6H nor a number of days, at most %d", abridge(s, 40), maxPeriodUnits)
	}
	return p, nil
}

func (p *Period) addDate(unit byte, n int) {
	switch unit {
	case 'Y':
		p.Years = n
	case 'M':
		p.Months = n
	case 'W':
		p.Days += 7 * n
	case 'D':
		p.Days += n
	}
}

func (p *Period) addClock(unit byte, n int) {
	switch unit {
	case 'H':
		p.Exact += time.Duration(n) * time.Hour
	case 'M':
		p.Exact += time.Duration(n) * time.Minute
	case 'S':
		p.Exact += time.Duration(n) * time.Second
	}
}

// readUnits reads number-unit pairs whose units come in the given order.
func readUnits(s, units string, add func(unit byte, n int)) bool {
	for s != "" {
		digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
		if digits == 0 || digits == len(s) {
			return false
		}
		n, err := strconv.Atoi(s[:digits])
		at := strings.IndexByte(units, s[digits])
		if err != nil || n > maxPeriodUnits || at < 0 {
			return false
		}
		add(s[digits], n)
		units, s = units[at+1:], s[digits+1:]
	}
	return true
}

// String writes the period as an ISO-8601 duration; the inverse of ParseTTL.
func (p Period) String() string {
	var b strings.Builder
	put := func(n int, unit byte) {
		if n != 0 {
			b.WriteString(strconv.Itoa(n))
			b.WriteByte(unit)
		}
	}
	b.WriteByte('P')
	put(p.Years, 'Y')
	put(p.Months, 'M')
	put(p.Days, 'D')
	if p.Exact > 0 {
		b.WriteByte('T')
		put(int(p.Exact/time.Hour), 'H')
		put(int(p.Exact%time.Hour/time.Minute), 'M')
		put(int(p.Exact%time.Minute/time.Second), 'S')
	}
	if b.Len() == 1 {
		return "P0D"
	}
	return b.String()
}
