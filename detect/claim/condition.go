package claim

import (
	"strings"

	"engram/detect/lexicon"
)

// Condition is a circumstance under which something is said to hold.
type Condition struct {
	Text  string
	Words []lexicon.Entry
}

// conditionsOf reads conditions as the extractor writes them. What holds by
// default holds where nothing else is said, so that is none.
func conditionsOf(texts []string) []Condition {
	var list []Condition
	for _, text := range texts {
		if text == "" || text == "default" {
			continue
		}
		c := Condition{Text: text}
		_, words, _ := strings.Cut(text, " ")
		for w := range strings.FieldsSeq(words) {
			if e := lexicon.LookUp(w); e.Traits&lexicon.Weak == 0 || w == words {
				c.Words = append(c.Words, e)
			}
		}
		list = append(list, c)
	}
	return list
}
