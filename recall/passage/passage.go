// Package passage finds the lines of a long text that answer a query, and says what of a
// query has to be found letter by letter. It is pure.
package passage

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"engram/facts"
	"engram/internal/terms"
)

const (
	// maxLine is the longest piece, in bytes, that is taken or left as one. A longer line,
	// such as minified JSON, is cut at spaces or commas.
	maxLine = 320
	// minLine is the shortest that a long line is cut to where a piece has more tokens than
	// the passage may have.
	minLine = 40
	// exactWeight is what an exact string counts that stands in one line; in more, they share it:
	// a name that every line has tells none from the others. A word counts at most log(1+lines).
	exactWeight = 100
	// near is how many lines around a line its own score spreads to, halved with each line.
	near = 3
	// enough is the share of the best line's score that a line needs to be taken, too: what
	// answers less well would take the room of other passages.
	enough = 0.75
	// perLine is what the mark of an omission costs, in tokens.
	gapTokens = 4
)

// Query is what passages are looked for with. It is for one goroutine at a time.
type Query struct {
	words    map[string]bool
	exact    []string // lower case
	analyzer terms.Analyzer
}

// NewQuery reads a query. Further exact strings may be given.
func NewQuery(text string, exact ...string) *Query {
	q := &Query{words: make(map[string]bool)}
	for _, word := range terms.OfQuestion(text) {
		q.words[word] = true
	}
	for _, s := range append(Exact(text), exact...) {
		q.exact = append(q.exact, strings.ToLower(s))
	}
	return q
}

// Found says how a text answers a query.
type Found struct {
	Text  string   // the lines that answer best, in order; "…" stands for lines between them
	Lines [][2]int // first and last line of each part of Text, from 1
	Score float64  // by the share of the query's words in Text, and in the line that has most of them; 0 to 1
	Exact int      // how many of the exact strings Text has
	Whole bool     // Text is all there was
}

// piece is a line, or a part of a long one.
type piece struct {
	text   string
	line   int
	tokens int
	own    float64 // its score without its neighbours'
	words  int     // of the query that it has
	score  float64
	taken  bool
}

// Best returns what of a text answers a query best in at most so many tokens.
func (q *Query) Best(text string, budget int) Found {
	if facts.Tokens(text) <= budget {
		f := Found{Text: text, Whole: true, Lines: [][2]int{{1, 1 + strings.Count(text, "\n")}}}
		f.Score, f.Exact = q.rateWhole(text)
		return f
	}
	var pieces []piece
	for size := maxLine; size >= minLine; size /= 2 { // a long line may have more tokens than there are
		pieces = split(text, size)
		if q.take(pieces, budget) {
			break
		}
	}
	f := join(pieces)
	f.Score, f.Exact = q.rateWhole(f.Text)
	return f
}

// take takes the best pieces, as many as there are tokens for, and reports whether there are any.
func (q *Query) take(pieces []piece, budget int) bool {
	q.rate(pieces)
	order := make([]int, len(pieces))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(pieces[b].score, pieces[a].score) })
	left, best := budget, pieces[order[0]].score
	answers := q.answering(pieces)
	for _, i := range order {
		p := &pieces[i]
		if answers != nil && !answers[i] {
			continue
		}
		if p.tokens == 0 {
			p.tokens = facts.Tokens(p.text) + 1
		}
		cost := p.tokens
		if (i == 0 || !pieces[i-1].taken) && (i+1 == len(pieces) || !pieces[i+1].taken) {
			cost += gapTokens
		}
		if cost > left || answers == nil && left < budget && p.score <= enough*best {
			break
		}
		p.taken, left = true, left-cost
	}
	return left < budget
}

// answering marks the pieces that have every word of the query and what stands next to them; nil
// if none has. Then those that lack a word are about something else as often as not.
func (q *Query) answering(pieces []piece) (answers map[int]bool) {
	const fewest = 3 // words, for there to be something to lack
	if len(q.words) < fewest {
		return nil
	}
	for i := range pieces {
		if pieces[i].words < len(q.words) {
			continue
		}
		if answers == nil {
			answers = make(map[int]bool)
		}
		for k := max(0, i-1); k <= min(len(pieces)-1, i+1); k++ {
			answers[k] = true
		}
	}
	return answers
}

