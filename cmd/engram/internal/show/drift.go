package show

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"engram/cmd/internal/term"
	"engram/memory"
)

// maxDrifted bounds the keys that a warning names.
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
	list, key := keyList(d)
	what := fmt.Sprintf("the evidence of %d of these facts", len(d))
	if len(d) == 1 {
		what = "the evidence of a fact"
	}
	out.Message("warning: %s has changed or is gone: %s (`engram verify %s --diff`)", what, list, key)
}

// keyList names the first keys of a list, and a key for an example of a command.
func keyList(keys []string) (list, example string) {
	list, example = strings.Join(keys[:min(len(keys), maxDrifted)], ", "), "KEY"
	if more := len(keys) - maxDrifted; more > 0 {
		list += fmt.Sprintf(", … and %d more", more)
	}
	if len(keys) == 1 {
		example = keys[0]
	}
	return list, example
}

// Disputed are the keys of facts in an answer that have an open conflict.
type Disputed []string

// Add adds the key of a fact if it has an open conflict, and returns the fact's mark.
func (d *Disputed) Add(key string, open *bool) (mark string) {
	if open == nil || !*open {
		return ""
	}
	if !slices.Contains(*d, key) {
		*d = append(*d, key)
	}
	return "disputed"
}

// DisputeWarning warns in a pipe of what a terminal says beside each fact.
func DisputeWarning(out *term.Streams, d Disputed) {
	if out.Terminal || len(d) == 0 {
		return
	}
	list, key := keyList(d)
	what := term.Either(len(d) == 1, "a fact is disputed", fmt.Sprintf("%d of these facts are disputed", len(d)))
	out.Message("warning: %s: %s (`engram conflicts %s`)", what, list, key)
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

// PointerCheck prints where evidence stands now, in one line; verdict says it in a word as well.
func PointerCheck(out *term.Streams, p memory.PointerCheck, verdict bool) {
	line := term.Plain(p.Ref)
	if p.Now != "" {
		line += " → " + term.Plain(p.Now)
	}
	if verdict || p.Reason != "" {
		line += " (" + term.Dotted(string(p.Freshness), p.Reason) + ")"
	}
	out.Printf("  %s\n", out.Color.Dim(term.Indented(line, out.Width, "    ")))
}

// Counts says how many have each verdict.
func Counts(counts map[memory.Freshness]int) (parts []string) {
	for _, f := range []memory.Freshness{memory.Fresh, memory.Moved, memory.Drifted, memory.Missing, memory.Unchecked} {
		if n := counts[f]; n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+string(f))
		}
	}
	return parts
}

// Against says which state of the code evidence was compared with.
func Against(commit string, workTree bool) string {
	if workTree {
		return "against the work tree"
	}
	return "against " + term.Short(commit)
}
