package memory

import "unicode/utf8"

// Tokens estimates how many tokens a language model counts in a text: one for
// four characters of ASCII and one for each other character, rounded up. It is
// an upper guess for prose and identifiers and needs no tokenizer.
func Tokens(text string) int {
	wide := 0
	for _, r := range text {
		if r >= utf8.RuneSelf {
			wide++
		}
	}
	return (utf8.RuneCountInString(text)-wide+3)/4 + wide
}
