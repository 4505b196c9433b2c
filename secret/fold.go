package secret

import "unicode/utf8"

// unfolded turns a span of the folded text into the one of the text itself.
func unfolded(text string, at []int, s span) span {
	end := at[s.end-1] + 1
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return span{at[s.start], end, s.rule}
}
