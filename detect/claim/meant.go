package claim

import (
	"strings"

	"engram/detect/lexicon"
)

// meant returns the word that token i stands for: some take their meaning from
// their neighbours.
func (p *reader) meant(i int, low string) string {
	switch {
	case p.switches(i) && p.Is(i, "off"):
		return "disabled"
	case p.switches(i):
		return "enabled"
	case p.Is(i, "lasts", "lasted"):
		return "duration"
	case p.Is(i, "pull") && p.Is(i+1, "request", "requests"):
		return "pr"
	case p.delivery(i) != "":
		return p.delivery(i)
	case p.Is(i, "local") && p.Is(i+1, "time", "times"):
		return "local-time"
	case low == "blocking":
		return "synchronous" // the ending that stem cuts makes "to block" of it
	case p.joined(i):
		return ""
	case p.Is(i, "time", "times", "timed") && p.Is(i+1, "out"):
		return "timeout"
	case p.Is(i, "end") && p.Is(i+1, "of") && p.Is(i+2, "life"):
		return "end-of-life"
	}
	return low
}

// activity reports a word at the beginning that is a verb elsewhere, and here what
// the text is about: deploys happen, builds are.
func (p *reader) activity(i int) bool {
	return i == 0 && strings.HasSuffix(p.Tokens[i].Lower, "s") && lexicon.LookUp(p.Tokens[i].Lower).Traits&lexicon.Relation != 0 &&
		(p.Has(i+1, lexicon.Copula|lexicon.Aux) || p.Is(i+1, "happen", "run", "take", "need", "require"))
}

// joined reports a word that only completes the one before it, of which the two are
// read as one: pull requests, local time, end of life, at least once.
func (p *reader) joined(i int) bool {
	switch {
	case p.Is(i, "request", "requests"):
		return p.Is(i-1, "pull")
	case p.Is(i, "time", "times"):
		return p.Is(i-1, "local")
	case p.Is(i, "life"):
		return p.Is(i-1, "of") && p.Is(i-2, "end")
	case p.Is(i, "once"):
		return p.delivery(i-1) != ""
	}
	return false
}

// delivery returns how often something is delivered, of which "least", "most" or
// "exactly" at i is the word that tells, unless it is how often in a time.
func (p *reader) delivery(i int) string {
	if !p.Is(i+1, "once") || p.Is(i+2, "a", "an", "per", "every", "each", "in") {
		return ""
	}
	switch {
	case p.Is(i, "exactly"):
		return "exactly-once"
	case p.Is(i, "least", "most") && p.Is(i-1, "at"):
		return "at-" + p.Tokens[i].Lower + "-once"
	}
	return ""
}
