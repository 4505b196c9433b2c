package entity

import (
	"strconv"
	"strings"
)

// unit reads the unit that begins at token j, applies its scale to e and
// returns the tokens it takes.
//
//  1. Compound durations: 1h30m.
//  2. Simple units, glued or not: 30 s, 512Mi, 10 %, 5 USD.
//  3. Rates: 100 req/s, 1000 requests per second, 5 MB/s.
func (p *Parser) unit(j int, e *Entity) int {
	if j >= len(p.Tokens) {
		return 0
	}
	t := &p.Tokens[j]
	if t.Lower == "-" && t.Glued && j+1 < len(p.Tokens) && p.Tokens[j+1].Glued { // 30-second
		if scale, unit := unitOf(p.Tokens[j+1].Text, p.Tokens[j+1].Lower, false); unit != "" && unit != "x" {
			e.Value, e.Unit = e.Value*scale, unit
			return 2
		}
		return 0
	}
	if left, right, ok := strings.Cut(t.Lower, "/"); ok && t.Kind == Word || t.Lower == "/" {
		return p.slashRate(j, left, right, e)
	}
	scale, unit := unitOf(t.Text, t.Lower, t.Glued)
	n := 1
	switch {
	case t.Text == "m" && t.Glued && p.Near(j, "cpu", "cpus", "core", "cores"):
		scale, unit = 1e-3, "cpu"
	case unit == "s" && t.Glued && (t.Lower == "h" || t.Lower == "m"):
		e.Value, e.Unit = e.Value*scale, unit
		return 1 + p.compound(j+1, e)
	case unit == "":
		if t.Kind != Word || t.Glued || t.Class != 0 {
			return 0
		}
		if m, per := p.perTime(j + 1); m > 0 {
			e.Value, e.Unit = e.Value/per, countNoun(t.Lower)+"/s"
			return 1 + m
		}
		return 0
	}
	e.Value, e.Unit = e.Value*scale, unit
	if m, per := p.perTime(j + 1); m > 0 && unit != "s" && unit != "req/s" {
		if isMoney(unit) || unit == "%" {
			return n
		}
		e.Value, e.Unit = e.Value/per, unit+"/s"
		n += m
	}
	return n
}

// unitOf returns the base unit of a unit and how many of them it is. Case
// matters for bytes and bits; glued letters mean more than letters alone.
func unitOf(text, w string, glued bool) (float64, string) {
	if scale, unit := timeUnit(w, glued); unit != "" {
		if w != "m" && w != "h" && w != "d" && w != "w" && w != "s" || w == text {
			return scale, unit
		}
	}
	switch w {
	case "%", "percent", "pct":
		return 1, "%"
	case "rps", "qps":
		return 1, "req/s"
	case "rpm":
		return 1.0 / 60, "req/s"
	case "tps":
		return 1, "txn/s"
	case "iops":
		return 1, "op/s"
	case "usd", "dollars", "dollar":
		return 1, "USD"
	case "eur", "euros", "euro":
		return 1, "EUR"
	case "gbp", "pounds":
		return 1, "GBP"
	case "vcpu", "vcpus", "cpu", "cpus", "core", "cores":
		return 1, "cpu"
	case "millicores", "millicpu":
		return 1e-3, "cpu"
	case "hz":
		return 1, "Hz"
	case "khz":
		return 1e3, "Hz"
	case "mhz":
		return 1e6, "Hz"
	case "ghz":
		return 1e9, "Hz"
	case "x", "×":
		if glued {
			return 1, "x"
		}
	case "times":
		return 1, "count"
	}
	return dataUnit(text, w, glued)
}

// timeUnit returns the unit of a duration: seconds, or months.
func timeUnit(w string, glued bool) (float64, string) {
	switch w {
	case "ns", "nanosecond", "nanoseconds":
		return 1e-9, "s"
	case "us", "µs", "μs", "microsecond", "microseconds":
		return 1e-6, "s"
	case "ms", "msec", "millis", "millisecond", "milliseconds":
		return 1e-3, "s"
	case "s", "sec", "secs", "second", "seconds":
		return 1, "s"
	case "m":
		if glued {
			return 60, "s"
		}
	case "min", "mins", "minute", "minutes":
		return 60, "s"
	case "h", "hr", "hrs", "hour", "hours":
		return 3600, "s"
	case "d":
		if glued {
			return 86400, "s"
		}
	case "day", "days":
		return 86400, "s"
	case "w":
		if glued {
			return 7 * 86400, "s"
		}
	case "week", "weeks":
		return 7 * 86400, "s"
	case "month", "months":
		return 1, "month"
	case "year", "years", "yr", "yrs":
		return 12, "month"
	}
	return 0, ""
}

// dataUnit returns the unit of an amount of data, kB = 1000 B and KiB = 1024 B.
func dataUnit(text, w string, glued bool) (float64, string) {
	switch w {
	case "b", "byte", "bytes":
		if w == "b" && text != "B" {
			return 0, ""
		}
		return 1, "B"
	case "bit", "bits":
		return 1, "bit"
	case "kilobytes":
		return 1e3, "B"
	case "megabytes":
		return 1e6, "B"
	case "gigabytes":
		return 1e9, "B"
	}
	power := strings.IndexByte("kmgtp", first(w))
	if power < 0 || len(w) > 5 {
		return 0, ""
	}
	scale, binary := 1.0, 1.0
	for range power + 1 {
		scale, binary = scale*1000, binary*1024
	}
	switch w[1:] {
	case "ib":
		return binary, "B"
	case "i":
		if glued && text[0] < 'a' || w == "ki" && glued {
			return binary, "B"
		}
	case "b":
		if text[1] == 'b' && w[0] != 'k' && text[0] > 'Z' {
			return scale, "B" // mb and gb, as people type them
		}
		if text[1] == 'b' && w[0] != 'k' {
			return scale, "bit"
		}
		return scale, "B"
	case "bps", "bit", "bits", "bit/s":
		if w[1:] == "bps" && text[1] == 'B' {
			return scale, "B/s"
		}
		if w[1:] == "bps" {
			return scale, "bit/s"
		}
		return scale, "bit"
	case "":
		if glued && power > 1 && text[0] < 'a' {
			return scale, "B"
		}
	}
	return 0, ""
}

func first(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

// round removes what floating point adds to 0.3 s or 1/60.
func round(v float64) float64 {
	s := strconv.AppendFloat(make([]byte, 0, 24), v, 'g', 12, 64)
	r, err := strconv.ParseFloat(string(s), 64)
	if err != nil {
		return v
	}
	return r
}
