package bus

import (
	"strings"
	"unicode/utf8"
)

// CodeSpan is a part of a text that is code, from byte Start up to End. Chars counts its
// characters without those of the fence's own lines.
type CodeSpan struct{ Start, End, Chars int }

// Code finds the code in a text, and counts its characters:
//
//  1. text in a fence of ``` or ~~~, up to its end or the end of the text;
//  2. lines that look like code or a diff, with the lines between them: each line is
//     scored by its words (codescore.go), and a run of lines is code if the sum of its
//     scores is high enough;
//  3. in any other line, a run of words with such a sum, or a long `span`.
//
// Sentences with names of functions, paths, references and short commands are not code.
// docs/bus.md says how often Code errs.
func Code(text string) (spans []CodeSpan, chars int) {
	if !strings.ContainsAny(text, marks) {
		return nil, 0
	}
	lines := linesOf(text)
	for i := 0; i < len(lines); {
		if mark := fenceMark(lines[i].text); mark != "" {
			end := fenceEnd(lines, i, mark)
			spans = append(spans, fenceSpan(lines, i, end))
			i = end
			continue
		}
		end := i
		for end < len(lines) && fenceMark(lines[end].text) == "" {
			end++
		}
		spans = append(spans, codeLines(lines[i:end])...)
		i = end
	}
	for _, s := range spans {
		chars += s.Chars
	}
	return spans, chars
}

// marks are the characters without which no text scores high enough to be code.
const marks = "{}()[]=;<>`~@$\\&|\n"

// textLine is a line without its end, and where it begins.
type textLine struct {
	start int
	text  string
}

func (l textLine) end() int { return l.start + len(l.text) }

func linesOf(text string) []textLine {
	var lines []textLine
	at := 0
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, textLine{at, line})
		at += len(line) + 1
	}
	return lines
}

// fenceMark is what a line opens or closes a fence with; "" where it does neither.
func fenceMark(line string) string {
	line = strings.TrimLeft(line, " \t>")
	for _, mark := range []string{"`", "~"} {
		n := len(line) - len(strings.TrimLeft(line, mark))
		if n >= 3 && (mark == "`" || !strings.Contains(strings.TrimSpace(line[n:]), " ")) {
			return line[:n]
		}
	}
	return ""
}

// fenceEnd is the line after the fence that line i opens.
func fenceEnd(lines []textLine, i int, mark string) int {
	if strings.Count(lines[i].text, mark) > 1 {
		return i + 1 // it ends on the same line
	}
	for end := i + 1; end < len(lines); end++ {
		if strings.HasPrefix(fenceMark(lines[end].text), mark) {
			return end + 1
		}
	}
	return len(lines)
}

// fenceSpan counts what stands between the lines of a fence, or on its one line.
func fenceSpan(lines []textLine, i, end int) CodeSpan {
	s := CodeSpan{Start: lines[i].start, End: lines[end-1].end()}
	if end == i+1 {
		s.Chars = utf8.RuneCountInString(strings.Trim(lines[i].text, "`~ \t"))
		return s
	}
	for _, l := range lines[i+1 : end] {
		if fenceMark(l.text) == "" {
			s.Chars += utf8.RuneCountInString(strings.TrimSpace(l.text))
		}
	}
	return s
}

// Thresholds of scores, chosen on one half of the transcripts that docs/bus.md names.
const (
	enoughLines = 4.0 // of a run of lines
	enoughWords = 5.0 // of a run of words in a line of prose
	dropLines   = 3.0 // a run ends if its sum falls by this much below its maximum
	dropWords   = 2.5
)

// codeLines finds code in lines without fences.
func codeLines(lines []textLine) []CodeSpan {
	scores := make([]float64, len(lines))
	for i, l := range lines {
		scores[i] = lineScore(l.text)
	}
	var spans []CodeSpan
	at := 0
	for _, run := range runs(scores, enoughLines, dropLines) {
		spans = append(spans, codeWords(lines[at:run[0]])...)
		s := CodeSpan{Start: lines[run[0]].start, End: lines[run[1]-1].end()}
		for _, l := range lines[run[0]:run[1]] {
			s.Chars += utf8.RuneCountInString(strings.TrimSpace(l.text))
		}
		spans = append(spans, s)
		at = run[1]
	}
	return append(spans, codeWords(lines[at:])...)
}

// codeWords finds code within lines.
func codeWords(lines []textLine) []CodeSpan {
	var spans []CodeSpan
	for _, l := range lines {
		words := wordsOf(l.text)
		scores := make([]float64, len(words))
		for i, w := range words {
			scores[i] = w.score
		}
		for _, run := range runs(scores, enoughWords, dropWords) {
			start, end := words[run[0]].start, words[run[1]-1].end
			spans = append(spans, CodeSpan{l.start + start, l.start + end, utf8.RuneCountInString(l.text[start:end])})
		}
	}
	return spans
}

// runs finds the runs whose scores add up to enough, from the first to the last that adds
// to the sum. A run ends if its sum falls by drop below its maximum.
func runs(scores []float64, enough, drop float64) [][2]int {
	var found [][2]int
	sum, best := 0.0, 0.0
	start, end := 0, 0
	flush := func(next int) {
		if best >= enough {
			found = append(found, [2]int{start, end})
		}
		sum, best, start, end = 0, 0, next, next
	}
	for i := 0; i < len(scores); i++ {
		if sum += scores[i]; sum > best {
			best, end = sum, i+1
		}
		switch {
		case best == 0:
			sum, start, end = 0, i+1, i+1
		case sum <= 0 || sum < best-drop:
			i = end - 1 // the rest may begin another run
			flush(end)
		}
	}
	flush(len(scores))
	return found
}
