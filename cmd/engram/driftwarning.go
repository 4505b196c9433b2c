package main

import (
	"fmt"
	"strings"

	"engram/memory"
)

// maxDrifted bounds the keys that the warning of driftWarning names.
const maxDrifted = 5

// drifted are the keys, each once, of facts in an answer whose evidence does not stand
// any more.
type drifted []string

func (d *drifted) add(key string, f memory.Freshness) {
	if f != memory.Drifted && f != memory.Missing {
		return
	}
	for _, known := range *d {
		if known == key {
			return
		}
	}
	*d = append(*d, key)
}

// driftWarning says in a pipe what a terminal says beside each fact. The columns of
// stdout are what scripts rely on, and have no room for it.
func (io *streams) driftWarning(d drifted) {
	if io.terminal || len(d) == 0 {
		return
	}
	_ = io.flush() // the facts come before what is said of them
	list, key := strings.Join(d[:min(len(d), maxDrifted)], ", "), "KEY"
	if more := len(d) - maxDrifted; more > 0 {
		list += fmt.Sprintf(", … and %d more", more)
	}
	what := fmt.Sprintf("the evidence of %d of these facts", len(d))
	if len(d) == 1 {
		what, key = "the evidence of a fact", d[0]
	}
	io.message("warning: %s has changed or is gone: %s (`engram verify %s --diff`)", what, list, key)
}

// trusted is what a line on a terminal says of a fact's evidence: nothing where it does
// not stand any more, which restsOn says.
func trusted(verified bool, f memory.Freshness) string {
	switch {
	case !verified:
		return "unverified"
	case f == memory.Drifted || f == memory.Missing:
		return ""
	}
	return "verified"
}
