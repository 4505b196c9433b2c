package main

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// paint colours text for terminals; false leaves it as it is.
type paint bool

func (p paint) with(code, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p paint) bold(s string) string   { return p.with("1", s) }
func (p paint) dim(s string) string    { return p.with("2", s) }
func (p paint) red(s string) string    { return p.with("31", s) }
func (p paint) green(s string) string  { return p.with("32", s) }
func (p paint) yellow(s string) string { return p.with("33", s) }

// plain makes control characters visible, so that a text from the branch can
// neither steer a terminal nor add a line or column to what scripts read. The
// marks that turn the direction of writing are among them: they can make a text
// read as another one.
func plain(s string) string {
	if strings.IndexFunc(s, steers) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case steers(r) && r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		case steers(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func steers(r rune) bool {
	return unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// wrap breaks a text between words into lines of at most width characters. A
// word that is longer stays whole, so that it can be copied.
func wrap(s string, width int) []string {
	var lines []string
	line, length := "", 0
	for _, word := range strings.Fields(s) {
		n := utf8.RuneCountInString(word)
		if length > 0 && length+1+n > width {
			lines = append(lines, line)
			line, length = "", 0
		}
		if length > 0 {
			line += " "
			length++
		}
		line += word
		length += n
	}
	if length > 0 {
		lines = append(lines, line)
	}
	return lines
}

// indented wraps a text and puts indent before each line but the first, which
// the caller has begun.
func indented(s string, width int, indent string) string {
	return strings.Join(wrap(s, width-utf8.RuneCountInString(indent)), "\n"+indent)
}

// ago writes a moment as its distance from now, in one unit; "" is no moment.
func ago(now, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	d := now.Sub(t)
	if d > -10*time.Second && d < 10*time.Second {
		return "just now"
	}
	if d < 0 {
		return "in " + span(-d)
	}
	return span(d) + " ago"
}

func span(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 14*day:
		return fmt.Sprintf("%dd", d/day)
	case d < 60*day:
		return fmt.Sprintf("%dw", d/(7*day))
	case d < 730*day:
		return fmt.Sprintf("%d months", d/(30*day))
	}
	return fmt.Sprintf("%d years", d/(365*day))
}

// stamp writes a moment for scripts; "" is no moment.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// short abbreviates a revision for people.
func short(revision string) string { return revision[:min(len(revision), 7)] }

// plural counts things.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// dotted joins what is there.
func dotted(parts ...string) string {
	var there []string
	for _, p := range parts {
		if p != "" {
			there = append(there, plain(p))
		}
	}
	return strings.Join(there, " · ")
}
