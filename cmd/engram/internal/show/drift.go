package show

import (
	"fmt"
	"slices"
	"strings"

	"engram/cmd/internal/term"
	"engram/memory"
)

// maxDrifted bounds the keys that the warning of driftWarning names.
const maxDrifted = 5

// Drifted are the keys, each once, of facts in an answer whose evidence does not stand
// any more.
type Drifted []string

// Add adds the key of a fact whose evidence has changed or is gone.
func (d *Drifted) Add(key string, f memory.Freshness) {
	if (f == memory.Drifted || f == memory.Missing) && !slices.Contains(*d, key) {
		*d = append(*d, key)
	}
}

// DriftWarning warns in a pipe of what a terminal says beside each fact. Scripts rely on
// the columns of stdout, so the warning goes to stderr.
func DriftWarning(out *term.Streams, d Drifted) {
	if out.Terminal || len(d) == 0 {
		return
	}
	_ = out.Flush() // the facts come before what is said of them
	list, key := strings.Join(d[:min(len(d), maxDrifted)], ", "), "KEY"
	if more := len(d) - maxDrifted; more > 0 {
		list += fmt.Sprintf(", … and %d more", more)
	}
	what := fmt.Sprintf("the evidence of %d of these facts", len(d))
	if len(d) == 1 {
		what, key = "the evidence of a fact", d[0]
	}
	out.Message("warning: %s has changed or is gone: %s (`engram verify %s --diff`)", what, list, key)
}

// Trusted says on a terminal whether a fact is verified. It is "" if the evidence has
// changed or is gone, because restsOn says so.
func Trusted(verified bool, f memory.Freshness) string {
	switch {
	case !verified:
		return "unverified"
	case f == memory.Drifted || f == memory.Missing:
		return ""
	}
	return "verified"
}

// Freshness is a verdict in its colour.
func Freshness(out *term.Streams, f memory.Freshness) string {
	text := fmt.Sprintf("%-9s", f)
	switch f {
	case memory.Fresh:
		return out.Color.Green(text)
	case memory.Moved:
		return out.Color.Yellow(text)
	case memory.Drifted, memory.Missing:
		return out.Color.Red(text)
	}
	return out.Color.Dim(text)
}
