package eval

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/memory"
)

// The size of the suite questions: facts in the memory where nobody chose
// another number, and facts that are asked for, each at three levels.
const (
	defaultFacts = 20_000
	askedFacts   = 334
)

// shared is a line of facts_share.jsonl.
type shared struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	Source  string `json:"source"` // the project
	Path    string `json:"path"`   // of the document in the project
	Subject string `json:"subject"`
	Text    string `json:"text"`
}

// loadQuestions asks for facts of technical documents in other words than
// theirs. The questions are made by rules, so there are no two opinions on
// which fact is meant; the price is that they are no prose. Every fact asked
// for is asked for at each level, so that levels compare.
func loadQuestions(dir string, opts Options) ([]suite, error) {
	corpus, dropped, err := readCorpus(dir, opts.LimitFacts)
	if err != nil {
		return nil, err
	}
	plain := suite{
		name:  "questions-" + string(Uniform),
		about: "Technical facts by paraphrase, at three levels of difficulty; the facts' metadata are all alike.",
	}
	if dropped > 0 {
		plain.notes = append(plain.notes, fmt.Sprintf("%d facts whose text occurs more than once were left out", dropped))
	}
	for i, f := range corpus {
		plain.facts = append(plain.facts, f.fact(i))
	}
	plain.questions = paraphrases(corpus, plain.facts)
	mixed := plain
	mixed.name = "questions-" + string(Mixed)
	mixed.about = "The same questions and facts; the facts differ in age, type, evidence and agent at random."
	mixed.only = []string{systemWords, systemKeys, systemEngram, systemHybrid}
	mixed.facts = slices.Clone(plain.facts)
	for i := range mixed.facts {
		mixed.facts[i].record = withMetadata(mixed.facts[i].record)
	}
	switch opts.Metadata {
	case Uniform:
		return []suite{plain}, nil
	case Mixed:
		return []suite{mixed}, nil
	}
	return []suite{plain, mixed}, nil
}

// readCorpus takes a sample of the facts whose text is unique, in an order that
// depends on their ids alone.
func readCorpus(dir string, limit int) (sample []shared, dropped int, err error) {
	var all []shared
	if err := readJSONLines(filepath.Join(dir, "facts", "facts_share.jsonl"), &all); err != nil {
		return nil, 0, err
	}
	count := make(map[string]int)
	for _, f := range all {
		count[sameText(f)]++
	}
	unique := slices.DeleteFunc(all, func(f shared) bool { return count[sameText(f)] > 1 })
	dropped = len(all) - len(unique)
	place := make(map[string]uint64, len(unique))
	for _, f := range unique {
		place[f.ID] = newDice("corpus", f.ID).next()
	}
	slices.SortFunc(unique, func(a, b shared) int {
		return cmp.Or(cmp.Compare(place[a.ID], place[b.ID]), cmp.Compare(a.ID, b.ID))
	})
	if limit <= 0 {
		limit = defaultFacts
	}
	return unique[:min(limit, len(unique))], dropped, nil
}

func sameText(f shared) string { return strings.Join(plainWords(f.Text), " ") }

// fact files a shared fact under its document (the first part of the subject)
// and chapter, as a team would; the key says nothing of the text.
func (f shared) fact(n int) fact {
	document, chapter, _ := strings.Cut(f.Subject, " / ")
	scope := cmp.Or(facts.Slug(document), "general")
	category := scope
	if c := facts.Slug(chapter); c != "" {
		scope += "/" + c
	}
	made := newFact(n, category, facts.FoldSpace(cleaned(f.Text)), "")
	// The fact's own id, because numbers in the order of the sample would break
	// ties in favour of the facts that are asked for, which are the first.
	made.record.Key = facts.Key{Namespace: "domain", Category: category, Identifier: f.ID}.String()
	made.record.Scope = scope
	made.record.Tags = []string{f.Kind}
	made.record.Type = string(facts.Observation)
	made.item = made.record.Key
	return made
}

// paraphrases asks for the first facts that can be asked for at every level.
func paraphrases(corpus []shared, filed []fact) []question {
	texts := make([]string, len(corpus))
	for i, f := range corpus {
		texts[i] = f.Text
	}
	p := newParaphraser(texts)
	levels := []level{levelEasy, levelMedium, levelHard}
	var questions []question
	for i, f := range corpus {
		if len(questions) == askedFacts*len(levels) {
			break
		}
		o, ok := p.outline(f.ID, f.Subject, f.Text)
		if !ok {
			continue
		}
		var three []question
		for _, at := range levels {
			if text, ok := p.question(o, at); ok {
				three = append(three, question{
					id: f.ID + "/" + string(at), text: text, relevant: []string{filed[i].item}, subsets: []string{string(at)},
				})
			}
		}
		if len(three) == len(levels) {
			questions = append(questions, three...)
		}
	}
	return questions
}

// withMetadata gives a record an age of up to 400 days, a type, evidence or
// none, and one of eight agents. None of it has to do with any question.
func withMetadata(r memory.Record) memory.Record {
	d := newDice("metadata", r.Key)
	types := facts.Types()
	r.Type = string(types[d.below(len(types))])
	r.Committed = now().Add(-time.Duration(1+d.below(400*24*60)) * time.Minute)
	r.ValidFrom = r.Committed
	r.Agent = fmt.Sprintf("agent-%d", 1+d.below(8))
	if d.below(2) == 0 {
		r.Evidence = fmt.Sprintf("run %d passed", d.below(10_000))
	}
	return r
}
