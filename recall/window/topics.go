package window

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"engram/internal/terms"
	"engram/session"
)

const (
	// maxTopics is how many topics a marker has at most; how many of them are written is a
	// question of tokens.
	maxTopics = 8
	// firstNames are how many names of files and identifiers stand before the first phrase.
	firstNames = 3
	// maxHead and maxTail are how much of an item counts, in bytes: what it is about stands at
	// its beginning, how it ended at its end.
	maxHead = 1200
	maxTail = 400
	// maxTopic is the longest topic, in bytes.
	maxTopic = 48
	// needOfTerms is the most that words shared with the task weigh; a key event weighs 1.
	needOfTerms = 0.8
)

// words is an item as numbers of its words, in their order. A negative number ends a phrase.
type words []int32

// dictionary numbers the words of a window.
type dictionary struct {
	numbers map[string]int32
	names   []string // as they were first written
	named   []bool   // names of files and identifiers
	stop    []bool
	having  []int32 // how many items have the word
}

func newDictionary() *dictionary { return &dictionary{numbers: make(map[string]int32)} }

// read splits a text into words. Each item is read once.
func (d *dictionary) read(text string) (list words) {
	if len(text) > maxHead+maxTail {
		text = strings.ToValidUTF8(text[:maxHead], "") + "\n" + strings.ToValidUTF8(text[len(text)-maxTail:], "")
	}
	start := -1
	for i, r := range text {
		inside := isPart(r)
		switch {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			list = d.add(list, text[start:i])
			start = -1
		}
		if !inside && r != ' ' && len(list) > 0 && list[len(list)-1] >= 0 {
			list = append(list, -1)
		}
	}
	if start >= 0 {
		list = d.add(list, text[start:])
	}
	return list
}

// isPart reports what words and names are made of.
func isPart(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.' || r == '/'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

func (d *dictionary) add(list words, word string) words {
	end := strings.HasSuffix(word, ".")
	word = strings.Trim(word, ".-/_")
	if len(word) < 2 || len(word) > 120 {
		return append(list, -1)
	}
	key := strings.ToLower(word)
	number, ok := d.numbers[key]
	if !ok {
		number = int32(len(d.names))
		d.numbers[key] = number
		d.names = append(d.names, word)
		d.named = append(d.named, isName(word))
		d.stop = append(d.stop, terms.IsStopWord(key) || isNumber(key))
		d.having = append(d.having, 0)
	}
	if list = append(list, number); end {
		list = append(list, -1)
	}
	return list
}

// isName reports names of files and identifiers: what has a stop, a slash or an underscore
// inside, changes of case, or is a code in capitals. Digests and numbers are not names.
func isName(word string) bool {
	var letters, upper, digits, joints int
	for i, r := range word {
		switch {
		case unicode.IsUpper(r):
			letters++
			if i > 0 {
				upper++
			}
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		case r == '/' || r == '_' || r == '.':
			joints++
		}
	}
	if letters < 3 || digits > letters {
		return false
	}
	return joints > 0 || upper > 0 && upper < letters || upper >= 5
}

func isNumber(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return unicode.IsLetter(r) }) < 0 ||
		strings.IndexFunc(word, unicode.IsDigit) >= 0 && !isName(word)
}

// count notes which items have which words.
func (d *dictionary) count(list words) {
	for _, word := range distinct(list) {
		d.having[word]++
	}
}

func distinct(list words) words {
	set := slices.Clone(list)
	slices.Sort(set)
	set = slices.Compact(set)
	if len(set) > 0 && set[0] < 0 {
		set = set[1:]
	}
	return set
}

// Topics finds what distinguishes spans of a window.
type Topics struct {
	items []Item
	dict  *dictionary
	texts []words
}

// NewTopics reads the items of a window.
func NewTopics(items []Item) *Topics {
	t := &Topics{items: items, dict: newDictionary(), texts: make([]words, len(items))}
	for i := range items {
		if items[i].Marker == nil {
			t.texts[i] = t.dict.read(items[i].Text)
			t.dict.count(t.texts[i])
		}
	}
	return t
}

