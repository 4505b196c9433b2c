package quantity

import (
	"strconv"
	"strings"
)

// recurrences are words for how often.
var recurrences = map[string]float64{
	"hourly": hour, "daily": day, "nightly": day, "weekly": week, "biweekly": 2 * week, "fortnightly": 2 * week,
	"monthly": month, "quarterly": 3 * month, "yearly": year, "annually": year, "annual": year,
}

// recurrence reads how often: daily, every week, every other day, once a month,
// once per 1.5 h.
func (r *reader) recurrence(i int) int {
	if p := recurrences[r.lower(i)]; p > 0 {
		return r.put(i, 1, Quantity{Dim: Period, Value: p})
	}
	if r.is(i, "once") && r.is(i+1, "per", "every", "in") {
		if v, n := r.numeral(i + 2); n > 0 {
			if unit := timeUnits[singular(r.lower(i+2+n))]; unit > 0 {
				return r.put(i, n+3, Quantity{Dim: Period, Value: v * unit})
			}
		}
	}
	if !r.is(i, "every", "each") {
		return 0
	}
	factor, at := 1.0, i+1
	switch {
	case r.is(at, "other", "second"):
		factor, at = 2, at+1
	case r.is(at, "third"):
		factor, at = 3, at+1
	case r.is(at, "full", "single"):
		at++
	case r.is(at, "half"):
		factor, at = 0.5, at+1
	case r.is(at, "quarter") && r.is(at+1, "of", "hour"):
		factor, at = 0.25, at+1
	}
	for at > i+1 && r.is(at, "of", "a", "an") {
		at++
	}
	if unit := timeUnits[singular(r.lower(at))]; unit > 0 && len(r.lower(at)) > 2 && !strings.HasSuffix(r.lower(at), "s") {
		return r.put(i, at+1-i, Quantity{Dim: Period, Value: factor * unit})
	}
	return 0
}

var months = map[string]int{
	"january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "april": 4, "apr": 4, "may": 5, "june": 6, "jun": 6, "july": 7, "jul": 7,
	"august": 8, "aug": 8, "september": 9, "sept": 9, "sep": 9, "october": 10, "oct": 10, "november": 11, "nov": 11, "december": 12, "dec": 12,
}

