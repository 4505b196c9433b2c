package site

import (
	"strings"
	"unicode"
)

// Word is a piece of a text that changed: in both, only before, or only after.
type Word struct {
	Text        string
	Gone, Added bool
}

// maxDiff bounds the words of a text that are compared one by one.
const maxDiff = 400

// Diff compares two texts word by word: what they share, in the order of the second text, with what
// is gone and what was added.
func Diff(from, to string) (list []Word) {
	a, b := words(from), words(to)
	if len(a) > maxDiff || len(b) > maxDiff {
		return append(appendWord(nil, from, true, false), appendWord(nil, to, false, true)...)
	}
	// common[i][j] is the length of the longest common subsequence of a[i:] and b[j:].
	common := make([][]int16, len(a)+1)
	for i := range common {
		common[i] = make([]int16, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			list = appendWord(list, a[i], false, false)
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			list = appendWord(list, a[i], true, false)
			i++
		default:
			list = appendWord(list, b[j], false, true)
			j++
		}
	}
	return list
}

// appendWord joins words of a kind.
func appendWord(list []Word, text string, gone, added bool) []Word {
	if text == "" {
		return list
	}
	if n := len(list); n > 0 && list[n-1].Gone == gone && list[n-1].Added == added {
		list[n-1].Text += text
		return list
	}
	return append(list, Word{text, gone, added})
}

// words splits a text into words with the space behind them.
func words(text string) (list []string) {
	begin, space := 0, false
	for i, r := range text {
		if space && !unicode.IsSpace(r) {
			list = append(list, text[begin:i])
			begin = i
		}
		space = unicode.IsSpace(r)
	}
	if strings.TrimSpace(text[begin:]) != "" || begin == 0 && text != "" {
		list = append(list, text[begin:])
	}
	return list
}
