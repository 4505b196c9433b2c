package lexicon

import (
	"strings"
	"sync"
)

// Part says what part a word plays in a statement.
type Part uint16

// The parts; a word may play several.
const (
	Stop      Part = 1 << iota // without content: articles, pronouns, auxiliaries
	Common                     // tells little of what a claim is about
	Negator                    // denies
	Evolving                   // tells of a change of state
	Excluding                  // leaves no room for others
	Admitting                  // leaves room for others
	Framing                    // tells how somebody came to know
)

// Sense is what is known of a word for comparing statements.
type Sense struct {
	ID      uint32 // of its meaning; the same for words that the lexicon takes for one
	Stem    uint32 // of its stem
	Topics  []int16
	Cases   []Case  // the circumstances that it names
	Kinds   []int16 // the kinds of alternatives that it is one of
	Opposed []int16 // the oppositions that it is an end of: positive or negative
	Part    Part
}

// Case is a circumstance: one member of a class.
type Case struct{ Class, Member int16 }

var senses = sync.OnceValue(func() map[string]*Sense {
	words := make(map[string]*Sense, 4000)
	sense := func(w string) *Sense {
		key := Stem(w)
		if words[key] == nil {
			words[key] = &Sense{}
		}
		return words[key]
	}
	parted := func(w string) *Sense { // by the word itself: "used" is not "use" here
		key := "=" + w
		if words[key] == nil {
			words[key] = &Sense{}
		}
		return words[key]
	}
	eachLine(topics, func(line int, names string) {
		for w := range strings.FieldsSeq(names) {
			s := sense(w)
			s.Topics = insert(s.Topics, int16(line))
		}
	})
	eachLine(cases, func(line int, names string) {
		for member, group := range strings.Fields(names) {
			for w := range strings.SplitSeq(group, "=") {
				s := parted(w)
				s.Cases = append(s.Cases, Case{int16(line), int16(member)})
			}
		}
	})
	eachLine(alternatives+exclusives, func(line int, names string) {
		if _, members, ok := strings.Cut(names, ":"); ok {
			for w := range strings.FieldsSeq(members) {
				s := sense(w)
				s.Kinds = insert(s.Kinds, int16(line))
			}
		}
	})
	eachLine(opposites+oppositions+directions, func(line int, names string) {
		plus, minus, _ := strings.Cut(names, "/")
		for w := range strings.FieldsSeq(plus) {
			s := parted(w)
			s.Opposed = insert(s.Opposed, int16(line+1))
		}
		for w := range strings.FieldsSeq(minus) {
			s := parted(w)
			s.Opposed = insert(s.Opposed, -int16(line+1))
		}
	})
	for _, list := range [...]struct {
		words string
		part  Part
	}{
		{fillers, Stop}, {common, Common}, {negators, Negator}, {evolving, Evolving},
		{excluding, Excluding}, {admitting, Admitting}, {framing, Framing},
	} {
		for w := range strings.FieldsSeq(list.words) {
			parted(w).Part |= list.part
		}
	}
	return words
})

// eachLine calls f with the lines of a table that are not empty.
func eachLine(table string, f func(line int, names string)) {
	n := 0
	for line := range strings.Lines(table) {
		if line = strings.TrimSpace(line); line != "" {
			f(n, line)
			n++
		}
	}
}

func insert(list []int16, line int16) []int16 {
	for _, l := range list {
		if l == line {
			return list
		}
	}
	return append(list, line)
}

// SenseOf returns what is known of a word in lower case.
func SenseOf(w string) Sense {
	words := senses()
	key := Stem(w)
	s := Sense{}
	if known := words[key]; known != nil {
		s = *known
	}
	if own := words["="+w]; own != nil {
		s.Part, s.Opposed, s.Cases = own.Part, own.Opposed, own.Cases
	}
	s.ID, s.Stem = LookUp(w).ID, wordID(key)
	return s
}

// KindOf returns the name of a kind of alternatives in Sense.Kinds.
func KindOf(kind int16) (name string) {
	eachLine(alternatives+exclusives, func(line int, names string) {
		if line == int(kind) {
			name, _, _ = strings.Cut(names, ":")
		}
	})
	return name
}

// endings inflect or derive words, the longest first.
var endings = [...]string{
	"isations", "izations", "isation", "ization", "ations", "ating", "ation", "ators", "ator", "ement", "ments", "ities", "iness", "ising", "izing", "isers", "ised", "ized",
	"iser", "izer", "ates", "ated", "ment", "ings", "ions", "ally", "able", "ible", "ance", "ence", "ing", "ion", "ers", "ors", "ies", "ied", "ity", "ise", "ize", "ate", "ant", "ent", "ely", "ed", "er", "or", "es", "ly", "al", "s", "e", "y",
}

// Stem cuts the endings of a word, of which at least four letters stay, or three before
// a plural. What is left need not be a word.
func Stem(w string) string {
	if strings.ContainsAny(w, "_./-@") {
		return w
	}
	for _, end := range endings {
		if rest := len(w) - len(end); strings.HasSuffix(w, end) && (rest >= 4 || rest == 3 && (end == "s" || end == "ed" || end == "ing" || end == "es")) {
			if end == "s" && (strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is")) {
				continue
			}
			return undouble(w[:rest])
		}
	}
	return w
}
