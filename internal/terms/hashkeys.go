package terms

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"

	"engram/facts"
)

// Hash keys (source document 1 §5.1, source document 2 §9.1) recall candidates by exact lookups:
//
//  1. concepts, as detect names them: service:gateway, config:auth_rate_limit;
//  2. tags;
//  3. runs of two to five words of the files that the pointers name;
//  4. runs of two to five words of the claim, short ones first.
//
// Single words and identifiers are keys as well; the text field has them
// already. The words of a run are sorted, so that "limit of the rate" recalls
// "rate limit". Collisions are accepted, as the seed has it: a key is three bytes.
const (
	// maxHashKeys is how many keys a fact has; source document 1 §4.1 allows 32. An index of
	// 100,000 facts takes 90 MB with 32, 79 with 24 and 59 without.
	MaxKeys       = 24
	shortestNGram = 2
	longestNGram  = 5
	keySize       = 3 // bytes
	// maxKeyWords is how many words of a question make runs.
	maxNGramWords = 96
)

const KeyField = "k" // hash keys of a document in Bleve

// The kinds of hash keys, a letter in front of the term.
const (
	Concept = 'c'
	Tag     = 't'
	File    = 'p'
	Phrase  = 'g'
	Word    = 'w' // a single word: a term of the text field
)

// Key is a hash key of a text.
type Key struct {
	Kind byte
	Text string // readable: what --explain shows
}

// Term is the key as it stands in the index.
func (k Key) Term() string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(k.Text))
	sum := h.Sum32()
	return string(binary.BigEndian.AppendUint32([]byte{k.Kind}, sum^sum<<24)[:4])
}

// FactKeys are the keys of a fact, the most telling first.
func (a *Analyzer) FactKeys(f facts.Fact, concepts []string) []Key {
	keys := make([]Key, 0, MaxKeys)
	add := func(kind byte, text string) {
		if k := (Key{kind, text}); text != "" && len(keys) < MaxKeys && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, concept := range concepts {
		add(Concept, concept)
	}
	for _, tag := range f.Tags {
		add(Tag, nGram(a.words(tag)))
	}
	for _, p := range f.Pointers {
		if address, err := facts.ParseRef(p.Ref); err == nil {
			nGrams(a.words(address.Path), func(text string) { add(File, text) })
		}
	}
	nGrams(a.words(f.Claim), func(text string) { add(Phrase, text) })
	return keys
}

// QuestionKeys are the keys by which a question looks facts up.
func (a *Analyzer) QuestionKeys(text string, concepts []string) []Key {
	keys := ConceptKeys(concepts)
	for _, term := range slices.Clone(a.Terms(text)) {
		keys = append(keys, Key{Word, term})
	}
	words := a.words(text)
	words = words[:min(len(words), maxNGramWords)]
	for _, word := range words {
		keys = append(keys, Key{Tag, word})
	}
	nGrams(words, func(text string) {
		keys = append(keys, Key{Phrase, text}, Key{File, text})
		if strings.Count(text, " ") == 1 {
			keys = append(keys, Key{Tag, text})
		}
	})
	return distinct(keys)
}

// ConceptKeys are the keys of concepts.
func ConceptKeys(concepts []string) []Key {
	keys := make([]Key, len(concepts))
	for i, concept := range concepts {
		keys[i] = Key{Concept, concept}
	}
	return distinct(keys)
}

func distinct(keys []Key) []Key {
	slices.SortFunc(keys, func(a, b Key) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Text, b.Text)) })
	return slices.Compact(keys)
}

// words are the terms of a text without identifiers as wholes.
func (a *Analyzer) words(text string) []string {
	a.wordsOnly = true
	defer func() { a.wordsOnly = false }()
	return slices.Clone(a.Terms(text))
}

// nGrams calls visit with each run of neighbouring words, all short ones first.
func nGrams(words []string, visit func(string)) {
	for length := shortestNGram; length <= longestNGram; length++ {
		for i := 0; i+length <= len(words); i++ {
			visit(nGram(slices.Clone(words[i : i+length])))
		}
	}
}

// nGram writes a run of words as a key, whatever their order. It changes words.
func nGram(words []string) string {
	slices.Sort(words)
	return strings.Join(words, " ")
}

// HashKeys are the hash keys of a fact as a person reads them, the most telling
// first. concepts names what a text is about, as in Options.
func HashKeys(f facts.Fact, concepts func(text string) []string) []string {
	var named []string
	if concepts != nil {
		named = concepts(f.Claim)
	}
	var texts []string
	for _, k := range (&Analyzer{}).FactKeys(f, named) {
		if !slices.Contains(texts, k.Text) {
			texts = append(texts, k.Text)
		}
	}
	return texts
}
