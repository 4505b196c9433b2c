package corpus

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"engram/eval/paraphrase"
	"engram/facts"
)

// Sentence is a line of facts_share.jsonl.
type Sentence struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	Source  string `json:"source"` // the project
	Path    string `json:"path"`   // of the document in the project
	Subject string `json:"subject"`
	Text    string `json:"text"`
}

// Sentences takes a sample of the facts whose text is unique, in an order that
// depends on their ids alone.
func Sentences(dir string, limit int) (sample []Sentence, dropped int, err error) {
	var all []Sentence
	if err := ReadJSONLines(filepath.Join(dir, "facts", "facts_share.jsonl"), &all); err != nil {
		return nil, 0, err
	}
	count := make(map[string]int)
	for _, f := range all {
		count[SameText(f)]++
	}
	unique := slices.DeleteFunc(all, func(f Sentence) bool { return count[SameText(f)] > 1 })
	dropped = len(all) - len(unique)
	place := make(map[string]uint64, len(unique))
	for _, f := range unique {
		place[f.ID] = paraphrase.NewDice("corpus", f.ID).Next()
	}
	slices.SortFunc(unique, func(a, b Sentence) int {
		return cmp.Or(cmp.Compare(place[a.ID], place[b.ID]), cmp.Compare(a.ID, b.ID))
	})
	if limit <= 0 {
		limit = defaultFacts
	}
	return unique[:min(limit, len(unique))], dropped, nil
}

// SameText is the words of a sentence, by which repeats are found.
func SameText(f Sentence) string { return strings.Join(paraphrase.PlainWords(f.Text), " ") }

// Fact files a shared fact under its document (the first part of the subject)
// and chapter, as a team would; the key says nothing of the text.
func (f Sentence) Fact(n int) Fact {
	document, chapter, _ := strings.Cut(f.Subject, " / ")
	scope := cmp.Or(facts.Slug(document), "general")
	category := scope
	if c := facts.Slug(chapter); c != "" {
		scope += "/" + c
	}
	made := NewFact(n, category, facts.FoldSpace(Cleaned(f.Text)), "")
	// The fact's own id, because numbers in the order of the sample would break
	// ties in favour of the facts that are asked for, which are the first.
	made.Record.Key = facts.Key{Namespace: "domain", Category: category, Identifier: f.ID}.String()
	made.Record.Scope = scope
	made.Record.Tags = []string{f.Kind}
	made.Record.Type = string(facts.Observation)
	made.Item = made.Record.Key
	return made
}
