package facts

import "unicode"

// How many characters of each kind make a token, about.
const (
	lettersPerToken     = 10 // most words are one token; a long one is two
	digitsPerToken      = 3
	punctuationPerToken = 3
	wideScripts         = 0x2e80 // from here on scripts have about a token a character
)

// Tokens estimates how many tokens a language model counts in a text. It cuts
// the text as the pattern before byte-pair encoding does, into words, parts of
// camelCase, numbers and punctuation, and counts long pieces several times.
// Beside o200k_base and cl100k_base, of 4,441 technical sentences nine in ten
// are estimated 13 % too low to 15 % too high, and hits as JSON 3 % too low to 6 %
// too high (docs/retrieval.md). It needs no tokenizer.
func Tokens(text string) int {
	n, length := 0, 0
	var before kindOfRune
	var previous rune
	for _, r := range text {
		kind := kindOf(r)
		if kind != before || kind == wide || kind == letter && unicode.IsUpper(r) && !unicode.IsUpper(previous) {
			length = 0
		}
		if kind != space && length%kind.perToken() == 0 {
			n++
		}
		length++
		before, previous = kind, r
	}
	return n
}

type kindOfRune int

const (
	space kindOfRune = iota
	letter
	digit
	punctuation
	wide
)

func kindOf(r rune) kindOfRune {
	switch {
	case unicode.IsSpace(r):
		return space
	case r >= wideScripts:
		return wide
	case unicode.IsLetter(r):
		return letter
	case unicode.IsDigit(r):
		return digit
	}
	return punctuation
}

func (k kindOfRune) perToken() int {
	switch k {
	case letter:
		return lettersPerToken
	case digit:
		return digitsPerToken
	case punctuation:
		return punctuationPerToken
	}
	return 1
}
