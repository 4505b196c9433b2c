package facts

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Window is [From, Until): when a claim holds. A zero Until is open.
type Window struct {
	From, Until time.Time
}

// Contains reports whether the claim holds at t.
func (w Window) Contains(t time.Time) bool {
	return !t.Before(w.From) && (w.Until.IsZero() || t.Before(w.Until))
}

// Empty reports whether the claim holds at no time at all.
func (w Window) Empty() bool { return !w.Until.IsZero() && !w.Until.After(w.From) }

// State is what a window says about a fact at one moment.
type State string

// The states, read off the window and nothing else.
const (
	Current    State = "current"
	Scheduled  State = "scheduled"  // begins later
	Retired    State = "retired"    // ended by somebody
	Expired    State = "expired"    // ended by its TTL
	Superseded State = "superseded" // ended by a newer version
)

// Window is when the fact holds: from ValidFrom until ValidUntil or, where
// that is not stated, until the TTL has passed.
func (f Fact) Window() Window {
	w := Window{From: f.ValidFrom, Until: f.ValidUntil}
	if w.Until.IsZero() && f.TTL != "" {
		if p, err := ParseTTL(f.TTL); err == nil {
			w.Until = p.After(f.ValidFrom)
		}
	}
	return w
}

// StateAt is the fact's state at t, as far as this one version can tell: a
// version that a later one of the same key replaced does not know it.
func (f Fact) StateAt(t time.Time) State {
	w := f.Window()
	switch {
	case w.Contains(t):
		return Current
	case t.Before(w.From):
		return Scheduled
	case f.Operation == OpDelete:
		return Retired
	case f.ValidUntil.IsZero():
		return Expired
	default:
		return Superseded
	}
}

// Timeline returns, for each of the versions of one key, the window in which
// it held as far as all of them together tell: a later version ends an earlier
// one. The order of the argument does not matter. tip is the index of the
// version that stands on the branch, or -1; it has the last word whatever the
// others' dates say, so that a reverted file reads as it stands.
func Timeline(versions []Fact, tip int) []Window {
	order := make([]int, len(versions))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if a == tip || b == tip {
			return boolCompare(a == tip, b == tip)
		}
		return Compare(versions[a], versions[b])
	})
	windows := make([]Window, len(versions))
	var next time.Time // the earliest beginning among all later versions
	for _, i := range slices.Backward(order) {
		w := versions[i].Window()
		if !next.IsZero() && (w.Until.IsZero() || next.Before(w.Until)) {
			w.Until = next
		}
		windows[i] = w
		if next.IsZero() || versions[i].ValidFrom.Before(next) {
			next = versions[i].ValidFrom
		}
	}
	return windows
}

// Compare orders two versions of one key by which has the last word: later
// ValidFrom, then larger ID, then a closed window over an open one, then bytes.
// It is a total order, so every clone picks the same version.
func Compare(a, b Fact) int {
	if c := a.ValidFrom.Compare(b.ValidFrom); c != 0 {
		return c
	}
	if c := cmp.Compare(a.ID, b.ID); c != 0 {
		return c
	}
	if c := boolCompare(!a.ValidUntil.IsZero(), !b.ValidUntil.IsZero()); c != 0 {
		return c
	}
	return cmp.Compare(string(Marshal(a)), string(Marshal(b)))
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	default:
		return -1
	}
}

// Period is a length of time as ISO 8601 has it: calendar units are kept apart
// from exact ones, because a month has no fixed length.
type Period struct {
	Years, Months, Days int
	Exact               time.Duration
}

// After returns the moment one period after t.
func (p Period) After(t time.Time) time.Time {
	return t.AddDate(p.Years, p.Months, p.Days).Add(p.Exact).Truncate(timePrecision)
}

// maxPeriodUnits bounds each number in a TTL; no duration needs more and
// smaller numbers cannot overflow.
const maxPeriodUnits = 1_000_000

// ParseTTL reads a time to live: an ISO-8601 duration of whole units (P7D,
// PT6H, P1Y2M, P2W) or a bare number of days (7), as seeds 1 and 4 have it.
func ParseTTL(s string) (Period, error) {
	if days, err := strconv.Atoi(s); err == nil {
		if days <= 0 || days > maxPeriodUnits {
			return Period{}, fmt.Errorf("ttl %q: the number of days must be between 1 and %d", s, maxPeriodUnits)
		}
		return Period{Days: days}, nil
	}
	fail := func() (Period, error) {
		return Period{}, fmt.Errorf("ttl %q is neither an ISO-8601 duration such as P7D or PT6H nor a number of days", abridge(s, 40))
	}
	rest, ok := strings.CutPrefix(s, "P")
	if !ok {
		return fail()
	}
	date, clock, hasClock := strings.Cut(rest, "T")
	if date == "" && clock == "" || hasClock && clock == "" {
		return fail()
	}
	var p Period
	if !readUnits(date, "YMWD", func(unit byte, n int) { p.addDate(unit, n) }) ||
		!readUnits(clock, "HMS", func(unit byte, n int) { p.addClock(unit, n) }) || p == (Period{}) {
		return fail()
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
	p.Exact += time.Duration(n) * map[byte]time.Duration{'H': time.Hour, 'M': time.Minute, 'S': time.Second}[unit]
}

// readUnits reads number-unit pairs whose units come in the given order.
func readUnits(s, units string, add func(unit byte, n int)) bool {
	for s != "" {
		digits := 0
		for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
			digits++
		}
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
	b.WriteByte('P')
	put := func(n int, unit byte) {
		if n != 0 {
			b.WriteString(strconv.Itoa(n))
			b.WriteByte(unit)
		}
	}
	put(p.Years, 'Y')
	put(p.Months, 'M')
	put(p.Days, 'D')
	if p.Exact > 0 {
		b.WriteByte('T')
		put(int(p.Exact/time.Hour), 'H')
		put(int(p.Exact%time.Hour/time.Minute), 'M')
		put(int(math.Round((p.Exact % time.Minute).Seconds())), 'S')
	}
	return b.String()
}
