package quantity

import "strings"

// Lengths of time, in seconds.
const (
	minute = 60.0
	hour   = 3600.0
	day    = 86400.0
	week   = 7 * day
	month  = 30.4 * day
	year   = 365 * day
)

// timeUnits are the names of lengths of time.
var timeUnits = map[string]float64{
	"ns": 1e-9, "nanosecond": 1e-9, "us": 1e-6, "µs": 1e-6, "microsecond": 1e-6, "ms": 1e-3, "msec": 1e-3, "millisecond": 1e-3,
	"s": 1, "sec": 1, "second": 1, "min": minute, "minute": minute, "h": hour, "hr": hour, "hour": hour, "d": day, "day": day,
	"night": day, "week": week, "fortnight": 2 * week, "month": month, "quarter": 3 * month, "year": year, "yr": year,
}

// sizeUnits are the names of amounts of data, in bytes.
var sizeUnits = map[string]float64{
	"b": 1, "byte": 1, "kb": 1e3, "kilobyte": 1e3, "mb": 1e6, "megabyte": 1e6, "gb": 1e9, "gigabyte": 1e9, "tb": 1e12, "terabyte": 1e12, "pb": 1e15,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40, "ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30, "meg": 1e6, "gig": 1e9, "g": 1e9, "kibibyte": 1 << 10, "mebibyte": 1 << 20, "gibibyte": 1 << 30,
}

// otherUnits are the names of other units: the base unit, and how many of it.
var otherUnits = map[string]struct {
	base  string
	scale float64
}{
	"mm": {"m", 1e-3}, "cm": {"m", 1e-2}, "metre": {"m", 1}, "meter": {"m", 1}, "km": {"m", 1e3}, "kilometre": {"m", 1e3}, "kilometer": {"m", 1e3},
	"mile": {"m", 1609}, "inch": {"m", 0.0254}, "foot": {"m", 0.3048}, "feet": {"m", 0.3048}, "nm": {"m", 1e-9},
	"mg": {"kg", 1e-6}, "gram": {"kg", 1e-3}, "kg": {"kg", 1}, "kilo": {"kg", 1}, "kilogram": {"kg", 1}, "tonne": {"kg", 1e3}, "ton": {"kg", 1e3},
	"hz": {"Hz", 1}, "khz": {"Hz", 1e3}, "mhz": {"Hz", 1e6}, "ghz": {"Hz", 1e9}, "fps": {"Hz", 1},
	"px": {"px", 1}, "pixel": {"px", 1}, "dpi": {"dpi", 1}, "°c": {"degree", 1}, "degree": {"degree", 1}, "°": {"degree", 1}, "celsius": {"degree", 1},
	"usd": {"USD", 1}, "$": {"USD", 1}, "dollar": {"USD", 1}, "eur": {"EUR", 1}, "euro": {"EUR", 1}, "€": {"EUR", 1}, "cent": {"EUR", 0.01}, "gbp": {"GBP", 1}, "chf": {"CHF", 1},
	"v": {"V", 1}, "volt": {"V", 1}, "mv": {"V", 1e-3}, "a": {"A", 1}, "ma": {"A", 1e-3}, "w": {"W", 1}, "watt": {"W", 1}, "kw": {"W", 1e3}, "mw": {"W", 1e6}, "kwh": {"kWh", 1},
	"litre": {"l", 1}, "liter": {"l", 1}, "ml": {"l", 1e-3}, "bar": {"bar", 1}, "db": {"dB", 1}, "bit": {"bit", 1}, "kbit": {"bit", 1e3}, "mbit": {"bit", 1e6}, "gbit": {"bit", 1e9},
	"kbps": {"bit/s", 1e3}, "mbps": {"bit/s", 1e6}, "gbps": {"bit/s", 1e9}, "vcpu": {"cpu", 1}, "cpu": {"cpu", 1}, "core": {"cpu", 1}, "millicore": {"cpu", 1e-3},
}

// rateUnits are rates in one word, a second.
var rateUnits = map[string]float64{"rps": 1, "qps": 1, "rpm": 1 / minute, "tps": 1, "iops": 1, "ops": 1}

// singular returns a unit without the ending of the plural.
func singular(w string) string {
	if len(w) > 3 && strings.HasSuffix(w, "s") {
		return w[:len(w)-1]
	}
	return w
}

// isUnit reports the name of a length of time.
func isUnit(w string) bool { return len(w) > 1 && timeUnits[singular(w)] > 0 }

