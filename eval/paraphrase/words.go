package paraphrase

import (
	"slices"
	"strings"
	"unicode"
)

// PlainWords are the lower-cased runs of letters and digits of a text: the
// simplest way to tell words, for the reference systems.
func PlainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
}

// IsFunctionWord reports the words that a person omits from a search: the
// short stop list of the reference grep, which also keeps questions apart from
// their form.
func IsFunctionWord(word string) bool {
	_, found := slices.BinarySearch(functionWords[:], word)
	return found
}

// functionWords is sorted.
var functionWords = [...]string{
	"a", "about", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could",
	"did", "do", "does", "each", "else", "for", "from", "had", "has", "have", "how", "i", "if", "in", "into", "is",
	"it", "its", "may", "me", "more", "must", "my", "no", "not", "of", "on", "one", "only", "or", "other", "our",
	"out", "over", "own", "shall", "should", "so", "some", "such", "than", "that", "the", "their", "them", "then",
	"there", "these", "they", "this", "those", "to", "too", "under", "up", "upon", "us", "very", "was", "we",
	"were", "what", "when", "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
}
