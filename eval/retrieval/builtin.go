package retrieval

import (
	_ "embed"
	"fmt"
	"strings"

	"engram/eval/corpus"
	"engram/memory"
)

//go:embed builtin_facts.jsonl
var builtinFacts []byte

//go:embed builtin_questions.jsonl
var builtinQuestions []byte

// loadBuiltin asks about an invented web shop. Facts and questions were written
// by hand for this project, so that a change of the ranking can be reviewed
// anywhere, query by query.
func loadBuiltin(string) (suite, error) {
	s := suite{name: "builtin", about: "Questions on an invented web shop, for the facts that answer them."}
	var records []memory.Record
	if err := corpus.DecodeLines("the suite's facts", builtinFacts, &records); err != nil {
		return s, err
	}
	known := make(map[string]bool)
	for i, r := range records {
		if r.Committed.IsZero() {
			r.Committed = corpus.Now().AddDate(0, 0, -30)
		}
		corpus.Identify(&r, i)
		known[r.Key] = true
		s.facts = append(s.facts, corpus.Fact{Record: r, Item: r.Key})
	}
	var questions []struct {
		ID       string   `json:"id"`
		Subset   string   `json:"subset"`
		Question string   `json:"question"`
		Keys     []string `json:"keys"`
	}
	if err := corpus.DecodeLines("the suite's questions", builtinQuestions, &questions); err != nil {
		return s, err
	}
	for _, q := range questions {
		for _, key := range q.Keys {
			if !known[key] {
				return s, fmt.Errorf("question %s is answered by %s, which is no fact", q.ID, key)
			}
		}
		s.questions = append(s.questions, question{id: q.ID, text: strings.TrimSpace(q.Question), relevant: q.Keys, subsets: []string{q.Subset}})
	}
	return s, nil
}
