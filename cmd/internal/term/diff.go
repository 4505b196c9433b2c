package term

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxCells bounds the work of one comparison; above it, two texts are shown as
// wholly different.
const maxCells = 1 << 20

// common finds the longest list of elements that a and b share in order, and
// reports for each element whether it belongs to it.
func common(a, b []string) (inA, inB []bool) {
	inA, inB = make([]bool, len(a)), make([]bool, len(b))
	if len(a)*len(b) > maxCells {
		return inA, inB
	}
	longest := make([][]int, len(a)+1) // of a[i:] and b[j:]
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			inA[i], inB[j] = true, true
			i++
			j++
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return inA, inB
}

// DiffLines returns the lines that two texts do not share. An empty text has
// none.
func DiffLines(from, to string) (before, after []string) {
	a, b := linesOf(from), linesOf(to)
	inA, inB := common(a, b)
	for i, line := range a {
		if !inA[i] {
			before = append(before, line)
		}
	}
	for i, line := range b {
		if !inB[i] {
			after = append(after, line)
		}
	}
	return before, after
}

func linesOf(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// Part is a part of a text that changed or did not.
type Part struct {
	Text    string
	Changed bool
}

// Emphasize marks the words in which two lines differ. Without colours, or if the lines
// share too little, it marks nothing.
func Emphasize(p Paint, from, to string) (before, after []Part) {
	if !p {
		return []Part{{from, false}}, []Part{{to, false}}
	}
	a, b := words(from), words(to)
	inA, inB := common(a, b)
	same := 0
	for i, word := range a {
		if inA[i] && strings.TrimSpace(word) != "" {
			same++
		}
	}
	if same*5 < len(a) { // a fifth of words and gaps
		return []Part{{from, false}}, []Part{{to, false}}
	}
	return parts(a, inA), parts(b, inB)
}

// words cuts a text into words, gaps and single marks.
func words(s string) []string {
	var list []string
	class := func(r rune) int {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return 1
		case unicode.IsSpace(r):
			return 2
		}
		return 3
	}
	start := 0
	for i, r := range s {
		if i == start {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		if class(r) != class(before) || class(r) == 3 {
			list = append(list, s[start:i])
			start = i
		}
	}
	if start < len(s) {
		list = append(list, s[start:])
	}
	return list
}

func parts(words []string, same []bool) []Part {
	var list []Part
	for i, word := range words {
		if n := len(list); n > 0 && list[n-1].Changed == !same[i] {
			list[n-1].Text += word
		} else {
			list = append(list, Part{word, !same[i]})
		}
	}
	return list
}

// WrapPainted wraps parts as Indented does and paints them in a colour; parts that changed
// are bold and underlined.
func WrapPainted(list []Part, width int, margin string, p Paint, color string) string {
	var whole strings.Builder
	var changed []bool // for each character that is no blank
	for _, part := range list {
		whole.WriteString(part.Text)
		for _, r := range part.Text {
			if !unicode.IsSpace(r) {
				changed = append(changed, part.Changed)
			}
		}
	}
	laid := Indented(whole.String(), width, margin)
	if !p {
		return laid
	}
	var b strings.Builder
	next, styled := 0, false
	style := func(on bool) {
		if on != styled || b.Len() == 0 {
			b.WriteString("\x1b[0;" + color)
			if on {
				b.WriteString(";1;4")
			}
			b.WriteString("m")
			styled = on
		}
	}
	for _, r := range laid {
		if unicode.IsSpace(r) {
			style(styled && next < len(changed) && changed[next] && r != '\n')
		} else {
			style(changed[next])
			next++
		}
		b.WriteRune(r)
	}
	return b.String() + "\x1b[0m"
}
