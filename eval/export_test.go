package eval

import "strings"

// What the tests look at from outside.

type (
	Scored = scored
)

var (
	ByItem          = byItem
	PlainWords      = plainWords
	GrepWords       = grepWords
	RankGrep        = rankGrep
	Lemmas          = lemmas
	Inflect         = inflect
	Root            = root
	Synonyms        = synonyms
	SplitIdentifier = splitIdentifier
	IsIdentifier    = isIdentifier
	IsFunctionWord  = isFunctionWord
	FunctionWords   = functionWords[:]
	Topics          = topics
	NaivelyFlagged  = naivelyFlagged
)

// Judged is what judge says, by name.
type Judged struct {
	Recall1, Recall5, Recall10, Hit1, Hit10, MRR, NDCG float64
	First                                              int
}

func Judge(ranked, relevant []string) Judged {
	o := judge(ranked, relevant)
	return Judged{o.recall[0], o.recall[4], o.recall[9], o.hit[0], o.hit[9], o.mrr, o.ndcg, o.first}
}

func SearchBM25(items, texts []string, question string, limit int) []Scored {
	return newBM25(items, texts).search(question, limit)
}

func (s Scored) Item() string   { return s.item }
func (s Scored) Score() float64 { return s.score }

// Chunk is chunk, each piece as claim and detail.
func Chunk(text string) [][2]string {
	var list [][2]string
	for _, p := range chunk(text) {
		list = append(list, [2]string{p.claim, p.detail})
	}
	return list
}

// Questions makes the questions of all levels about one fact, nil if none.
func Questions(id, subject, text string) map[string]string {
	p := newParaphraser([]string{text})
	o, ok := p.outline(id, subject, text)
	if !ok {
		return nil
	}
	list := make(map[string]string)
	for _, at := range []level{levelEasy, levelMedium, levelHard} {
		if q, ok := p.question(o, at); ok {
			list[string(at)] = q
		}
	}
	return list
}

func HasGramOf(question, text string) bool {
	of := grams(plainWords(text))
	for gram := range grams(plainWords(question)) {
		if of[gram] {
			return true
		}
	}
	return false
}

// ReadTranscript reads JSON lines: the messages, and how many lines are damaged.
func ReadTranscript(lines string) ([]string, int, error) {
	var t transcript
	err := t.readLines(strings.NewReader(lines))
	return t.messages, t.damaged, err
}

// Parts are the base and form of a lemma.
func Parts(l inflected) (base, ending string) { return l.base, string(l.form) }

func FormOf(l inflected) form { return l.form }

func Ask(t topic, rule string) (string, bool) { return t.ask(rule) }
