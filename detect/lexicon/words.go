package lexicon

import "strings"

// Class says what part words play around a value; a word may play several.
type Class uint32

const (
	Filler      Class = 1 << iota // never part of a name: articles, pronouns, "current", "value"
	Copula                        // what follows is the value: is, equals
	Have                          // what follows belongs to the subject: has, uses
	Aux                           // part of a verb: been, will, does
	Prep                          // of, for, in
	ClauseStart                   // begins a clause: but, because, which
	When                          // begins a condition: if, when, unless
	Conj                          // and, or
	Neg                           // not, never, no
	About                         // roughly, ~
	Adverb                        // says how, not what
	Change                        // raised, bumped: from one value to another
	Sets                          // set, defaults, limited: to a value
	Setting                       // flag, option, property
	Label                         // numbers after it are names: tier 1, rfc 401
	Attr                          // names a quantity: timeout, limit
	Former                        // what follows held before: previously
	Lifetime                      // lives, expires: a lifetime follows
	StageVerb                     // what stages happen with: removed, introduced
)

// Skipped are the classes that give no word of a name.
const Skipped = Filler | Aux | Neg | About | Adverb | Conj | When | Setting

// Classify returns the classes of a word in lower case.
func Classify(w string) Class {
	switch w {
	case "the", "a", "an", "this", "that", "these", "those", "its", "their", "our", "your", "my", "his", "her",
		"it", "we", "they", "you", "i", "he", "she", "there", "each", "every", "all", "any", "some", "both", "such",
		"value", "values", "current", "number", "amount", "total", "count", "service", "services", "default",
		"localhost", "overall", "new", "same", "another", "other", "one", "least", "most", "than", "more", "less", "up",
		"version", "versions", "between", "only", "exactly", "once", "been":
		return Filler
	case "is", "are", "was", "were", "be", "equals", "equal", "becomes", "became", "remains", "stays", "returns", "means":
		return Copula
	case "isn't", "aren't", "wasn't", "weren't":
		return Copula | Neg
	case "has", "have", "had", "uses", "use", "using", "used", "runs", "run", "with", "contains", "holds", "keeps",
		"allows", "accepts", "takes", "take", "took", "requires", "require", "needs", "need", "supports", "support", "targets", "depends",
		"gets", "gives", "provides", "serves", "includes", "sends", "reserves", "listens", "pins", "ships", "handles",
		"relies", "exposes", "rely", "depend":
		return Have
	case "hasn't", "haven't":
		return Have | Neg
	case "being", "will", "would", "can", "could", "may", "might", "must", "shall", "should", "do", "does",
		"did":
		return Aux
	case "to":
		return Aux | Prep
	case "doesn't", "don't", "didn't", "cannot", "can't", "won't", "mustn't", "shouldn't", "couldn't":
		return Aux | Neg
	case "not", "no", "never", "without", "neither", "nor":
		return Neg
	case "of", "for", "in", "on", "at", "by", "from", "per", "within", "after", "via", "into", "onto", "over", "under",
		"across", "through", "as", "since", "until", "before":
		return Prep
	case "but", "while", "whereas", "because", "although", "though", "so", "which", "who", "where", "then",
		"instead", "except", "however", "therefore", "rather":
		return ClauseStart
	case "if", "when", "unless", "whenever", "during", "whether", "assuming":
		return When
	case "and", "or", "plus":
		return Conj
	}
	return classifyMore(w)
}

// classifyMore has the open classes.
func classifyMore(w string) Class {
	switch w {
	case "about", "approximately", "roughly", "around", "nearly", "almost", "circa", "approx":
		return About
	case "now", "always", "also", "still", "usually", "already", "today", "again", "just", "even", "often", "here",
		"longer", "by-default", "ever", "yet":
		return Adverb
	case "raised", "bumped", "increased", "lowered", "reduced", "decreased", "changed", "moved", "upgraded", "switched",
		"went", "grew", "dropped", "downgraded", "migrated", "cut", "raise", "bump", "increase", "lower", "reduce",
		"decrease", "change", "upgrade", "doubled", "halved", "shortened", "extended", "updated":
		return Change
	case "set", "sets", "defaults", "defaulted", "limited", "capped", "configured", "fixed", "restricted", "pinned",
		"locked", "limits", "caps", "bounded":
		return Sets
	case "flag", "flags", "setting", "settings", "option", "options", "field", "fields", "property", "properties",
		"parameter", "parameters", "param", "env", "variable", "variables", "config", "key", "knob", "argument", "annotation":
		return Setting
	case "tier", "rfc", "kep", "issue", "issues", "pr", "prs", "section", "chapter", "phase", "step", "layer", "figure",
		"table", "appendix", "http", "error", "code", "status", "exit", "ticket", "bug", "article", "adr", "sprint",
		"part", "parts", "page", "line", "type", "case", "scenario", "example", "round", "story", "iso", "item",
		"edition", "note", "level", "row", "rows", "steps", "sections":
		return Label | attrOf(w)
	case "previously", "formerly", "originally", "earlier", "old", "previous", "former":
		return Former | Adverb
	case "lives", "live", "lasts", "last", "expires", "expire", "expired":
		return Lifetime
	case "introduced", "removed", "added", "released", "graduated", "graduates", "ga", "alpha", "beta", "stable",
		"deprecated", "implemented", "available", "shipped", "landed", "merged", "supported", "unsupported":
		return StageVerb
	}
	if isAttr(w) {
		return Attr
	}
	if len(w) > 4 && strings.HasSuffix(w, "ly") {
		return Adverb
	}
	return 0
}

func attrOf(w string) Class {
	if w == "level" || w == "status" || w == "phase" {
		return Attr
	}
	return 0
}

// isAttr reports the nouns that name a quantity.
func isAttr(w string) bool {
	switch w {
	case "timeout", "timeouts", "limit", "limits", "delay", "window", "ttl", "retention", "interval", "backoff",
		"budget", "cap", "quota", "buffer", "cache", "lifetime", "expiry", "deadline", "period", "threshold", "sampling",
		"rate", "size", "latency", "throughput", "capacity", "heap", "memory", "replicas", "retries", "jitter",
		"cooldown", "maximum", "minimum", "max", "min", "ceiling", "floor", "batch", "burst", "lease", "sla", "slo",
		"uptime", "availability", "coverage", "duration", "length", "depth", "width", "height", "concurrency", "price",
		"cost", "grace", "pool", "stage", "mode", "state", "status", "priority":
		return true
	}
	return false
}

// Canonical gives words of one meaning one form, for names.
func Canonical(w string) string {
	switch w {
	case "ttl", "expiry", "expiration", "lives", "live", "lasts", "last", "expires", "expire", "expired", "time-to-live":
		return "lifetime"
	case "limited", "limits", "capped", "caps", "cap", "restricted", "bounded", "ceiling":
		return "limit"
	case "maximum", "maximal":
		return "max"
	case "minimum", "minimal":
		return "min"
	case "time-out", "timeouts":
		return "timeout"
	case "kept", "retained":
		return "retention"
	case "milestones":
		return "milestone"
	}
	return w
}

// Singular returns a word of prose without its plural ending.
func Singular(w string) string {
	n := len(w)
	switch {
	case n < 4 || w[n-1] != 's' || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
		return w
	case w == "kubernetes" || w == "postgres" || w == "https" || w == "always" || w == "aws":
		return w
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes"):
		return w[:n-2]
	}
	return w[:n-1]
}