var weekdays = map[string]int{"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 7}

// date reads a day: 2026-03-31, 31 March 2026, March 31, June 2026, end of June,
// Q3 2026, Tuesdays.
func (r *reader) date(i int) int {
	w := &r.words[i]
	if w.Form == Dated {
		if parts := strings.Split(w.Lower, "-"); len(parts) == 3 {
			y, _ := strconv.Atoi(parts[0])
			m, _ := strconv.Atoi(parts[1])
			d, _ := strconv.Atoi(parts[2])
			return r.putDate(i, 1, y, m, d)
		}
	}
	if d := weekdays[singular(w.Lower)]; d > 0 {
		return r.put(i, 1, Quantity{Dim: Weekday, Value: float64(d)})
	}
	if len(w.Lower) == 2 && w.Lower[0] == 'q' && w.Lower[1] >= '1' && w.Lower[1] <= '4' {
		y, n := r.year(i + 1)
		return r.putDate(i, 1+n, y, -int(w.Lower[1]-'0'), 0)
	}
	if d, n := r.dayNumber(i); n > 0 {
		at := i + n
		if r.is(at, "of") {
			at++
		}
		if m := r.month(at); m > 0 {
			y, k := r.year(at + 1)
			return r.putDate(i, at+1+k-i, y, m, d)
		}
		if n == 2 && r.is(i-1, "the") && r.endsDay(i+n) {
			return r.putDate(i, n, 0, 0, d)
		}
	}
	if r.is(i, "first") && r.is(i+1, "of") && r.is(i+2, "each", "every", "the") && r.is(i+3, "month") {
		return r.putDate(i, 4, 0, 0, 1)
	}
	if r.is(i, "week") {
		if v, n := r.numeral(i + 1); n == 1 && v >= 1 && v <= 53 && r.words[i+1].Form == Number {
			return r.put(i, 2, Quantity{Dim: Other, Unit: "week of the year", Value: v})
		}
	}
	m := r.month(i)
	if m == 0 {
		if y, n := r.year(i); n == 1 && r.is(i-1, "of", "in", "until", "since", "by", "during") {
			return r.putDate(i, 1, y, 0, 0)
		}
		return 0
	}
	if d, n := r.dayNumber(i + 1); n > 0 && !r.is(i+1+n, ":") {
		y, k := r.year(i + 1 + n)
		return r.putDate(i, 1+n+k, y, m, d)
	}
	y, k := r.year(i + 1)
	if w.Lower == "may" && k == 0 || w.Lower == "march" && k == 0 && w.Text == "march" {
		if !r.is(i-1, "in", "of", "until", "since", "by", "early", "late") || w.Text == w.Lower {
			return 0
		}
	}
	return r.putDate(i, 1+k, y, m, 0)
}

// endsDay reports that what stands at i says nothing that "the 15th" before it counts.
func (r *reader) endsDay(i int) bool {
	return i >= len(r.words) || r.words[i].Form == Symbol || r.is(i, "of", "each", "every", "in", "at", "and", "or", "but", "this", "after", "before", "instead", "now", "because")
}

func (r *reader) putDate(i, n, y, m, d int) int {
	if d == 0 && m > 0 && (r.is(i-2, "end") || r.is(i-1, "end") || r.is(i-1, "of") && r.is(i-2, "day") && r.is(i-3, "last")) {
		d = 30
	}
	if d == 31 || d == 30 {
		d = 30 // the last day
	}
	return r.put(i, n, Quantity{Dim: Date, Parts: []int{y, m, d}, Value: float64(10000*y + 100*m + d)})
}

// month returns the number of the month that word i names.
func (r *reader) month(i int) int {
	if i < 0 || i >= len(r.words) || r.words[i].Text == r.words[i].Lower {
		return 0 // months have a capital letter
	}
	return months[r.lower(i)]
}

// dayNumber reads 4, 4th, 31.
func (r *reader) dayNumber(i int) (d, n int) {
	if i >= len(r.words) || r.words[i].Form != Number {
		return 0, 0
	}
	d, err := strconv.Atoi(r.words[i].Lower)
	if err != nil || d < 1 || d > 31 {
		return 0, 0
	}
	if r.is(i+1, "th", "st", "nd", "rd") {
		return d, 2
	}
	return d, 1
}

// year reads a year, with a comma before it or without.
func (r *reader) year(i int) (y, n int) {
	if r.is(i, ",") {
		i, n = i+1, 1
	}
	if i >= len(r.words) || len(r.words[i].Lower) != 4 {
		return 0, 0
	}
	y, err := strconv.Atoi(r.words[i].Lower)
	if err != nil || y < 1990 || y > 2100 {
		return 0, 0
	}
	return y, n + 1
}

// clock reads a time of day: 02:00, 4 am, 3-5 am, four in the morning, noon, midnight.
func (r *reader) clock(i int) int {
	switch {
	case r.is(i, "noon", "midday"):
		return r.put(i, 1, Quantity{Dim: Clock, Value: 720})
	case r.is(i, "midnight"):
		return r.put(i, 1, Quantity{Dim: Clock, Value: 0})
	case r.words[i].Form == Timed:
		h, m, _ := strings.Cut(r.words[i].Lower, ":")
		hours, err := strconv.Atoi(h)
		minutes, err2 := strconv.Atoi(strings.Split(m, ":")[0])
		if err != nil || err2 != nil || hours > 24 || minutes > 59 {
			return 0
		}
		v := float64(hours%24*60 + minutes)
		n := 1
		if r.is(i+1, "pm") && hours < 12 {
			v, n = v+720, 2
		}
		return r.put(i, n, Quantity{Dim: Clock, Value: v})
	}
	v, n := r.numeral(i)
	if n == 0 || v > 24 || v != float64(int(v)) {
		return 0
	}
	at := i + n
	if r.is(at, "-", "to") {
		if _, m := r.numeral(at + 1); m > 0 && r.is(at+1+m, "am", "pm") {
			at += 1 + m
		}
	}
	switch {
	case r.is(at, "am", "o'clock") || r.is(at, "in") && r.is(at+1, "the") && r.is(at+2, "morning"):
	case r.is(at, "pm") || r.is(at, "in") && r.is(at+1, "the") && r.is(at+2, "afternoon", "evening"):
		if v < 12 {
			v += 12
		}
	default:
		return 0
	}
	return r.put(i, at+1-i, Quantity{Dim: Clock, Value: v * 60})
}

// portWords name what is reached at a port: a bare number after one is a port.
func (r *reader) portWord(i int) bool {
	switch r.lower(i) {
	case "port", "ports", "listens", "listen", "listening", "udp", "tcp", "bind", "binds", "bound", "localhost", "submission":
		return true
	}
	return false
}

// port reads a network port: port 5432, :9090, listens on 2222, 22000/tcp, udp/51820. It is a
// whole number of at most 65535.
func (r *reader) port(i int) int {
	if r.is(i, "/") && r.is(i-1, "tcp", "udp") && r.portNumber(i+1) > 0 {
		return r.put(i+1, 1, Quantity{Dim: Port, Value: r.portNumber(i + 1)}) + 1
	}
	if r.is(i, ":") && i+1 < len(r.words) && r.words[i+1].Glued && r.portNumber(i+1) > 0 && (i == 0 || !r.words[i].Glued || r.words[i-1].Form != Plain || r.portWord(i-1)) {
		return r.put(i+1, 1, Quantity{Dim: Port, Value: r.portNumber(i + 1)}) + 1
	}
	v := r.portNumber(i)
	if v == 0 {
		return 0
	}
	if r.is(i+1, "/") && r.is(i+2, "tcp", "udp") {
		return r.put(i, 3, Quantity{Dim: Port, Value: v})
	}
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		if r.portWord(j) {
			return r.put(i, 1, Quantity{Dim: Port, Value: v})
		}
		if !r.is(j, "on", "at", "the", "is", "to", "number", ":", "standard", "=", "of", "or", "and", "default") && r.words[j].Form != Number {
			break
		}
	}
	if v >= 1024 && r.is(i-1, "on", "at", "via", "through") && r.mentionsPort(i) {
		return r.put(i, 1, Quantity{Dim: Port, Value: v})
	}
	return 0
}

