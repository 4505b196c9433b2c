package paraphrase

var Lemmas = lemmas

var Inflect = inflect

var Root = root

var Synonyms = synonyms

var SplitIdentifier = splitIdentifier

var IsIdentifier = isIdentifier

var FunctionWords = functionWords[:]

// Questions makes the questions of all levels about one fact, nil if none.
func Questions(id, subject, text string) map[string]string {
	p := New([]string{text})
	o, ok := p.Outline(id, subject, text)
	if !ok {
		return nil
	}
	list := make(map[string]string)
	for _, at := range []Level{LevelEasy, LevelMedium, LevelHard} {
		if q, ok := p.Question(o, at); ok {
			list[string(at)] = q
		}
	}
	return list
}

func HasGramOf(question, text string) bool {
	of := grams(PlainWords(text))
	for gram := range grams(PlainWords(question)) {
		if of[gram] {
			return true
		}
	}
	return false
}

// Parts are the base and form of a lemma.
func Parts(l inflected) (base, ending string) { return l.base, string(l.form) }

func FormOf(l inflected) form { return l.form }
