package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"engram/facts"
	"engram/memory"
)

// DetectionOptions are the settings of Detection; the zero value is the default.
type DetectionOptions struct {
	// Compare is what is measured; nil is memory.Compare.
	Compare  func(a, b facts.Fact) (memory.Clash, bool)
	Progress func(task string, done, total int) // nil is silent
	Show     bool                               // keep the texts of pairs that were judged wrongly
}

// ErrHeld is a wish to see pairs that are kept for scoring alone.
var ErrHeld = errors.New("the held pairs are scored and not shown")

// SuiteHeld is the suite that runs only where it is asked for by name.
const SuiteHeld = "held"

func detectionLoaders() []loader[pairSuite] {
	return []loader[pairSuite]{
		{name: "pairs", load: one(loadOpenPairs)},
		{name: SuiteHeld, asked: true, load: one(loadHeldPairs)},
		{name: "structured", data: true, load: one(loadStructured)},
		{name: "edits", data: true, load: one(loadEdits)},
		{name: "memorycode", data: true, load: one(loadRulePairs)},
		{name: "mnli", data: true, load: one(loadMNLI)},
		{name: "snli", data: true, load: one(loadSNLI)},
		{name: "unrelated", data: true, load: one(loadUnrelated)},
	}
}

// DetectionSuites lists the names of the suites of Detection.
func DetectionSuites() []string { return loaderNames(detectionLoaders()) }

// Detection compares the facts of labelled pairs, suite by suite, over a folder
// of data, laid out as data's README says. Without names it runs all suites but
// the held one; without data, those that need none. The error wraps
// ErrUnknownSuite, ErrNoData or ErrHeld where that is what is wrong.
func Detection(ctx context.Context, data string, names []string, opts *DetectionOptions) (DetectionReport, error) {
	o := DetectionOptions{}
	if opts != nil {
		o = *opts
	}
	if o.Progress == nil {
		o.Progress = silent
	}
	if o.Compare == nil {
		o.Compare = memory.Compare
	}
	report := DetectionReport{SchemaVersion: memory.SchemaVersion, Suites: []DetectionSuite{}}
	if o.Show && slices.Contains(names, SuiteHeld) {
		return report, ErrHeld
	}
	err := eachSuite(detectionLoaders(), data, names, func(s pairSuite) error {
		measured, err := s.run(ctx, o)
		if err != nil {
			return fmt.Errorf("run suite %s: %w", s.name, err)
		}
		report.Suites = append(report.Suites, measured)
		return nil
	})
	return report, err
}
