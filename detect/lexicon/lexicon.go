// Package lexicon has what is known of single words: the part they play in a
// sentence (Classify), their meaning, and how they count when two claims are
// compared (LookUp). It knows nothing of sentences.
package lexicon

import (
	"strings"
	"sync"
)

// Traits say how a word counts when two claims are compared.
type Traits uint16

const (
	Weak         Traits = 1 << iota // tells little of what a claim is about: general verbs and nouns
	Quantity                        // names what is measured: timeout, limit, size
	SingleValued                    // names what has one value at a time: region, format, level
	OpenEnded                       // leaves room for others: supports, also, such as
	Universal                       // speaks of all there are: every, all, nothing
	Changing                        // tells of a change: now, raised, no longer
	Contrast                        // tells things of one kind apart: read and write, connect and idle
	Relation                        // ties a subject to one thing: stored, written, owned
	Direction                       // an end of an opposition that may tell two things apart
	Dismissing                      // says of something that it is not there or not accepted
	Ordering                        // says what comes first: before, after, once
)

// Entry is what the lexicon knows of a word.
type Entry struct {
	ID        uint32 // one for all words of one meaning
	Pole      int8   // +1 or -1 at the ends of an opposition, which share an id
	Lifecycle int8   // +1 in use, -1 gone or going
	Traits    Traits
	Kinds     uint64 // the kinds of alternatives it is one of, a bit each
}

// lexicon is made of the tables on first use and never changed after.
var lexicon = sync.OnceValue(func() map[string]Entry {
	words := make(map[string]Entry, 1500)
	for line := range strings.Lines(synonyms) {
		group := strings.Fields(line)
		for _, w := range group {
			enter(words, w, func(e *Entry) { e.ID = wordID(stem(group[0])) })
		}
	}
	enterOpposed(words, oppositions, 0)
	enterOpposed(words, directions, Direction)
	kind := uint64(1)
	for line := range strings.Lines(alternatives) {
		_, names, _ := strings.Cut(line, ":")
		for w := range strings.FieldsSeq(names) {
			enter(words, w, func(e *Entry) { e.Kinds |= kind })
		}
		kind <<= 1
	}
	for _, list := range [...]struct {
		words string
		mark  func(*Entry)
	}{
		{weakWords, func(e *Entry) { e.Traits |= Weak }},
		{quantityWords, func(e *Entry) { e.Traits |= Quantity }},
		{singleWords, func(e *Entry) { e.Traits |= SingleValued }},
		{openWords, func(e *Entry) { e.Traits |= OpenEnded }},
		{universalWords, func(e *Entry) { e.Traits |= Universal }},
		{changingWords, func(e *Entry) { e.Traits |= Changing }},
		{contrastWords, func(e *Entry) { e.Traits |= Contrast }},
		{relationWords, func(e *Entry) { e.Traits |= Relation }},
		{dismissingWords, func(e *Entry) { e.Traits |= Dismissing }},
		{orderingWords, func(e *Entry) { e.Traits |= Ordering }},
		{livingWords, func(e *Entry) { e.Lifecycle = 1 }},
		{goneWords, func(e *Entry) { e.Lifecycle = -1 }},
	} {
		for w := range strings.FieldsSeq(list.words) {
			enter(words, w, list.mark)
		}
	}
	shareKinds(words)
	return words
})

// shareKinds gives all words of one meaning the kinds of each.
func shareKinds(words map[string]Entry) {
	kinds := make(map[uint32]uint64)
	for _, e := range words {
		kinds[e.ID] |= e.Kinds
	}
	for w, e := range words {
		e.Kinds = kinds[e.ID]
		words[w] = e
	}
}

// enterOpposed enters a table of two ends a line.
func enterOpposed(words map[string]Entry, table string, mark Traits) {
	for line := range strings.Lines(table) {
		plus, minus, _ := strings.Cut(line, "/")
		ends := [2][]string{strings.Fields(plus), strings.Fields(minus)}
		for at, end := range ends {
			for _, w := range end {
				enter(words, w, func(e *Entry) {
					e.ID, e.Pole = wordID(stem(ends[0][0])), int8(1-2*at)
					e.Traits |= mark
				})
			}
		}
	}
}

// enter changes the entry of a word, which it makes if there is none.
func enter(words map[string]Entry, w string, change func(*Entry)) {
	key := stem(w)
	e, ok := words[key]
	if !ok {
		e.ID = wordID(key)
	}
	change(&e)
	words[key] = e
}

// LookUp returns the entry of a word in lower case. A word that begins with
// "un" or "non" and is not known denies the rest of it.
func LookUp(w string) Entry {
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
		if e.Pole == 0 {
			return Entry{ID: wordID(rest), Pole: -1, Traits: e.Traits | Direction}
		}
	}
	return Entry{ID: wordID(key)}
}

// Known reports whether the lexicon has a word.
func Known(w string) bool {
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
	case n < 4 || !IsLetter(w[n-1]) || strings.IndexByte(w, '_') >= 0:
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
	FinishID      = wordID(stem("finish"))
	LimitID       = wordID(stem("limit"))
	AllowID       = wordID(stem("allowed"))
	RequireID     = wordID(stem("required"))
	SucceedID     = wordID(stem("succeeds"))
	EnvironmentID = wordID(stem("environment"))
)
