// Package quantity reads the quantities of a text, however they are written: digits or
// words, fractions, percentages, "one in a hundred", "every other week", clock times,
// dates, sizes and rates in any unit, ranges, bare ports and versions with comparators.
//
// It is pure, deterministic, and linear in the length of the text. It does not decide
// what a quantity is of; package frame does.
package quantity

import "math"

// Dim is what a quantity measures. Only quantities of one dimension are comparable.
type Dim string

// The dimensions, with the base unit of each.
const (
	Count   Dim = "number"      // of things, of a setting, or without a unit
	Time    Dim = "time"        // seconds
	Period  Dim = "period"      // seconds between two times
	Size    Dim = "size"        // bytes
	Share   Dim = "share"       // 0 to 1
	Port    Dim = "port"        // a network port
	Version Dim = "version"     // see Quantity.Parts
	Clock   Dim = "time of day" // minutes after midnight
	Date    Dim = "date"        // see Quantity.Parts: year, month, day; 0 is not said
	Weekday Dim = "weekday"     // 1 is Monday
	Rate    Dim = "rate"        // a second; Unit says of what
	Other   Dim = "quantity"    // in a base unit that Unit names
)

// Bound says how a quantity limits what it is about.
type Bound int8

// The bounds.
const (
	Exactly Bound = iota
	AtLeast
	AtMost
	About
)

// Quantity is a quantity of a text.
type Quantity struct {
	Dim   Dim
	Value float64 // in the base unit
	High  float64 // the other end of a range; equal to Value without one
	Unit  string  // of Rate and Other
	Parts []int   // of Version and Date, and of a Count in digits what it is as a version
	Bound Bound
	// From and To are its words, To exclusive.
	From, To int
}

// Comparable reports two quantities of one dimension. A period and a time are
// comparable: "the interval is 90 minutes", "every 90 minutes".
func (q *Quantity) Comparable(r *Quantity) bool {
	if q.Dim == r.Dim {
		return q.Unit == r.Unit
	}
	return q.timed() && r.timed() || q.Dim == Count && r.Dim == Share || q.Dim == Share && r.Dim == Count
}

// Align returns two quantities as what they are to each other, and whether they are
// comparable then. A bare number is read as what the other is: "on 636" beside port 389,
// "is at 5.2" beside Vite 4, "opens at 8" beside 6:30. A weekday and a day of the month
// are comparable.
func Align(q, r Quantity) (x, y Quantity, ok bool) {
	switch {
	case q.Comparable(&r):
		return q, r, true
	case q.Dim == Count:
		q, ok = q.as(r.Dim)
		return q, r, ok
	case r.Dim == Count:
		r, ok = r.as(q.Dim)
		return q, r, ok
	}
	return q, r, q.Dim == Weekday && r.ofMonth() || q.ofMonth() && r.Dim == Weekday
}

// as reads a bare number as a port, a version or a time of day.
func (q Quantity) as(dim Dim) (Quantity, bool) {
	whole := len(q.Parts) == 1 && q.High == q.Value
	switch dim {
	case Port:
		if !whole || q.Value < 20 || q.Value > 65535 {
			return q, false
		}
	case Version:
		if len(q.Parts) == 0 || q.Value > 1000 {
			return q, false
		}
		q.Value = versionValue(q.Parts)
		q.High = q.Value
	case Clock:
		if !whole || q.Value > 24 {
			return q, false
		}
		q.Value *= 60
		q.High = q.Value
	default:
		return q, false
	}
	q.Dim = dim
	return q, true
}

// ofMonth reports a day of any month.
func (q *Quantity) ofMonth() bool { return q.Dim == Date && q.Parts[0] == 0 && q.Parts[1] == 0 }

func (q *Quantity) timed() bool { return q.Dim == Time || q.Dim == Period }

// Equal reports two quantities that are the same as far as both say: "1.27" is
// version 1.27.3, "June" a day in June, and a gigabyte may be binary.
func (q *Quantity) Equal(r *Quantity) bool {
	if q.Dim != r.Dim && (q.Dim == Weekday || r.Dim == Weekday) {
		return false
	}
	switch q.Dim {
	case Version:
		return samePrefix(q.Parts, r.Parts)
	case Date:
		return sameDate(q.Parts, r.Parts)
	}
	tolerance := 1e-6
	if q.Dim == Size || q.timed() && q.Value > 20*day {
		tolerance = 0.08 // 1000 or 1024, 30 or 31 days
	}
	return close(q.Value, r.Value, tolerance) && close(q.High, r.High, tolerance)
}

func close(x, y, tolerance float64) bool {
	return math.Abs(x-y) <= tolerance*math.Max(math.Abs(x), math.Abs(y))
}

