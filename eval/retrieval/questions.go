package retrieval

import (
	"fmt"
	"slices"
	"time"

	"engram/eval/corpus"
	"engram/eval/paraphrase"
	"engram/facts"
	"engram/memory"
)

// askedFacts is how many facts of the suite questions are asked for, each at three
// levels.
const askedFacts = 334

// loadQuestions asks for facts of technical documents in other words than
// theirs. The questions are made by rules, so there are no two opinions on
// which fact is meant; the price is that they are not prose. Every fact asked
// for is asked for at each level, so that levels compare.
func loadQuestions(dir string, opts corpus.Options) ([]suite, error) {
	sentences, dropped, err := corpus.Sentences(dir, opts.LimitFacts)
	if err != nil {
		return nil, err
	}
	plain := suite{
		name:  "questions-" + string(corpus.Uniform),
		about: "Technical facts by paraphrase, at three levels of difficulty; the facts' metadata are all alike.",
	}
	if dropped > 0 {
		plain.notes = append(plain.notes, fmt.Sprintf("%d facts whose text occurs more than once were left out", dropped))
	}
	for i, f := range sentences {
		plain.facts = append(plain.facts, f.Fact(i))
	}
	plain.questions = paraphrases(sentences, plain.facts)
	mixed := plain
	mixed.name = "questions-" + string(corpus.Mixed)
	mixed.about = "The same questions and facts; the facts differ in age, type, evidence and agent at random."
	mixed.only = []string{systemWords, systemKeys, systemEngram, systemHybrid}
	mixed.facts = slices.Clone(plain.facts)
	for i := range mixed.facts {
		mixed.facts[i].Record = withMetadata(mixed.facts[i].Record)
	}
	switch opts.Metadata {
	case corpus.Uniform:
		return []suite{plain}, nil
	case corpus.Mixed:
		return []suite{mixed}, nil
	}
	return []suite{plain, mixed}, nil
}

// paraphrases asks for the first facts that can be asked for at every level.
func paraphrases(sentences []corpus.Sentence, filed []corpus.Fact) []question {
	texts := make([]string, len(sentences))
	for i, f := range sentences {
		texts[i] = f.Text
	}
	p := paraphrase.New(texts)
	levels := []paraphrase.Level{paraphrase.LevelEasy, paraphrase.LevelMedium, paraphrase.LevelHard}
	var questions []question
	for i, f := range sentences {
		if len(questions) == askedFacts*len(levels) {
			break
		}
		o, ok := p.Outline(f.ID, f.Subject, f.Text)
		if !ok {
			continue
		}
		var three []question
		for _, at := range levels {
			if text, ok := p.Question(o, at); ok {
				three = append(three, question{
					id: f.ID + "/" + string(at), text: text, relevant: []string{filed[i].Item}, subsets: []string{string(at)},
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
	d := paraphrase.NewDice("metadata", r.Key)
	types := facts.Types()
	r.Type = string(types[d.Below(len(types))])
	r.Committed = corpus.Now().Add(-time.Duration(1+d.Below(400*24*60)) * time.Minute)
	r.ValidFrom = r.Committed
	r.Agent = fmt.Sprintf("agent-%d", 1+d.Below(8))
	if d.Below(2) == 0 {
		r.Evidence = fmt.Sprintf("run %d passed", d.Below(10_000))
	}
	return r
}