// mentionsPort reports a text that speaks of connections and gives no unit at i.
func (r *reader) mentionsPort(i int) bool {
	if i+1 < len(r.words) && r.words[i+1].Form == Plain {
		switch r.lower(i + 1) {
		case "and", "for", "of", "in", "or", "on", "over", "only", "from", "as", "via", "with", "because", "instead", "while", "but", "by", "the", "since", "now", "until":
		default:
			return false
		}
	}
	return !strings.ContainsAny(r.words[i].Lower, ",.")
}

func (r *reader) portNumber(i int) float64 {
	if i >= len(r.words) || r.words[i].Form != Number {
		return 0
	}
	v, err := strconv.Atoi(r.words[i].Lower)
	if err != nil || v < 1 || v > 65535 {
		return 0
	}
	return float64(v)
}

// version reads the version of software: 1.29.3, v2, Node 18, Java 11, TLS below 1.2.
func (r *reader) version(i int) int {
	w := &r.words[i]
	switch {
	case w.Form == Dotted:
		return r.putVersion(i, w.Lower)
	case w.Form != Number || strings.Contains(w.Lower, ","):
		return 0
	}
	if at := i + 1; at < len(r.words) && (r.words[at].Glued || r.is(at, "%", "percent")) && r.words[at].Form != Symbol {
		return 0
	}
	if r.is(i+1, "%") {
		return 0
	}
	j := i - 1
	comparator := false
	for j >= 0 && r.is(j, ">=", "<=", ">", "<", "below", "above", "version", "release", "least", "at", "than", "older", "newer", "major", "revision", "milestone", "to", "from") {
		comparator = comparator || r.is(j, "version", "release", "revision", "major", "milestone")
		j--
	}
	if strings.Contains(w.Lower, ".") && w.Glued && r.is(i-1, ":", "/", "@") && i > 1 && r.words[i-1].Glued {
		return r.putVersion(i, w.Lower)
	}
	if strings.Contains(w.Lower, ".") && j >= 0 && capital(r.words[j].Text) && (j > 0 || i == 1) {
		return r.putVersion(i, w.Lower)
	}
	if comparator && !r.is(j+1, "to", "from", "at") || j >= 0 && isProduct(&r.words[j]) && !isUnit(r.lower(i+1)) {
		return r.putVersion(i, w.Lower)
	}
	return 0
}

func (r *reader) putVersion(i int, text string) int {
	parts := numbersOf(text)
	if len(parts) == 0 {
		return 0
	}
	return r.put(i, 1, Quantity{Dim: Version, Parts: parts, Value: versionValue(parts)})
}

// numbersOf returns the whole numbers of a version, up to the first part that is not one.
func numbersOf(text string) (parts []int) {
	for p := range strings.FieldsFuncSeq(strings.TrimLeft(text, "v"), func(r rune) bool { return r == '.' || r == '-' || r == '+' }) {
		n, err := strconv.Atoi(p)
		if err != nil {
			break
		}
		parts = append(parts, n)
	}
	return parts
}

// isProduct reports a word whose number is a version: a well-known product.
func isProduct(w *Word) bool { return strings.Contains(products, " "+w.Lower+" ") }

// products are well-known products that people name with a version.
const products = ` node nodejs java jdk jre python go golang ruby rails django php react vue angular postgres postgresql mysql mariadb redis kafka
 kubernetes k8s terraform tls ssl http openapi swagger spring boot gradle maven ios android macos windows ubuntu debian alpine fedora rhel gcc clang
 llvm cuda qt unity unreal typescript kotlin swift scala rust electron chrome firefox safari webpack vite eslint jest elasticsearch opensearch
 mongodb mongo cassandra rabbitmq nginx envoy istio helm docker jenkins jupyterhub qgis cups cmake bazel protobuf grpc graphql oauth saml
 .net dotnet c++ opencv pytorch tensorflow numpy pandas blender gimp gtk wayland bluetooth usb pcie hdmi wpa firmware sdk targetsdk minsdk api schema revision `

func capital(w string) bool { return w != "" && w[0] >= 'A' && w[0] <= 'Z' }