func samePrefix(x, y []int) bool {
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

func sameDate(x, y []int) bool {
	for i := range x {
		if x[i] != y[i] && x[i] != 0 && y[i] != 0 {
			return false
		}
	}
	return true
}

// Overlaps reports that one thing can have both: one lies within the bound or the range
// of the other.
func (q *Quantity) Overlaps(r *Quantity) bool {
	qLow, qHigh := q.interval()
	rLow, rHigh := r.interval()
	return qLow <= rHigh && rLow <= qHigh
}

func (q *Quantity) interval() (low, high float64) {
	low, high = q.Value, q.High
	if q.Dim == Version {
		low = versionValue(q.Parts)
		high = low
	}
	switch q.Bound {
	case AtLeast:
		high = math.Inf(1)
	case AtMost:
		low = math.Inf(-1)
	case About:
		low, high = 0.85*low, 1.15*high
	}
	return low, high
}

func versionValue(parts []int) (v float64) {
	scale := 1.0
	for _, p := range parts {
		v += float64(p) * scale
		scale /= 1000
	}
	return v
}

// Read returns the quantities of a text in the order in which they stand.
func Read(words []Word) []Quantity {
	r := reader{words: words}
	for i := 0; i < len(words); {
		i += max(r.at(i), 1)
	}
	return r.out
}

// reader is one run over the words of a text.
type reader struct {
	words []Word
	out   []Quantity
}

// at reads the quantity at word i and returns how many words it takes, 0 if there is
// none. The forms, in the order of precedence:
//
//  1. Recurrence: daily, every other week, hourly.
//  2. Days: dates, months, weekdays, quarters.
//  3. Times of day: 02:00, 4 am, noon.
//  4. Ports, versions.
//  5. Fractions and ratios: half, two thirds, one in a hundred.
//  6. Numbers with what is measured.
func (r *reader) at(i int) int {
	for _, form := range [...]func(int) int{r.recurrence, r.date, r.clock, r.port, r.version, r.fraction, r.measure} {
		if n := form(i); n > 0 {
			return n
		}
	}
	return 0
}

// put records a quantity on n words from i and returns n.
func (r *reader) put(i, n int, q Quantity) int {
	q.From, q.To = i, i+n
	if q.High == 0 || q.High < q.Value {
		q.High = q.Value
	}
	if q.Bound == Exactly {
		q.Bound = r.bound(i, i+n)
	}
	r.out = append(r.out, q)
	return n
}

// is reports whether word i is one of these.
func (r *reader) is(i int, texts ...string) bool {
	if i < 0 || i >= len(r.words) {
		return false
	}
	for _, t := range texts {
		if r.words[i].Lower == t {
			return true
		}
	}
	return false
}

// lower returns word i, or "" outside the text.
func (r *reader) lower(i int) string {
	if i < 0 || i >= len(r.words) {
		return ""
	}
	return r.words[i].Lower
}

// bound reads what is said around a quantity about its ends.
func (r *reader) bound(from, to int) Bound {
	if b := r.boundAfter(to); b != Exactly {
		return b
	}
	for i := from - 1; i >= 0 && i >= from-4; i-- {
		switch w := r.words[i].Lower; w {
		case "least", "minimum", "min", ">=", ">", "≥", "exceeds", "exceed", "above":
			return AtLeast
		case "most", "maximum", "max", "<=", "<", "≤", "within", "under", "below", "until", "till", "capped", "limited", "cap":
			return AtMost
		case "to":
			if r.is(i-1, "up") {
				return AtMost
			}
			return Exactly
		case "than":
			return r.compared(i)
		case "about", "roughly", "around", "approximately", "nearly", "almost", "~", "≈", "circa", "some", "typically":
			return About
		case "a", "an", "the", "of", "is", "port", "version", "is:", "at", "only", "by":
		default:
			return Exactly
		}
	}
	return Exactly
}

// compared reads "more than", "no more than", "not older than".
func (r *reader) compared(i int) Bound {
	more := r.is(i-1, "more", "greater", "longer", "later", "newer", "larger", "higher", "other")
	if r.is(i-2, "no", "not", "never") {
		more = !more
	}
	if more {
		return AtLeast
	}
	return AtMost
}

func (r *reader) boundAfter(to int) Bound {
	for i := to; i < min(to+4, len(r.words)); i++ {
		switch r.words[i].Lower {
		case "+":
			return AtLeast
		case "or", "and", "at":
			switch r.lower(i + 1) {
			case "more", "newer", "later", "above", "higher", "up", "longer", "least", "onwards", "older":
				return AtLeast
			case "less", "fewer", "below", "most", "earlier":
				return AtMost
			}
			return Exactly
		case "minimum", "onwards", "upwards":
			return AtLeast
		case "maximum", "max", "tops":
			return AtMost
		case ",", ".", ";", "(", ":":
			return Exactly
		}
	}
	return Exactly
}