// measure reads a number with what is measured. The forms:
//
//  1. Half an hour, a day, an hour and a half.
//  2. 5 %, 40 percent, 0.25 of.
//  3. 30 s, 1h30m, 8 MiB, 3 km, $5.
//  4. 1000 req/s, 10 per minute, twice a day.
//  5. 5 to 10, 3-5: ranges of any of these.
//  6. What is counted, or nothing.
func (r *reader) measure(i int) int {
	if r.is(i, "half", "quarter") || r.is(i, "a", "an", "one") && isUnit(r.lower(i+1)) {
		return r.spelledTime(i)
	}
	if r.is(i, "$", "€") {
		if v, n := r.numeral(i + 1); n > 0 {
			return r.put(i, n+1, Quantity{Dim: Other, Unit: otherUnits[r.lower(i)].base, Value: v})
		}
	}
	if v := ordinals[r.lower(i)]; v > 0 && r.is(i-1, "the", "a") {
		return r.put(i, 1, Quantity{Dim: Count, Value: v})
	}
	v, n := r.numeral(i)
	if n == 0 || r.named(i) {
		return 0
	}
	high := v
	if r.is(i+n, "-", "–", "to") && !(r.is(i+n, "to") && r.is(i-1, "from")) {
		if h, m := r.numeral(i + n + 1); m > 0 && h > v {
			high, n = h, n+1+m
		}
	}
	return r.unit(i, n, v, high)
}

// named reports a number that is part of a name: issue #12, phase 2, building 7, (3).
func (r *reader) named(i int) bool {
	return r.is(i-1, "#", "§", "section", "step", "phase", "chapter", "issue", "ticket", "pr", "sprint", "line", "page", "tier", "rfc", "adr", "building", "room", "sev", "inc", "scenario", "case", "option", "story", "variant", "alternative", "appendix", "figure", "table", "item") ||
		r.is(i-1, "(") && (r.is(i+1, ")") || r.is(i+1, ".") && r.is(i+2, ")"))
}

// unit reads what follows a number in the first n words from i.
func (r *reader) unit(i, n int, v, high float64) int {
	at := i + n
	if r.is(at, "-") && at+1 < len(r.words) && r.words[at].Glued {
		at++ // 30-second
	}
	if r.is(at, "working", "business", "calendar", "full", "more") && isUnit(r.lower(at+1)) && !isUnit(r.lower(at)) {
		at++
	}
	w := r.lower(at)
	s := singular(w)
	switch {
	case w == "%" || w == "percent" || w == "pct" || w == "per" && r.is(at+1, "cent"):
		at++
		if w == "per" {
			at++
		}
		return r.put(i, at-i, Quantity{Dim: Share, Value: v / 100, High: high / 100})
	case w == "m" && r.words[at].Glued:
		return r.duration(i, at, v, high, minute)
	case timeUnits[s] > 0 && (len(w) > 1 || w == "s" || w == "h" || w == "d"):
		return r.duration(i, at, v, high, timeUnits[s])
	case sizeUnits[s] > 0 && (len(w) > 1 || r.words[at].Glued && w == "g" || r.words[at].Text == "B"):
		return r.per(i, at+1, Quantity{Dim: Size, Value: v * sizeUnits[s], High: high * sizeUnits[s]})
	case rateUnits[w] > 0:
		return r.put(i, at+1-i, Quantity{Dim: Rate, Value: v * rateUnits[w], High: high * rateUnits[w]})
	}
	if u, ok := otherUnits[s]; ok && (len(w) > 1 || r.words[at].Glued || w == "v" || w == "°") {
		return r.per(i, at+1, Quantity{Dim: Other, Unit: u.base, Value: v * u.scale, High: high * u.scale})
	}
	return r.counted(i, n, v, high)
}

// duration adds the rest of "1h30m" and "2 hours and 30 minutes".
func (r *reader) duration(i, at int, v, high, scale float64) int {
	v, high = v*scale, high*scale
	at++
	if more, n := r.rest(at, scale); n > 0 {
		v, at = v+more, at+n
		high = v
	}
	if r.every(i) {
		return r.put(i, at-i, Quantity{Dim: Period, Value: v, High: high})
	}
	return r.put(i, at-i, Quantity{Dim: Time, Value: v, High: high})
}

// rest reads what follows a length of time in smaller units: 1h30m, two hours and ten
// minutes, 2h 10.
func (r *reader) rest(at int, scale float64) (seconds float64, n int) {
	from := at
	if r.is(at, "and", ",") {
		at++
	}
	next, m := r.numeral(at)
	if m == 0 || r.words[at].Form == Symbol {
		return 0, 0
	}
	if s := timeUnits[singular(r.lower(at+m))]; s > 0 && s < scale && (len(r.lower(at+m)) > 1 || r.words[at+m].Glued) {
		return next * s, at + m + 1 - from
	}
	switch {
	case r.is(at+m, "m") && r.words[at+m].Glued && scale == hour:
		return next * minute, at + m + 1 - from
	case scale == hour && at == from && r.words[at].Form == Number && len(r.lower(at)) == 2 && next < 60 && (at+1 >= len(r.words) || r.words[at+1].Form == Symbol):
		return next * minute, 1
	}
	return 0, 0
}

