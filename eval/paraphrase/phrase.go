package paraphrase

import (
	"strings"
	"unicode"
)

// gramSize is how many words in a row a question must not share with the text.
const gramSize = 4

// grams are the runs of gramSize words.
func grams(words []string) map[string]bool {
	set := make(map[string]bool)
	for i := 0; i+gramSize <= len(words); i++ {
		set[strings.Join(words[i:i+gramSize], " ")] = true
	}
	return set
}

// ask puts a topic and what is asked about it into the form of a question.
func ask(topic, words string, d *Dice) string {
	forms := [...]string{
		"how does TOPIC deal with WORDS?",
		"what do we know about WORDS for TOPIC?",
		"TOPIC: what about WORDS?",
		"what was said on WORDS regarding TOPIC?",
		"when it comes to TOPIC, how about WORDS?",
	}
	return strings.NewReplacer("TOPIC", topic, "WORDS", words).Replace(forms[d.Below(len(forms))])
}

// isIdentifier reports names from code: with an underscore, a dot, a slash or
// a change of case inside.
func isIdentifier(s string) bool {
	if len(s) < 4 || strings.Contains(s, "://") || strings.IndexFunc(s, unicode.IsLetter) < 0 {
		return false
	}
	for i, r := range s[1:] {
		previous := rune(s[i])
		switch {
		case r == '_', r == '.' && i+2 < len(s), r == '/':
			return unicode.IsLetter(previous) || unicode.IsNumber(previous)
		case unicode.IsUpper(r) && unicode.IsLower(previous):
			return true
		}
	}
	return false
}

// splitIdentifier writes an identifier as a person would say it: rateLimit is
// rate limit.
func splitIdentifier(s string) string {
	var b strings.Builder
	var previous rune
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsNumber(r):
			b.WriteByte(' ')
		case unicode.IsUpper(r) && unicode.IsLower(previous):
			b.WriteByte(' ')
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteRune(unicode.ToLower(r))
		}
		previous = r
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// identifierAt is what becomes of an identifier: kept or split if a question
// is easy, and at the other levels dropped as often.
func identifierAt(identifier string, at Level, d *Dice) string {
	if identifier == "" {
		return ""
	}
	outcomes := 2
	if at != LevelEasy {
		outcomes = 3
	}
	switch d.Below(outcomes) {
	case 0:
		return identifier
	case 1:
		return splitIdentifier(identifier)
	}
	return ""
}

// otherForm inflects a word otherwise, collected to collecting, where that is
// regular; any other stays as it is.
func otherForm(word string) string {
	for _, fixed := range []string{"ss", "us", "is", "ly", "ic"} {
		if strings.HasSuffix(word, fixed) {
			return word
		}
	}
	switch {
	case strings.HasSuffix(word, "ing") && len(word) > 5:
		return strings.TrimSuffix(word, "ing") + "ed"
	case strings.HasSuffix(word, "ed") && len(word) > 4:
		return strings.TrimSuffix(word, "ed") + "ing"
	case strings.HasSuffix(word, "ies"):
		return strings.TrimSuffix(word, "ies") + "y"
	case strings.HasSuffix(word, "s"):
		return strings.TrimSuffix(word, "s")
	}
	return inflect(word, formS)
}
