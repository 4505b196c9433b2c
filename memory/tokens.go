package memory

import (
	"encoding/json"
	"fmt"
	"unicode"
)

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

// tokensOf is what a value takes as JSON.
func tokensOf(value any) (int, error) {
	b, err := json.Marshal(value)
	if err != nil {
		return 0, fmt.Errorf("count tokens: %w", err)
	}
	return Tokens(string(b)), nil
}

// fitting is how many of a list, from its beginning, a budget of tokens holds; at
// least one, lest the same question never get further. A budget of 0 holds all.
func fitting[T any](list []T, budget int) (int, error) {
	if budget < 0 {
		return 0, wrong(defaultBudgetHint, "a budget of %d tokens holds nothing", budget)
	}
	for i, taken := 0, 0; budget > 0 && i < len(list); i++ {
		cost, err := tokensOf(list[i])
		if err != nil {
			return 0, err
		}
		if taken += cost; taken > budget && i > 0 {
			return i, nil
		}
	}
	return len(list), nil
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
