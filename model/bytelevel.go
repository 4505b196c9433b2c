package model

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wordEnd returns the end of the first word of a text, which must not be empty. A word is a
// match of GPT-2's regular expression, with which RoBERTa was trained:
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// Every character is in one word. The expression is written out here because package regexp
// has no lookahead. A byte that is not UTF-8 counts as a symbol.
func wordEnd(text string) int {
	if text[0] == '\'' {
		for _, ending := range [...]string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
			if strings.HasPrefix(text, ending) {
				return len(ending)
			}
		}
	}
	start := 0
	if text[0] == ' ' && len(text) > 1 {
		start = 1
	}
	if class := classOf(text[start:]); class != white {
		return start + runEnd(text[start:], class)
	}
	end := runEnd(text, white)
	_, last := utf8.DecodeLastRuneInString(text[:end])
	if end < len(text) && last < end {
		return end - last // the last one may belong to the word after it
	}
	return end
}

// class is a kind of characters that words consist of.
type class int

const (
	symbol class = iota
	letter
	number
	white
)

// classOf returns the class of a text's first character.
func classOf(text string) class {
	r, _ := utf8.DecodeRuneInString(text)
	switch {
	case unicode.IsSpace(r):
		return white
	case unicode.IsLetter(r):
		return letter
	case unicode.IsNumber(r):
		return number
	}
	return symbol
}

// runEnd returns where characters of another class begin.
func runEnd(text string, of class) int {
	end := 0
	for end < len(text) && classOf(text[end:]) == of {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return end
}

// byteNames returns the characters that stand for bytes in byte-level vocabularies: visible
// Latin-1 characters for themselves, and the others, in their order, the characters after
// Latin-1, so that a space is "Ġ".
func byteNames() (names [256]rune) {
	next := rune(256)
	for b := range rune(256) {
		if b > ' ' && b < 0x7f || b > 0xa0 && b != 0xad {
			names[b] = b
			continue
		}
		names[b] = next
		next++
	}
	return names
}
