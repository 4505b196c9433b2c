package recall

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"engram/facts"
)

// tail keeps the last lines that fit.
func tail(lines []string, tokens int) []string {
	at := len(lines)
	for at > 0 {
		if tokens -= facts.Tokens(lines[at-1]); tokens < 0 {
			break
		}
		at--
	}
	return slices.Clone(lines[at:])
}

// words are the words of a line in lower case, of three letters and more.
func words(line string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(strings.ToLower(line), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), func(w string) bool { return len(w) < 3 })
}

// frequencies counts the lines that have a word.
func frequencies(lines []string) map[string]int {
	count := make(map[string]int)
	for _, line := range lines {
		list := words(line)
		slices.Sort(list)
		for _, w := range slices.Compact(list) {
			count[w]++
		}
	}
	return count
}

// grep takes the lines that have a word of the question, those with the rarest word first, then
// those with the next one, until the tokens are used up.
func grep(lines []string, question string, tokens int) (found []string) {
	asked := words(question)
	slices.Sort(asked)
	asked = slices.Compact(asked)
	matching := make(map[string][]int)
	lower := make([]string, len(lines))
	for i, line := range lines {
		lower[i] = strings.ToLower(line)
	}
	for _, w := range asked {
		for i, line := range lower {
			if strings.Contains(line, w) {
				matching[w] = append(matching[w], i)
			}
		}
	}
	slices.SortFunc(asked, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(matching[a]), len(matching[b])), strings.Compare(a, b))
	})
	taken := make(map[int]bool)
	for _, w := range asked {
		for _, i := range matching[w] {
			if taken[i] {
				continue
			}
			if tokens -= facts.Tokens(lines[i]); tokens < 0 {
				return found
			}
			taken[i] = true
			found = append(found, lines[i])
		}
	}
	return found
}

// summarize keeps the lines whose words are rare on average, in their order. What it made
// before is summarized again with what is new, as a narrative compaction does.
func summarize(lines []string, tokens int) []string {
	count := frequencies(lines)
	type rated struct {
		at    int
		value float64
	}
	var list []rated
	for i, line := range lines {
		sum, n := 0.0, 0
		for _, w := range words(line) {
			sum += math.Log(float64(len(lines)) / float64(count[w]))
			n++
		}
		if n > 0 {
			list = append(list, rated{i, sum / float64(n)})
		}
	}
	slices.SortStableFunc(list, func(a, b rated) int { return cmp.Compare(b.value, a.value) })
	var kept []int
	for _, r := range list {
		if tokens -= facts.Tokens(lines[r.at]); tokens < 0 {
			break
		}
		kept = append(kept, r.at)
	}
	slices.Sort(kept)
	var summary []string
	for _, i := range kept {
		summary = append(summary, lines[i])
	}
	return summary
}
