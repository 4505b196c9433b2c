package index

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"

	"engram/facts"
)

// Hash keys (seed 1 §5.1, seed 2 §9.1) recall candidates by exact lookups:
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
	// maxHashKeys is how many keys a fact has; seed 1 §4.1 allows 32. An index of
	// 100,000 facts takes 90 MB with 32, 79 with 24 and 59 without.
	maxHashKeys = 24
	shortestRun = 2
	longestRun  = 5
	hashKeySize = 3 // bytes
	// maxKeyWords is how many words of a question make runs.
	maxKeyWords = 96
)

const keyField = "k" // hash keys of a document in Bleve

// The kinds of hash keys, a letter in front of the term.
const (
	keyConcept = 'c'
	keyTag     = 't'
	keyFile    = 'p'
	keyClaim   = 'g'
	keyWord    = 'w' // a single word: a term of the text field
)

type hashKey struct {
	kind byte
	text string // readable: what --explain shows
}

// term is the key as it stands in the index.
func (k hashKey) term() string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(k.text))
	sum := h.Sum32()
	return string(binary.BigEndian.AppendUint32([]byte{k.kind}, sum^sum<<24)[:4])
}

// factKeys are the keys of a fact, the most telling first.
func (a *analyzer) factKeys(f facts.Fact, concepts []string) []hashKey {
	keys := make([]hashKey, 0, maxHashKeys)
	add := func(kind byte, text string) {
		if k := (hashKey{kind, text}); text != "" && len(keys) < maxHashKeys && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, concept := range concepts {
		add(keyConcept, concept)
	}
	for _, tag := range f.Tags {
		add(keyTag, run(a.words(tag)))
	}
	for _, p := range f.Pointers {
		if address, err := facts.ParseRef(p.Ref); err == nil {
			runs(a.words(address.Path), func(text string) { add(keyFile, text) })
		}
	}
	runs(a.words(f.Claim), func(text string) { add(keyClaim, text) })
	return keys
}

// questionKeys are the keys by which a question looks facts up.
func (a *analyzer) questionKeys(text string, concepts []string) []hashKey {
	var keys []hashKey
	for _, concept := range concepts {
		keys = append(keys, hashKey{keyConcept, concept})
	}
	for _, term := range slices.Clone(a.terms(text)) {
		keys = append(keys, hashKey{keyWord, term})
	}
	words := a.words(text)
	words = words[:min(len(words), maxKeyWords)]
	for _, word := range words {
		keys = append(keys, hashKey{keyTag, word})
	}
	runs(words, func(text string) {
		keys = append(keys, hashKey{keyClaim, text}, hashKey{keyFile, text})
		if strings.Count(text, " ") == 1 {
			keys = append(keys, hashKey{keyTag, text})
		}
	})
	slices.SortFunc(keys, func(a, b hashKey) int {
		return strings.Compare(string(a.kind)+a.text, string(b.kind)+b.text)
	})
	return slices.Compact(keys)
}

// words are the terms of a text without identifiers as wholes.
func (a *analyzer) words(text string) []string {
	a.apart = true
	defer func() { a.apart = false }()
	return slices.Clone(a.terms(text))
}

// runs calls visit with each run of neighbouring words, all short ones first.
func runs(words []string, visit func(string)) {
	for length := shortestRun; length <= longestRun; length++ {
		for i := 0; i+length <= len(words); i++ {
			visit(run(slices.Clone(words[i : i+length])))
		}
	}
}

// run writes a run of words as a key, whatever their order. It changes words.
func run(words []string) string {
	slices.Sort(words)
	return strings.Join(words, " ")
}
