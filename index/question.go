package index

import "unicode/utf8"

// maxQuestion is how many bytes of a question are read.
const maxQuestion = 16 << 10

// questionTerms are the distinct terms of a question.
func questionTerms(text string) []string { return distinctTerms(bounded(text)) }

// bounded is as much of a question as is read.
func bounded(text string) string {
	if len(text) <= maxQuestion {
		return text
	}
	text = text[:maxQuestion]
	for len(text) > 0 && !utf8.RuneStart(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}
