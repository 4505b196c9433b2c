package terms

import "unicode/utf8"

// maxQuestion is how many bytes of a question are read.
const maxQuestion = 16 << 10

// OfQuestion are the distinct terms of a question.
func OfQuestion(text string) []string { return Distinct(Truncate(text)) }

// Truncate is as much of a question as is read.
func Truncate(text string) string {
	if len(text) <= maxQuestion {
		return text
	}
	text = text[:maxQuestion]
	for len(text) > 0 && !utf8.RuneStart(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}
