package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"

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

// ErrNoData is a suite without the folder that its data is in.
var ErrNoData = errors.New("the suite needs a folder of data")

// ErrUnknownSuite is a name that no suite has.
var ErrUnknownSuite = errors.New("no such suite")

// loader makes a suite out of a folder of data. Most make one, some variants.
type loader struct {
	name  string
	data  bool // it needs the folder
	suite func(dir string, opts Options) ([]suite, error)
}

func loaders() []loader {
	one := func(load func(string) (suite, error)) func(string, Options) ([]suite, error) {
		return func(dir string, _ Options) ([]suite, error) {
			s, err := load(dir)
			return []suite{s}, err
		}
	}
	return []loader{
		{"builtin", false, one(loadBuiltin)},
		{"commit-session", true, one(loadCommitSession)},
		{"devmembench", true, one(loadDevMemBench)},
		{"memorycode", true, one(loadMemoryCode)},
		{"questions", true, loadQuestions},
	}
}

// Suites lists the names of the suites, and of those that run without data.
func Suites() (all, withoutData []string) {
	for _, l := range loaders() {
		all = append(all, l.name)
		if !l.data {
			withoutData = append(withoutData, l.name)
		}
	}
	return all, withoutData
}

// Retrieval runs suites over a folder of data, laid out as data's README says.
// Without names it runs all; without data, those that need none. The error
// wraps ErrUnknownSuite or ErrNoData where that is what is wrong.
func Retrieval(ctx context.Context, data string, names []string, opts *Options) (Report, error) {
	o := Options{}
	if opts != nil {
		o = *opts
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	chosen, err := choose(data, names)
	if err != nil {
		return Report{}, err
	}
	report := Report{SchemaVersion: memory.SchemaVersion, Suites: []SuiteReport{}}
	if o.Embedder != nil {
		report.Embedder = o.Embedder.ID()
	}
	for _, l := range chosen {
		suites, err := l.suite(data, o)
		if err != nil {
			return report, fmt.Errorf("load suite %s: %w", l.name, err)
		}
		for _, s := range suites {
			measured, err := s.run(ctx, o)
			if err != nil {
				return report, fmt.Errorf("run suite %s: %w", s.name, err)
			}
			report.Suites = append(report.Suites, measured)
		}
	}
	return report, nil
}

func choose(data string, names []string) ([]loader, error) {
	all, withoutData := Suites()
	if len(names) == 0 && data == "" {
		names = withoutData
	} else if len(names) == 0 {
		names = all
	}
	var chosen []loader
	for _, name := range names {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("%w: %q is none of %v", ErrUnknownSuite, name, all)
		}
	}
	for _, l := range loaders() {
		if !slices.Contains(names, l.name) {
			continue
		}
		if l.data && data == "" {
			return nil, fmt.Errorf("%w: %s", ErrNoData, l.name)
		}
		chosen = append(chosen, l)
	}
	return chosen, nil
}
