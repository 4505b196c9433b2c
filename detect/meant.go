package detect

import "strings"

// meant returns the word that token i stands for: some take their meaning from
// their neighbours.
func (p *reader) meant(i int, low string) string {
	switch {
	case p.switches(i) && p.is(i, "off"):
		return "disabled"
	case p.switches(i):
		return "enabled"
	case p.is(i, "lasts", "lasted"):
		return "duration"
	case p.is(i, "pull") && p.is(i+1, "request", "requests"):
		return "pr"
	case p.delivery(i) != "":
		return p.delivery(i)
	case p.is(i, "local") && p.is(i+1, "time", "times"):
		return "local-time"
	case low == "blocking":
		return "synchronous" // the ending that stem cuts makes "to block" of it
	case p.joined(i):
		return ""
	case p.is(i, "time", "times", "timed") && p.is(i+1, "out"):
		return "timeout"
	case p.is(i, "end") && p.is(i+1, "of") && p.is(i+2, "life"):
		return "end-of-life"
	}
	return low
}

// activity reports a word at the beginning that is a verb elsewhere, and here what
// the text is about: deploys happen, builds are.
func (p *reader) activity(i int) bool {
	return i == 0 && strings.HasSuffix(p.toks[i].low, "s") && lookUp(p.toks[i].low).traits&relation != 0 &&
		(p.has(i+1, be|aux) || p.is(i+1, "happen", "run", "take", "need", "require"))
}

// joined reports a word that only completes the one before it, of which the two are
// read as one: pull requests, local time, end of life, at least once.
func (p *reader) joined(i int) bool {
	switch {
	case p.is(i, "request", "requests"):
		return p.is(i-1, "pull")
	case p.is(i, "time", "times"):
		return p.is(i-1, "local")
	case p.is(i, "life"):
		return p.is(i-1, "of") && p.is(i-2, "end")
	case p.is(i, "once"):
		return p.delivery(i-1) != ""
	}
	return false
}

// delivery returns how often something is delivered, of which "least", "most" or
// "exactly" at i is the word that tells, unless it is how often in a time.
func (p *reader) delivery(i int) string {
	if !p.is(i+1, "once") || p.is(i+2, "a", "an", "per", "every", "each", "in") {
		return ""
	}
	switch {
	case p.is(i, "exactly"):
		return "exactly-once"
	case p.is(i, "least", "most") && p.is(i-1, "at"):
		return "at-" + p.toks[i].low + "-once"
	}
	return ""
}