// Of are the topics of a span [first, end) of items, the most telling first: names that few
// other items have, then phrases. It is what a marker says of what it stands for.
func (t *Topics) Of(first, end int) []string {
	inSpan := make(map[int32]float64)
	phrases := make(map[[2]int32]float64)
	for i := first; i < end; i++ {
		share := share(t.items[i].Class)
		for _, word := range distinct(t.texts[i]) {
			inSpan[word] += share
		}
		for k := 1; k < len(t.texts[i]); k++ {
			a, b := t.texts[i][k-1], t.texts[i][k]
			if a >= 0 && b >= 0 && a != b && t.mayStand(a) && t.mayStand(b) {
				phrases[[2]int32{a, b}] += share
			}
		}
	}
	rarity := func(word int32) float64 { return math.Log(1 + float64(len(t.items))/float64(t.dict.having[word])) }
	var names, said []topic
	for word, n := range inSpan {
		switch {
		case t.dict.named[word]:
			names = append(names, topic{shorten(t.dict.names[word]), n * rarity(word)})
		case t.mayStand(word) && len(t.dict.names[word]) > 3:
			said = append(said, topic{t.dict.names[word], 0.5 * n * rarity(word)})
		}
	}
	for pair, n := range phrases {
		said = append(said, topic{t.dict.names[pair[0]] + " " + t.dict.names[pair[1]], n * (rarity(pair[0]) + rarity(pair[1]))})
	}
	sortTopics(names)
	sortTopics(said)
	var list []string
	add := func(from []topic, most int) {
		for _, topic := range from {
			if len(list) >= most {
				return
			}
			if !slices.ContainsFunc(list, func(s string) bool { return overlaps(s, topic.text) }) {
				list = append(list, topic.text)
			}
		}
	}
	add(names, firstNames)
	add(said, maxTopics)
	add(names, maxTopics)
	return list
}

// mayStand reports words that say something in a phrase.
func (t *Topics) mayStand(word int32) bool { return !t.dict.stop[word] && !t.dict.named[word] }

// share is what an item counts: what people and agents say tells more about the topic than
// what tools print.
func share(c Class) float64 {
	switch c {
	case Dialogue, Decision:
		return 3
	case ToolCall:
		return 2
	}
	return 1
}

type topic struct {
	text   string
	weight float64
}

func sortTopics(list []topic) {
	slices.SortFunc(list, func(a, b topic) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.text, b.text))
	})
}

// overlaps reports topics of which one says the other as well.
func overlaps(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	for word := range strings.FieldsSeq(b) {
		if slices.Contains(strings.Fields(a), word) {
			return true
		}
	}
	return strings.Contains(a, b) || strings.Contains(b, a)
}

// shorten leaves the end of a long path.
func shorten(name string) string {
	for len(name) > maxTopic {
		_, rest, ok := strings.Cut(name, "/")
		if !ok {
			break
		}
		name = rest
	}
	if len(name) > maxTopic {
		name = strings.ToValidUTF8(name[:maxTopic], "")
	}
	return name
}

// need predicts from the state of a task how likely an item is asked for soon (§6.2).
type need struct {
	key    map[string]bool // events
	wanted map[int32]bool  // words
}

func (t *Topics) need(s session.TaskState) need {
	n := need{key: make(map[string]bool), wanted: make(map[int32]bool)}
	for _, id := range s.KeyEvents {
		n.key[id] = true
	}
	for _, list := range [][]string{s.Goals, s.OpenLoops, s.NextActions} {
		for _, text := range list {
			for _, word := range t.dict.read(text) {
				if word >= 0 && !t.dict.stop[word] {
					n.wanted[word] = true
				}
			}
		}
	}
	return n
}

func (n need) of(id string, text words) float64 {
	if n.key[id] {
		return 1
	}
	if len(n.wanted) == 0 {
		return 0
	}
	shared := 0
	for _, word := range distinct(text) {
		if n.wanted[word] {
			shared++
		}
	}
	return needOfTerms * float64(shared) / float64(len(n.wanted))
}
