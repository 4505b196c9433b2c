package quantity

import (
	"strconv"
	"strings"
)

// numeral reads a number in digits or words at i and returns how many words it takes:
// 1,000, 10k, three, a dozen, twenty-five, two hundred, half a million.
func (r *reader) numeral(i int) (value float64, n int) {
	if i >= len(r.words) {
		return 0, 0
	}
	if w := &r.words[i]; w.Form == Number {
		v, err := strconv.ParseFloat(strings.ReplaceAll(w.Lower, ",", ""), 64)
		if err != nil {
			return 0, 0
		}
		return r.scaled(v, i)
	}
	return r.spelled(i)
}

// scaled applies what stands behind digits: 10k, 3 million, 3e-4.
func (r *reader) scaled(v float64, i int) (float64, int) {
	switch w := r.lower(i + 1); {
	case w == "k" && r.words[i+1].Glued:
		return v * 1000, 2
	case w == "m" && r.words[i+1].Glued && r.words[i+1].Text == "M" && !r.is(i+2, "/") && i+2 < len(r.words) && r.words[i+2].Form == Plain:
		return v * 1e6, 2
	case w == "thousand":
		return v * 1e3, 2
	case w == "million" || w == "mio":
		return v * 1e6, 2
	case w == "billion":
		return v * 1e9, 2
	case w == "hundred":
		return v * 100, 2
	case w == "e" && r.is(i+2, "-") && i+3 < len(r.words) && r.words[i+3].Form == Number:
		if f, err := strconv.ParseFloat(r.lower(i)+"e-"+r.lower(i+3), 64); err == nil {
			return f, 4
		}
	}
	return v, 1
}

// spelled reads number words.
func (r *reader) spelled(i int) (value float64, n int) {
	total, part := 0.0, -1.0
	for j := i; j < len(r.words); j++ {
		w := r.words[j].Lower
		if v, ok := numberWords[w]; ok {
			switch {
			case part < 0:
				part = v
			case part >= 20 && v < 10 || part >= 100 && v < 100:
				part += v
			default:
				return total + part, n
			}
			n = j - i + 1
			continue
		}
		scale, ok := scaleWords[w]
		switch {
		case ok && part < 0 && r.is(i, "a", "an") && j == i+1:
			part = scale
			n = j - i + 1
		case ok && part > 0:
			part *= scale
			if scale >= 1000 {
				total, part = total+part, 0
			}
			n = j - i + 1
		case w == "-" && part > 0 || w == "and" && part >= 100:
		case (w == "a" || w == "an") && j == i:
		default:
			return total + max(part, 0), n
		}
	}
	return total + max(part, 0), n
}

var numberWords = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
	"nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
	"single": 1, "sole": 1, "twice": 2, "thrice": 3, "once": 1, "couple": 2, "dozen": 12, "pair": 2,
}

var scaleWords = map[string]float64{"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "dozen": 12, "couple": 2}

// ordinals counts in order: "after the third character", "the sixth call".
var ordinals = map[string]float64{
	"second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"eleventh": 11, "twelfth": 12, "fifteenth": 15, "twentieth": 20, "thirtieth": 30, "hundredth": 100,
}

// fractionWords are parts of a whole.
var fractionWords = map[string]float64{
	"half": 0.5, "halves": 0.5, "third": 1.0 / 3, "thirds": 1.0 / 3, "quarter": 0.25, "quarters": 0.25, "fifth": 0.2, "fifths": 0.2,
	"sixth": 1.0 / 6, "sixths": 1.0 / 6, "eighth": 0.125, "eighths": 0.125, "tenth": 0.1, "tenths": 0.1, "twentieth": 0.05,
	"hundredth": 0.01, "thousandth": 0.001,
}

// fraction reads shares and ratios: half of, two thirds, a tenth, three out of four,
// one in a hundred, every tenth. "Half an hour" is a time, and read as a measure.
func (r *reader) fraction(i int) int {
	if r.is(i, "half") {
		if r.is(i+1, "a", "an", "the") && isUnit(r.lower(i+2)) || isUnit(r.lower(i+1)) {
			return 0
		}
		return r.put(i, 1, Quantity{Dim: Share, Value: 0.5})
	}
	if r.is(i, "all") && r.is(i+1, "of") && r.is(i+2, "the") {
		return r.put(i, 1, Quantity{Dim: Share, Value: 1})
	}
	if r.is(i, "every") && ordinals[r.lower(i+1)] > 2 {
		return r.put(i, 2, Quantity{Dim: Share, Value: 1 / ordinals[r.lower(i+1)]})
	}
	if r.is(i, "a", "one") && fractionWords[r.lower(i+1)] > 0 && r.is(i+2, "of") {
		return r.put(i, 2, Quantity{Dim: Share, Value: fractionWords[r.lower(i+1)]})
	}
	v, n := r.numeral(i)
	if n == 0 {
		return 0
	}
	if part := fractionWords[r.lower(i+n)]; part > 0 && !(v == 1 && r.is(i+n, "second", "third")) && v < 10 {
		return r.put(i, n+1, Quantity{Dim: Share, Value: v * part})
	}
	return r.ratio(i, n, v)
}

// ratio reads "three out of four" and "one in a hundred" with v in the first n words.
func (r *reader) ratio(i, n int, v float64) int {
	at := i + n
	switch {
	case r.is(at, "out") && r.is(at+1, "of"):
		at += 2
	case r.is(at, "in") && v <= 10:
		at++
	default:
		return 0
	}
	of, m := r.numeral(at)
	if m == 0 || of < 2 || of <= v || isUnit(r.lower(at+m)) || r.words[at].Form == Number && of > 1000 {
		return 0
	}
	return r.put(i, at+m-i, Quantity{Dim: Share, Value: v / of})
}
