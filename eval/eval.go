package eval

import (
	"context"
	"fmt"

	"engram/memory"
)

// Options are the settings of Retrieval; the zero value is the default.
type Options struct {
	Embedder memory.Embedder // nil: nothing is measured that needs vectors
	// Scanner sees every text before it is used; facts with secrets are left
	// out and counted. nil finds none.
	Scanner    memory.Scanner
	Progress   func(task string, done, total int) // total 0 where unknown; nil is silent
	LimitFacts int                                // facts of the suite questions; 0 means 20,000
	Metadata   Metadata                           // of the facts of the suite questions; "" means both
}

// Metadata says how the facts of the suite questions differ beside their text.
type Metadata string

// The kinds of metadata.
const (
	Uniform Metadata = "uniform" // all alike: the ranking has the text alone
	Mixed   Metadata = "mixed"   // age, type, evidence and agent at random
)

func retrievalLoaders(opts Options) []loader[suite] {
	return []loader[suite]{
		{name: "builtin", load: one(loadBuiltin)},
		{name: "commit-session", data: true, load: one(loadCommitSession)},
		{name: "devmembench", data: true, load: one(loadDevMemBench)},
		{name: "memorycode", data: true, load: one(loadMemoryCode)},
		{name: "questions", data: true, load: func(dir string) ([]suite, error) { return loadQuestions(dir, opts) }},
	}
}

// Suites lists the names of the suites of Retrieval.
func Suites() []string { return loaderNames(retrievalLoaders(Options{})) }

// Retrieval runs suites over a folder of data, laid out as data's README says.
// Without names it runs all; without data, those that need none. The error
// wraps ErrUnknownSuite or ErrNoData where that is what is wrong.
func Retrieval(ctx context.Context, data string, names []string, opts *Options) (Report, error) {
	o := Options{}
	if opts != nil {
		o = *opts
	}
	if o.Progress == nil {
		o.Progress = silent
	}
	report := Report{SchemaVersion: memory.SchemaVersion, Suites: []SuiteReport{}}
	if o.Embedder != nil {
		report.Embedder = o.Embedder.ID()
	}
	err := eachSuite(retrievalLoaders(o), data, names, func(s suite) error {
		measured, err := s.run(ctx, o)
		if err != nil {
			return fmt.Errorf("run suite %s: %w", s.name, err)
		}
		report.Suites = append(report.Suites, measured)
		return nil
	})
	return report, err
}
