package bus

import "engram/facts"

// Contradicts reports whether an engram is a risk with pointers to at least two sources,
// which is how contradictions are reported (source document 2 §12 and §15): two files, two
// facts, two addresses. Two places in one file are one source.
func Contradicts(e Engram) bool {
	if e.Kind != string(facts.KindRisk) {
		return false
	}
	sources := make(map[string]bool)
	for _, p := range e.Pointers {
		if a, err := facts.ParseRef(p.Ref); err == nil {
			sources[a.Path+a.URL] = true
		}
	}
	return len(sources) > 1
}
