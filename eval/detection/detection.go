// Package detection measures how well engram finds contradictions, beside a comparison
// of words.
//
// A suite is pairs of facts with a label that says whether they contradict each other.
// They are compared through package memory, and stored nowhere. Golden files keep ids,
// verdicts and shares, and never the text of a fact.
package detection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"engram/eval/corpus"
	"engram/facts"
	"engram/fixtures"
	"engram/memory"
)

// Options are the settings of Detection; the zero value is the default.
type Options struct {
	// Compare is what is measured; nil is memory.Compare.
	Compare  func(a, b facts.Fact) (memory.Clash, bool)
	Progress func(task string, done, total int) // nil is silent
	Show     bool                               // keep the texts of pairs that were judged wrongly
}

// ErrHeld: pairs that are kept for scoring cannot be shown.
var ErrHeld = errors.New("the held pairs are scored and not shown")

// SuiteHeld is the suite that runs only if it is named.
const SuiteHeld = "held"

func detectionLoaders() []corpus.Loader[pairSuite] {
	return []corpus.Loader[pairSuite]{
		handWritten("pairs", fixtures.Open),
		handWritten(SuiteHeld, fixtures.Held),
		{Name: "structured", Data: true, Load: corpus.One(loadStructured)},
		{Name: "edits", Data: true, Load: corpus.One(loadEdits)},
		{Name: "memorycode", Data: true, Load: corpus.One(loadRulePairs)},
		{Name: suiteReworded, Data: true, Load: corpus.One(loadReworded)},
		{Name: suiteProse, Data: true, Load: corpus.One(loadProse)},
		{Name: suiteProseTrain, Asked: true, Load: corpus.One(loadProseTrain)},
		{Name: suiteProseHeld, Asked: true, Load: corpus.One(loadProseHeld)},
		{Name: suiteOffered, Data: true, Asked: true, Load: corpus.One(loadOffered)},
		fromCSV("mnli", "General English (MultiNLI): sentences of many genres, and what somebody made of them.", "mnli_dev.half.csv"),
		fromCSV("snli", "General English (SNLI): captions of photographs, and what somebody made of them.", "snli_dev.half.csv"),
		{Name: "unrelated", Data: true, Load: corpus.One(loadUnrelated)},
	}
}

// Suites lists the names of the suites of Detection.
func Suites() []string { return corpus.LoaderNames(detectionLoaders()) }

// Run compares the facts of labelled pairs, suite by suite, over a folder
// of data, laid out as data's README says. Without names it runs all suites but
// the held one; without data, those that need none. The error wraps
// ErrUnknownSuite, ErrNoData or ErrHeld where that is what is wrong.
func Run(ctx context.Context, data string, names []string, opts *Options) (Report, error) {
	o := *cmp.Or(opts, &Options{})
	if o.Progress == nil {
		o.Progress = corpus.Silent
	}
	if o.Compare == nil {
		o.Compare = memory.Compare
	}
	report := Report{SchemaVersion: memory.SchemaVersion, Suites: []Suite{}}
	if o.Show && (slices.Contains(names, SuiteHeld) || slices.Contains(names, suiteProseHeld)) {
		return report, ErrHeld
	}
	err := corpus.EachSuite(detectionLoaders(), data, names, func(s pairSuite) error {
		measured, err := s.run(ctx, o)
		if err != nil {
			return fmt.Errorf("run suite %s: %w", s.name, err)
		}
		report.Suites = append(report.Suites, measured)
		return nil
	})
	return report, err
}
