package detect

import (
	"strings"
	"sync"
)

// traits say how a word counts when two claims are held against each other.
type traits uint16

const (
	weak       traits = 1 << iota // tells little of what a claim is about: general verbs and nouns
	quantity                      // names what is measured: timeout, limit, size
	single                        // names what has one value at a time: region, format, level
	open                          // leaves room for others: supports, also, such as
	universal                     // speaks of all there are: every, all, nothing
	changing                      // tells of a change: now, raised, no longer
	contrast                      // tells things of one kind apart: read and write, connect and idle
	relation                      // ties a subject to one thing: stored, written, owned
	direction                     // an end of an opposition that may tell two things apart
	dismissing                    // says of something that it is not there or not accepted
	ordering                      // says what comes first: before, after, once
)

// entry is what the lexicon knows of a word.
type entry struct {
	id      uint32 // one for all words of one meaning
	opposed int8   // +1 or -1 at the ends of an opposition, which share an id
	life    int8   // +1 in use, -1 gone or going
	traits  traits
	kinds   uint64 // the kinds of alternatives it is one of, a bit each
}

// lexicon is made of the tables on first use and never changed after.
var lexicon = sync.OnceValue(func() map[string]entry {
	words := make(map[string]entry, 1500)
	for line := range strings.Lines(synonyms) {
		group := strings.Fields(line)
		for _, w := range group {
			enter(words, w, func(e *entry) { e.id = wordID(stem(group[0])) })
		}
	}
	enterOpposed(words, oppositions, 0)
	enterOpposed(words, directions, direction)
	kind := uint64(1)
	for line := range strings.Lines(alternatives) {
		_, names, _ := strings.Cut(line, ":")
		for w := range strings.FieldsSeq(names) {
			enter(words, w, func(e *entry) { e.kinds |= kind })
		}
		kind <<= 1
	}
	for _, list := range [...]struct {
		words string
		mark  func(*entry)
	}{
		{weakWords, func(e *entry) { e.traits |= weak }},
		{quantityWords, func(e *entry) { e.traits |= quantity }},
		{singleWords, func(e *entry) { e.traits |= single }},
		{openWords, func(e *entry) { e.traits |= open }},
		{universalWords, func(e *entry) { e.traits |= universal }},
		{changingWords, func(e *entry) { e.traits |= changing }},
		{contrastWords, func(e *entry) { e.traits |= contrast }},
		{relationWords, func(e *entry) { e.traits |= relation }},
		{dismissingWords, func(e *entry) { e.traits |= dismissing }},
		{orderingWords, func(e *entry) { e.traits |= ordering }},
		{livingWords, func(e *entry) { e.life = 1 }},
		{goneWords, func(e *entry) { e.life = -1 }},
	} {
		for w := range strings.FieldsSeq(list.words) {
			enter(words, w, list.mark)
		}
	}
	shareKinds(words)
	return words
})

// shareKinds gives all words of one meaning the kinds of each.
func shareKinds(words map[string]entry) {
	kinds := make(map[uint32]uint64)
	for _, e := range words {
		kinds[e.id] |= e.kinds
	}
	for w, e := range words {
		e.kinds = kinds[e.id]
		words[w] = e
	}
}

// enterOpposed enters a table of two ends a line.
func enterOpposed(words map[string]entry, table string, mark traits) {
	for line := range strings.Lines(table) {
		plus, minus, _ := strings.Cut(line, "/")
		ends := [2][]string{strings.Fields(plus), strings.Fields(minus)}
		for at, end := range ends {
			for _, w := range end {
				enter(words, w, func(e *entry) {
					e.id, e.opposed = wordID(stem(ends[0][0])), int8(1-2*at)
					e.traits |= mark
				})
			}
		}
	}
}

// enter changes the entry of a word, which it makes if there is none.
func enter(words map[string]entry, w string, change func(*entry)) {
	key := stem(w)
	e, ok := words[key]
	if !ok {
		e.id = wordID(key)
	}
	change(&e)
	words[key] = e
}

// lookUp returns the entry of a word in lower case. A word that begins with
// "un" or "non" and is not known denies the rest of it.
func lookUp(w string) entry {
	words := lexicon()
	key := stem(w)
	if e, ok := words[key]; ok {
		return e
	}
	for _, lead := range [...]string{"non-", "un"} {
		rest, cut := strings.CutPrefix(key, lead)
		if !cut || len(rest) < 4 {
			continue
		}
		e, ok := words[rest]
		if lead == "un" && !ok && !participle(w) {
			break // until, unit, under
		}
		if e.opposed == 0 {
			return entry{id: wordID(rest), opposed: -1, traits: e.traits | direction}
		}
	}
	return entry{id: wordID(key)}
}

// known reports whether the lexicon has a word.
func known(w string) bool {
	_, ok := lexicon()[stem(w)]
	return ok
}

// participle reports the endings of words for what is or can be done to something,
// so that "un" before them denies it.
func participle(w string) bool {
	return strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "able") || strings.HasSuffix(w, "ible")
}

// wordID is the FNV-1a hash of a word.
func wordID(w string) uint32 {
	h := uint32(2166136261)
	for i := range len(w) {
		h = (h ^ uint32(w[i])) * 16777619
	}
	return h
}

// stem cuts the endings that inflect a word; it need not be a word.
func stem(w string) string {
	n := len(w)
	switch {
	case n < 4 || !isLetter(w[n-1]) || strings.IndexByte(w, '_') >= 0:
		return w
	case strings.HasSuffix(w, "ies") && n > 4:
		return w[:n-3]
	case strings.HasSuffix(w, "sses"):
		return w[:n-2]
	case w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i':
		return stem(w[:n-1])
	case strings.HasSuffix(w, "ation") && n > 7:
		return w[:n-3] // validation, validate
	case strings.HasSuffix(w, "ion") && n > 6:
		return w[:n-3]
	case strings.HasSuffix(w, "ing") && n > 5:
		return undouble(w[:n-3])
	case strings.HasSuffix(w, "ed") && n > 4:
		return undouble(w[:n-2])
	case strings.HasSuffix(w, "ment") && n > 7, strings.HasSuffix(w, "able") && n > 8:
		return w[:n-4]
	case w[n-1] == 'e', w[n-1] == 'y':
		return w[:n-1]
	}
	return w
}

// undouble turns what is left of "dropped" and "dropping" into that of "drop".
func undouble(w string) string {
	n := len(w)
	switch {
	case n > 3 && w[n-1] == w[n-2] && strings.IndexByte("bdgmnprt", w[n-1]) >= 0:
		return w[:n-1]
	case n > 3 && (w[n-1] == 'e' || w[n-1] == 'y'):
		return w[:n-1]
	}
	return w
}

// The meanings that rules look for.
var (
	finishID      = wordID(stem("finish"))
	limitID       = wordID(stem("limit"))
	allowID       = wordID(stem("allowed"))
	requireID     = wordID(stem("required"))
	succeedID     = wordID(stem("succeeds"))
	environmentID = wordID(stem("environment"))
)
