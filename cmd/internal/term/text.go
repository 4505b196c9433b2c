package term

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"engram/internal/visible"
)

// Paint colours text for terminals; false leaves it as it is.
type Paint bool

func (p Paint) with(code, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Bold, Dim, Red, Green and Yellow colour s.
func (p Paint) Bold(s string) string { return p.with("1", s) }

// Dim returns s in a faint colour.
func (p Paint) Dim(s string) string { return p.with("2", s) }

// Red returns s in red.
func (p Paint) Red(s string) string { return p.with("31", s) }

// Green returns s in green.
func (p Paint) Green(s string) string { return p.with("32", s) }

// Yellow returns s in yellow.
func (p Paint) Yellow(s string) string { return p.with("33", s) }

// Plain makes control characters and invisible ones visible, so that a text from the
// branch can neither steer a terminal, nor add a line or column to what scripts read, nor
// be read as another one: \x1b, <U+200B>.
func Plain(s string) string {
	if strings.IndexFunc(s, unicode.IsControl) < 0 {
		return visible.Show(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsControl(r) && r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return visible.Show(b.String())
}

// Wrap breaks a text between words into lines of at most width characters. A
// word that is longer stays whole, so that it can be copied.
func Wrap(s string, width int) []string {
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

// Indented wraps a text and puts indent before each line but the first, which
// the caller has begun.
func Indented(s string, width int, indent string) string {
	return strings.Join(Wrap(s, width-utf8.RuneCountInString(indent)), "\n"+indent)
}

// Ago writes a moment as its distance from now, in one unit; "" is no moment.
func Ago(now, t time.Time) string {
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

// Stamp writes a moment for scripts; "" is no moment.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// StampOf is Stamp of a moment that may be nil.
func StampOf(t *time.Time) string {
	if t == nil {
		return ""
	}
	return Stamp(*t)
}

// Short abbreviates a revision for people.
func Short(revision string) string { return revision[:min(len(revision), 7)] }

// Plural counts things.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Some is Plural, but "" for none.
func Some(n int, one, many string) string {
	if n == 0 {
		return ""
	}
	return Plural(n, one, many)
}

// Count puts a number before a word that stays the same; "" for none.
func Count(n int, what string) string { return Some(n, what, what) }

// Dotted joins the parts that are not empty.
func Dotted(parts ...string) string {
	var there []string
	for _, p := range parts {
		if p != "" {
			there = append(there, Plain(p))
		}
	}
	return strings.Join(there, " · ")
}

// Quoted quotes an argument for a shell, if necessary.
func Quoted(arg string) string {
	special := func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !strings.ContainsRune("-_./:=@%+,#", r)
	}
	if arg != "" && strings.IndexFunc(arg, special) < 0 && arg[0] != '#' {
		return arg
	}
	if !strings.ContainsAny(arg, "\"$`\\!") {
		return `"` + arg + `"`
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// PlainCode is Plain for a line of code, in which tabs stay.
func PlainCode(line string) string {
	parts := strings.Split(line, "\t")
	for i, part := range parts {
		parts[i] = Plain(part)
	}
	return strings.Join(parts, "\t")
}

// Counts writes numbers as cells of a row.
func Counts(numbers ...int) []string {
	var cells []string
	for _, n := range numbers {
		cells = append(cells, fmt.Sprint(n))
	}
	return cells
}

// DottedPainted is Dotted with a first part that is coloured already.
func DottedPainted(first string, rest ...string) string {
	if more := Dotted(rest...); more != "" {
		return first + " · " + more
	}
	return first
}

// Either is yes if the condition holds, and no otherwise. Both are evaluated.
func Either(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// Size writes a number of bytes for people.
func Size(bytes int64) string {
	switch {
	case bytes < 1<<10:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1<<20:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}

// About writes seconds as a person says them.
func About(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < time.Minute:
		return d.Round(time.Second).String()
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()+0.5))
	}
	return fmt.Sprintf("%d h", int(d.Hours()+0.5))
}
