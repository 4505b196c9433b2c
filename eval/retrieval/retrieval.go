// Package retrieval measures how well engram finds facts, beside git grep and a plain
// BM25, over the same facts and questions in one run.
//
// A suite is facts and questions with what answers them. Each suite gets a throw-away
// repository with a memory in it, which is filled and asked through package memory
// alone, like by any other surface.
//
// What is measured is reported for people (SuiteReport), and kept as ids, ranks and
// shares in golden files, which never hold the text of a fact. It is not for measuring
// throughput, and its numbers do not compare with those that others publish for the
// same data: the questions are chosen here.
package retrieval

import (
	"cmp"
	"context"
	"fmt"

	"engram/eval/corpus"
	"engram/memory"
)

func retrievalLoaders(opts corpus.Options) []corpus.Loader[suite] {
	return []corpus.Loader[suite]{
		{Name: "builtin", Load: corpus.One(loadBuiltin)},
		{Name: "commit-session", Data: true, Load: corpus.One(loadCommitSession)},
		{Name: "devmembench", Data: true, Load: corpus.One(loadDevMemBench)},
		{Name: "memorycode", Data: true, Load: corpus.One(loadMemoryCode)},
		{Name: "questions", Data: true, Load: func(dir string) ([]suite, error) { return loadQuestions(dir, opts) }},
	}
}

// Suites lists the names of the suites of Retrieval.
func Suites() []string { return corpus.LoaderNames(retrievalLoaders(corpus.Options{})) }

// Run runs suites over a folder of data, laid out as data's README says.
// Without names it runs all; without data, those that need none. The error
// wraps ErrUnknownSuite or ErrNoData where that is what is wrong.
func Run(ctx context.Context, data string, names []string, opts *corpus.Options) (Report, error) {
	o := *cmp.Or(opts, &corpus.Options{})
	if o.Progress == nil {
		o.Progress = corpus.Silent
	}
	report := Report{SchemaVersion: memory.SchemaVersion, Suites: []SuiteReport{}}
	if o.Embedder != nil {
		report.Embedder = o.Embedder.ID()
	}
	err := corpus.EachSuite(retrievalLoaders(o), data, names, func(s suite) error {
		measured, err := s.run(ctx, o)
		if err != nil {
			return fmt.Errorf("run suite %s: %w", s.name, err)
		}
		report.Suites = append(report.Suites, measured)
		return nil
	})
	return report, err
}
