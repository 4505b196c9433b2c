package site

import (
	"fmt"
	"html/template"
	"net/url"
	"strings"
	"time"

	"engram/facts"
	"engram/memory"
)

// funcs are what templates call.
func (s *Site) funcs() template.FuncMap {
	return template.FuncMap{
		"static":   staticPath,
		"ago":      func(t any) string { return ago(s.opts.Now(), moment(t)) },
		"when":     func(t any) string { return when(moment(t)) },
		"stamp":    func(t any) string { return stamp(moment(t)) },
		"short":    short,
		"plural":   plural,
		"cut":      facts.Cut,
		"path":     func(parts ...string) string { return Root + Path(parts...) },
		"percent":  func(f float64) string { return fmt.Sprintf("%.0f %%", 100*f) },
		"join":     strings.Join,
		"word":     word,
		"tone":     tone,
		"disputed": func(open *bool) bool { return open != nil && *open },
		"state":    state,
		"list":     func(items ...any) []any { return items },
		"args": func(pairs ...any) map[string]any {
			m := make(map[string]any)
			for i := 0; i+1 < len(pairs); i += 2 {
				m[fmt.Sprint(pairs[i])] = pairs[i+1]
			}
			return m
		},
	}
}

// Path joins parts to an address below Root; each but the first is escaped, and keeps its slashes.
func Path(parts ...string) string {
	var b strings.Builder
	for i, part := range parts {
		if i == 0 {
			b.WriteString(part)
			continue
		}
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(url.PathEscape(part), "%2F", "/"))
	}
	return b.String()
}

func moment(t any) time.Time {
	switch t := t.(type) {
	case time.Time:
		return t
	case *time.Time:
		if t != nil {
			return *t
		}
	}
	return time.Time{}
}

func when(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2 Jan 2006, 15:04 UTC")
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// ago is the distance of a moment from now, in one unit.
func ago(now, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	d := now.Sub(t)
	form := "%s ago"
	if d < 0 {
		d, form = -d, "in %s"
	}
	const day = 24 * time.Hour
	units := []struct {
		name string
		size time.Duration
	}{{"year", 365 * day}, {"month", 30 * day}, {"day", day}, {"hour", time.Hour}, {"minute", time.Minute}}
	for _, u := range units {
		if n := int(d / u.size); n > 0 {
			return fmt.Sprintf(form, plural(n, u.name, u.name+"s"))
		}
	}
	return "just now"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// short abbreviates a revision.
func short(revision string) string { return revision[:min(len(revision), 10)] }

// word is a value as people read it.
func word(v any) string { return strings.ReplaceAll(fmt.Sprint(v), "_", " ") }

// state is the state of a fact that does not hold now; "" for others.
func state(fact any) string {
	if f, ok := fact.(memory.Fact); ok && f.State != facts.Current {
		return string(f.State)
	}
	return ""
}

// tone is the class that colours a state, a verdict on evidence or a severity.
func tone(v any) string {
	switch fmt.Sprint(v) {
	case string(memory.Fresh), "current", "accepted", "ok":
		return "good"
	case string(memory.Moved), "scheduled", "medium", "proposed", "expiring":
		return "warn"
	case string(memory.Drifted), string(memory.Missing), "high", "open", "failed":
		return "bad"
	}
	return "calm"
}