// every reports "every 5 minutes" before a duration at i.
func (r *reader) every(i int) bool { return r.is(i-1, "every", "each") }

// spelledTime reads "half an hour", "a quarter of an hour", "a day", "an hour".
func (r *reader) spelledTime(i int) int {
	factor, at := 1.0, i
	switch {
	case r.is(i, "half"):
		factor, at = 0.5, i+1
	case r.is(i, "quarter"):
		factor, at = 0.25, i+1
	}
	for r.is(at, "of", "a", "an", "one", "the") {
		at++
	}
	unit := timeUnits[singular(r.lower(at))]
	if unit == 0 || len(r.lower(at)) < 3 {
		return 0
	}
	switch r.lower(at + 1) {
	case "and":
		if r.is(at+2, "a") && r.is(at+3, "half") {
			return r.put(i, at+4-i, Quantity{Dim: Time, Value: 1.5 * unit})
		}
	case "of", "ago", "before", "later", "earlier":
		return 0
	}
	if factor == 1 && r.is(i, "a", "an") && r.is(i-1, "once", "twice", "times", "what", "such") {
		return 0
	}
	more, n := r.rest(at+1, unit)
	return r.put(i, at+1+n-i, Quantity{Dim: Time, Value: factor*unit + more})
}

// per turns an amount into a rate if a time follows: 5 MB/s, 3 Mbit per second.
func (r *reader) per(i, at int, q Quantity) int {
	if scale, n := r.perTime(at); n > 0 {
		unit := q.Unit
		if q.Dim == Size {
			unit = "B"
		}
		return r.put(i, at+n-i, Quantity{Dim: Rate, Unit: unit, Value: q.Value / scale, High: q.High / scale})
	}
	return r.put(i, at-i, q)
}

// perTime reads "/s", "per minute", "an hour", "each day" at i.
func (r *reader) perTime(i int) (scale float64, n int) {
	if !r.is(i, "/", "per", "a", "an", "each", "every") {
		return 0, 0
	}
	scale = timeUnits[singular(r.lower(i+1))]
	if r.is(i+1, "m") {
		scale = minute
	}
	if scale == 0 {
		return 0, 0
	}
	return scale, 2
}

// mostNoun is how many words may stand between a number and "per second".
const mostNoun = 3

// counted reads what remains: a rate of things, a frequency, or a count.
func (r *reader) counted(i, n int, v, high float64) int {
	if at := i + n; at < len(r.words) && r.words[at].Glued && r.words[at].Form != Symbol && len(r.lower(at)) > 1 {
		if r.is(at, "st", "nd", "rd", "th") {
			return r.put(i, n+1, Quantity{Dim: Count, Value: v})
		}
		return 0 // 5xx
	}
	for k := range mostNoun {
		at := i + n + k
		if at < len(r.words) && r.words[at].Form == Symbol && !r.is(at, "/") {
			break
		}
		scale, m := r.perTime(at)
		if m == 0 || k == 0 && !r.is(at, "/", "per") && !r.is(i, "once", "twice", "thrice") {
			continue
		}
		if k == 0 || r.is(i+n, "times", "time") || r.is(i, "once", "twice", "thrice") {
			if v > 0 {
				return r.put(i, at+m-i, Quantity{Dim: Period, Value: scale / v})
			}
		}
		return r.put(i, n, Quantity{Dim: Rate, Value: v / scale, High: high / scale})
	}
	if r.is(i, "once") || r.is(i, "one") && !r.counts(i+n) {
		return 0
	}
	q := Quantity{Dim: Count, Value: v, High: high}
	if n == 1 && r.words[i].Form == Number {
		q.Parts = numbersOf(r.words[i].Lower)
	}
	return r.put(i, n, q)
}

// counts reports whether "one" before word i counts things: one approval, and not "one
// of", "the one that".
func (r *reader) counts(i int) bool {
	if i >= len(r.words) || r.words[i].Form != Plain || r.is(i-2, "the", "this", "that", "which", "each", "no", "every", "any", "from", "by") {
		return false
	}
	switch r.lower(i) {
	case "of", "that", "which", "who", "is", "was", "has", "can", "in", "for", "to", "on", "another", "day", "by", "and", "at", "with", "could", "should":
		return false
	}
	return true
}
