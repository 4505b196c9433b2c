package detection

import (
	"slices"
	"strings"
	"unicode"

	"engram/eval/paraphrase"
)

// systemNaive is the baseline of detection.
const systemNaive = "naive"

// systemRules is what is measured.
const systemRules = "engram"

// naivelyFlagged is what can be had without understanding: two texts contradict
// each other if they are alike and differ in a number or in a negation.
//
//  1. Alike: of the different words of both, at least half are in both (the
//     Jaccard index of their sets of plainWords is 0.5 or more).
//  2. A number is a word with a digit in it, and the sets of them differ.
//  3. One text has a word of negation, the other none.
func naivelyFlagged(a, b string) bool {
	wordsA, wordsB := distinctWords(a), distinctWords(b)
	all := distinct(slices.Concat(wordsA, wordsB))
	common := len(wordsA) + len(wordsB) - len(all)
	return 2*common >= len(all) &&
		(!slices.Equal(numbersOf(wordsA), numbersOf(wordsB)) || negated(a) != negated(b))
}

// distinctWords are the different words of a text, sorted.
func distinctWords(text string) []string { return distinct(paraphrase.PlainWords(text)) }

func distinct(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}

func numbersOf(words []string) []string {
	var numbers []string
	for _, w := range words {
		if strings.IndexFunc(w, unicode.IsDigit) >= 0 {
			numbers = append(numbers, w)
		}
	}
	return numbers
}

// negated looks at whole words, because plainWords cuts "don't" in two.
func negated(text string) bool {
	for _, w := range strings.Fields(strings.ReplaceAll(strings.ToLower(text), "’", "'")) {
		w = strings.TrimFunc(w, unicode.IsPunct)
		switch w {
		case "no", "not", "never", "none", "nothing", "without", "cannot", "neither", "nor":
			return true
		}
		if strings.HasSuffix(w, "n't") {
			return true
		}
	}
	return false
}
