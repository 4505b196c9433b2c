package model

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wordEnd is where the first word of a text ends, which must not be empty. A
// word is a match of GPT-2's regular expression, with which RoBERTa was trained:
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// Every character is in one word. It is written out here because package regexp
// does not look ahead. A byte that is not UTF-8 is like a symbol.
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

// class is one of the kinds of characters that words are made of.
type class int

const (
	symbol class = iota
	letter
	number
	white
)

// classOf is the class of a text's first character.
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

// runEnd is where characters of another class begin.
func runEnd(text string, of class) int {
	end := 0
	for end < len(text) && classOf(text[end:]) == of {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return end
}

// byteNames are the characters by which byte-level vocabularies write bytes:
// what can be seen in Latin-1 stands for itself, the others in their order for
// what comes after Latin-1, so that a space is "Ġ".
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
