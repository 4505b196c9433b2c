package paraphrase

import (
	"strings"
)

// form is how a word is inflected.
type form string

const (
	formBase form = ""
	formS    form = "s"   // several, or somebody does
	formED   form = "ed"  // it was done
	formING  form = "ing" // doing
)

// lemmas lists what a word may be an inflection of, likeliest first. It knows
// the regular endings of English and no dictionary; whoever asks has one.
func lemmas(word string) []inflected {
	list := []inflected{{word, formBase}}
	if stem, ok := strings.CutSuffix(word, "ies"); ok {
		list = append(list, inflected{stem + "y", formS})
	}
	if stem, ok := strings.CutSuffix(word, "es"); ok {
		list = append(list, inflected{stem + "e", formS}, inflected{stem, formS})
	} else if stem, ok := strings.CutSuffix(word, "s"); ok {
		list = append(list, inflected{stem, formS})
	}
	if stem, ok := strings.CutSuffix(word, "ied"); ok {
		list = append(list, inflected{stem + "y", formED})
	}
	for _, f := range []form{formED, formING} {
		if stem, ok := strings.CutSuffix(word, string(f)); ok && len(stem) > 2 {
			list = append(list, inflected{stem, f}, inflected{stem + "e", f})
			if n := len(stem); stem[n-1] == stem[n-2] {
				list = append(list, inflected{stem[:n-1], f})
			}
		}
	}
	return list
}

type inflected struct {
	base string
	form form
}

// inflect is the inverse of lemmas for regular words.
func inflect(base string, f form) string {
	n := len(base)
	if f == formBase || n < 3 {
		return base
	}
	last, before := base[n-1], base[n-2]
	consonantY := last == 'y' && !vowel(before)
	switch {
	case f == formS && consonantY:
		return base[:n-1] + "ies"
	case f == formS && (last == 's' || last == 'x' || last == 'z' || strings.HasSuffix(base, "ch") || strings.HasSuffix(base, "sh")):
		return base + "es"
	case f == formS:
		return base + "s"
	case f == formED && consonantY:
		return base[:n-1] + "ied"
	case last == 'e' && (f == formED || before != 'e'):
		return base[:n-1] + string(f)
	case n <= 4 && !vowel(last) && vowel(before) && !vowel(base[n-3]) && !strings.ContainsRune("wxy", rune(last)):
		return base + string(last) + string(f) // dropped
	}
	return base + string(f)
}

func vowel(b byte) bool { return strings.IndexByte("aeiou", b) >= 0 }

// root is a crude stem, to tell whether two words are the same but for their
// ending. It rather takes two for one than the other way round.
func root(word string) string {
	for _, ending := range []string{"ations", "ation", "ities", "ments", "ment", "ions", "ings", "ness", "able", "ing", "ion", "ity", "ies", "ers", "als", "ed", "er", "es", "ly", "al", "s", "e", "y"} {
		if stem, ok := strings.CutSuffix(word, ending); ok && len(stem) >= 3 {
			return stem
		}
	}
	return word
}
