// Package paraphrase asks for a sentence in other words than its own, by rules, so that
// there are no two opinions on which sentence is meant.
package paraphrase

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Level is how much of a fact's wording a question keeps.
type Level string

// The levels of difficulty. At each, words of the fact's subject are kept.
const (
	LevelEasy   Level = "easy"   // the fact's words, in another order
	LevelMedium Level = "medium" // half of them replaced by synonyms, others inflected
	LevelHard   Level = "hard"   // all of them replaced; an identifier at most is kept
)

// Outline is what a question about a fact can be made of.
type Outline struct {
	id         string
	topic      []string // of the subject
	words      []string // of the text, each with a synonym
	rare       string   // the rarest word of the text without one, or ""
	identifier string   // as it stands in the text, or ""
	roots      map[string]bool
	grams      map[string]bool
}

// textWords is how many words with synonyms a question takes.
const textWords = 2

// Paraphraser makes questions about facts.
type Paraphraser struct {
	synonyms map[string][]string
	// frequency is in how many texts a word occurs: rare words are what people
	// ask with.
	frequency map[string]int
}

// New returns a Paraphraser for texts, whose words it counts.
func New(texts []string) *Paraphraser {
	p := &Paraphraser{synonyms: synonyms(), frequency: make(map[string]int)}
	for _, text := range texts {
		words := PlainWords(text)
		slices.Sort(words)
		for _, word := range slices.Compact(words) {
			p.frequency[word]++
		}
	}
	return p
}

// Outline reports false for facts that no question can be made of at every
// level: those with fewer than two words that have synonyms, or no topic.
func (p *Paraphraser) Outline(id, subject, text string) (Outline, bool) {
	o := Outline{id: id, roots: make(map[string]bool), grams: grams(PlainWords(text))}
	for _, field := range strings.Fields(text) {
		field = strings.Trim(field, ".,;:!?\"'`()[]{}<>*=|")
		if isIdentifier(field) && len(field) <= 40 && o.identifier == "" {
			o.identifier = field
		}
	}
	parts := PlainWords(o.identifier)
	for _, word := range PlainWords(text) {
		o.roots[root(word)] = true
		if !contentWord(word) || slices.Contains(parts, word) {
			continue
		}
		if _, ok := p.lemma(word); !ok {
			if o.rare == "" || p.frequency[word] < p.frequency[o.rare] {
				o.rare = word
			}
		} else if !slices.ContainsFunc(o.words, func(w string) bool { return root(w) == root(word) }) {
			o.words = append(o.words, word)
		}
	}
	d := NewDice(id)
	o.words = slices.DeleteFunc(o.words, func(word string) bool { return p.replace(word, o, d) == "" })
	p.narrow(&o, subject, d)
	return o, len(o.words) >= textWords && len(o.topic) > 0
}

// narrow throws how much of the fact goes into questions: one or two words for
// the document, perhaps one for the chapter, two of the text and perhaps a rare
// one. People ask briefly, and not by the words that would find the fact best.
func (p *Paraphraser) narrow(o *Outline, subject string, d *Dice) {
	d.shuffle(o.words)
	o.words = o.words[:min(textWords, len(o.words))]
	if d.Below(2) == 0 {
		o.rare = ""
	}
	document, chapter, _ := strings.Cut(subject, " / ")
	o.topic = p.rarest(topicsOf(document), 1+d.Below(2))
	if of := topicsOf(chapter); len(of) > 0 && d.Below(2) == 0 {
		if word := of[d.Below(len(of))]; !slices.Contains(o.topic, word) {
			o.topic = append(o.topic, word)
		}
	}
}

// topicsOf lists the words of a subject that say something. That a document is a
// KEP, numbered or not yet (NNNN), says nothing among thousands of them.
func topicsOf(subject string) []string {
	var words []string
	for _, word := range PlainWords(subject) {
		if contentWord(word) && word != "kep" && word != "nnnn" && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// contentWord rejects function words, numbers and short words.
func contentWord(word string) bool {
	return len(word) > 2 && !IsFunctionWord(word) && strings.IndexFunc(word, unicode.IsNumber) < 0
}

func (p *Paraphraser) rarest(words []string, n int) []string {
	sorted := slices.Clone(words)
	slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(p.frequency[a], p.frequency[b]) })
	return sorted[:min(n, len(sorted))]
}

// lemma finds the word of the table of synonyms that word is a form of.
func (p *Paraphraser) lemma(word string) (inflected, bool) {
	for _, l := range lemmas(word) {
		if len(p.synonyms[l.base]) > 0 {
			return l, true
		}
	}
	return inflected{}, false
}

// replace is a synonym of word in the same form that the fact does not use, or
// "".
func (p *Paraphraser) replace(word string, o Outline, d *Dice) string {
	l, _ := p.lemma(word)
	others := p.synonyms[l.base]
	if len(others) == 0 {
		return ""
	}
	start := d.Below(len(others))
	for i := range others {
		other := inflect(others[(start+i)%len(others)], l.form)
		if !o.roots[root(other)] {
			return other
		}
	}
	return ""
}

// Question words the outline at a level. It reports false if every order
// that was tried repeats four words of the fact in a row.
func (p *Paraphraser) Question(o Outline, at Level) (string, bool) {
	for attempt := range 8 {
		d := NewDice(o.id, string(at), string(rune('a'+attempt)))
		text := p.phrase(o, at, d)
		repeats := false
		for gram := range grams(PlainWords(text)) {
			repeats = repeats || o.grams[gram]
		}
		if !repeats {
			return text, true
		}
	}
	return "", false
}

func (p *Paraphraser) phrase(o Outline, at Level, d *Dice) string {
	var words []string
	for i, word := range o.words {
		if at == LevelHard || at == LevelMedium && i%2 == 0 {
			word = p.replace(word, o, d)
		}
		words = append(words, word)
	}
	if o.rare != "" && at == LevelEasy {
		words = append(words, o.rare)
	} else if o.rare != "" && at == LevelMedium {
		words = append(words, otherForm(o.rare))
	}
	if named := identifierAt(o.identifier, at, d); named != "" {
		words = append(words, named)
	}
	topic := slices.Clone(o.topic)
	d.shuffle(words)
	d.shuffle(topic)
	return ask(strings.Join(topic, " "), strings.Join(words, " "), d)
}
