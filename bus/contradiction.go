package bus

import "strings"

// Contradicts reports whether an engram is a risk with pointers to at least two
// sources, which is how contradictions are told (seed 2 §12 and §15).
func Contradicts(e Engram) bool {
	if e.Kind != "risk" {
		return false
	}
	sources := make(map[string]bool)
	for _, p := range e.Pointers {
		source, _, _ := strings.Cut(p.Ref, "#")
		sources[source] = true
	}
	return len(sources) > 1
}