// split cuts a text into lines, and long lines into pieces of at most so many bytes.
func split(text string, size int) []piece {
	var list []piece
	line := 0
	for s := range strings.SplitSeq(text, "\n") {
		line++
		for len(s) > size {
			end := strings.LastIndexAny(s[:size], " ,;\t")
			if end < size/2 {
				end = size - 1
			}
			for end++; end < len(s) && !utf8.RuneStart(s[end]); end++ {
			}
			list = append(list, piece{text: s[:end], line: line})
			s = s[end:]
		}
		list = append(list, piece{text: s, line: line})
	}
	return list
}

// rate scores the pieces: the words of the query that a piece has, each weighed by how few
// pieces have it, and a part of what its neighbours have.
func (q *Query) rate(pieces []piece) {
	having := make(map[string]int, len(q.words))
	found := make([][]string, len(pieces))
	for i := range pieces {
		seen := found[i]
		for _, word := range q.analyzer.Terms(pieces[i].text) {
			if q.words[word] && !slices.Contains(seen, word) {
				seen = append(seen, strings.Clone(word))
				having[word]++
			}
		}
		found[i], pieces[i].words = seen, len(seen)
	}
	withExact := make([][]int, len(q.exact))
	for i := range pieces {
		for _, word := range found[i] {
			pieces[i].own += math.Log(1 + float64(len(pieces))/float64(having[word]))
		}
		if len(q.exact) > 0 {
			lower := strings.ToLower(pieces[i].text)
			for k, s := range q.exact {
				if strings.Contains(lower, s) {
					withExact[k] = append(withExact[k], i)
				}
			}
		}
	}
	for _, list := range withExact {
		for _, i := range list {
			n := float64(len(list))
			pieces[i].own += exactWeight/n + math.Log(1+float64(len(pieces))/n)
		}
	}
	for i := range pieces {
		for j := max(0, i-near); j <= min(len(pieces)-1, i+near); j++ {
			pieces[i].score += math.Ldexp(pieces[j].own, -2*max(i-j, j-i))
		}
	}
}

// join puts the pieces that were taken together.
func join(pieces []piece) Found {
	var b strings.Builder
	var f Found
	last := -1
	for i := range pieces {
		p := &pieces[i]
		if !p.taken {
			continue
		}
		switch {
		case last == i-1 && last >= 0 && pieces[last].line == p.line:
		case last == i-1 && last >= 0:
			b.WriteByte('\n')
		case last >= 0:
			b.WriteString("\n…\n")
		}
		if n := len(f.Lines); last == i-1 && n > 0 {
			f.Lines[n-1][1] = p.line
		} else {
			f.Lines = append(f.Lines, [2]int{p.line, p.line})
		}
		b.WriteString(p.text)
		last = i
	}
	f.Text = b.String()
	return f
}

// Covers says which share of the query's words a text has, and how many of its exact strings.
func (q *Query) Covers(text string) (share float64, exact int) {
	lower := ""
	for _, s := range q.exact {
		if lower == "" {
			lower = strings.ToLower(text)
		}
		if strings.Contains(lower, s) {
			exact++
		}
	}
	if len(q.words) == 0 {
		return 0, exact
	}
	seen := make(map[string]bool, len(q.words))
	for _, word := range q.analyzer.Terms(text) {
		if q.words[word] {
			seen[word] = true
		}
	}
	return float64(len(seen)) / float64(len(q.words)), exact
}

// rateWhole rates a passage. Words that stand in one line say more than the same ones here and
// there, and a line that lacks one is often about something else, hence the power.
func (q *Query) rateWhole(text string) (score float64, exact int) {
	share, exact := q.Covers(text)
	most := 0
	for line := range strings.Lines(text) {
		seen := make(map[string]bool)
		for _, word := range q.analyzer.Terms(line) {
			if q.words[word] {
				seen[word] = true
			}
		}
		most = max(most, len(seen))
	}
	if most == 0 {
		return share, exact
	}
	const ofLine = 0.75
	return (1-ofLine)*share + ofLine*math.Pow(float64(most)/float64(len(q.words)), 3), exact
}
