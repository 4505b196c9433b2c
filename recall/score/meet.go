package score

import (
	"math"
	"strings"
	"unicode"

	"engram/detect/lexicon"
	"engram/internal/lazyregexp"
	"engram/internal/terms"
)

// What a word of a text counts that is not the question's own: another word for the same, and one
// of the kind that the question names ("the broker" and Kafka).
const (
	sameMeaning = 0.7
	sameKind    = 0.5
	// forReason is what a text counts that gives a reason, beside its words.
	forReason = 0.15
)

var reasonRE = lazyregexp.New(`(?i)\b(because|since|so that|due to|in order to|thanks to|rather than|instead of|as it|over)\b`)

// sense is a word as it is compared: its stem, its meaning, and the kinds of alternatives that
// it is one of or that it describes.
type sense struct {
	stem, word string
	meaning    uint32
	kinds      uint64
}

func sensesOf(text string) (list []sense) {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-'
	}) {
		if word = strings.Trim(word, "-"); word == "" || terms.IsStopWord(word) {
			continue
		}
		e := lexicon.LookUp(word)
		s := sense{word: word, meaning: e.ID, kinds: e.Kinds}
		if stems := terms.Terms(word); len(stems) > 0 {
			s.stem = stems[0]
		}
		list = append(list, s)
	}
	return list
}

// Meet says of each text how far it may answer a question for a decision, 0 to 1, where words of
// one meaning and names of a kind that the question speaks of count as well as its own words, and
// each the more, the fewer texts have it.
func Meet(question string, texts []string) []float64 {
	asked := sensesOf(strategicRE.ReplaceAllString(question, " "))
	matches := make([][]float64, len(texts)) // by text and word
	having := make([]float64, len(asked))
	for i, text := range texts {
		matches[i] = make([]float64, len(asked))
		said := sensesOf(text)
		for k, q := range asked {
			kinds := q.kinds | lexicon.Describes(q.word)
			for _, s := range said {
				switch {
				case s.stem == q.stem:
					matches[i][k] = 1
				case s.meaning == q.meaning:
					matches[i][k] = max(matches[i][k], sameMeaning)
				case s.kinds&kinds != 0:
					matches[i][k] = max(matches[i][k], sameKind)
				}
			}
			if matches[i][k] > 0 {
				having[k]++
			}
		}
	}
	list := make([]float64, len(texts))
	for i, text := range texts {
		sum, all := 0.0, 0.0
		for k := range asked {
			weight := math.Log(1 + float64(len(texts))/max(1, having[k]))
			all += weight
			sum += weight * matches[i][k]
		}
		if all > 0 {
			list[i] = (1 - forReason) * sum / all
		}
		if reasonRE.MatchString(text) {
			list[i] += forReason
		}
	}
	return list
}
