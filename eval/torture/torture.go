// Package torture puts memory tools through what breaks them: processes killed at
// random, clones that write and sync in any order, readers beside writers, facts that
// a reader may not see, and secrets offered to be written. It counts what went wrong.
//
// A tool takes part by an adapter of four methods (Tool), or as a program that is
// given requests on its standard input (NewProgram; docs/reliability.md has the
// protocol). The package does not measure speed, and does not judge answers that are
// merely ranked badly.
package torture

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Tool is a memory tool under test. All methods may be called by several goroutines at
// once. A method whose ctx ends must kill the processes that it started (SIGKILL) before
// it returns: this is how the tests kill writers.
type Tool interface {
	// Setup makes clones of one new memory below dir, which is empty, and returns their
	// folders. In them the agent Outsider must not read facts of the scope ClosedScope,
	// if the tool has permissions. All that the tool keeps must be below dir.
	Setup(ctx context.Context, dir string, clones int) ([]string, error)
	// Commit writes one fact, or replaces the fact at its key. It returns nil only if the
	// tool acknowledged the write, ErrRefused if the tool decided against it, and
	// ErrUnsupported if the tool knows no scopes and the fact has one.
	Commit(ctx context.Context, clone string, f Fact) error
	// Read returns the facts that answer a question, or, without one, all of them.
	Read(ctx context.Context, clone string, q Question) (Answer, error)
	// Sync exchanges facts with the other clones, or returns ErrUnsupported.
	Sync(ctx context.Context, clone string) error
}

// What the tests of permissions use.
const (
	Outsider    = "outsider" // the agent that must not read
	ClosedScope = "closed"   // the scope that it must not read
)

// ErrRefused and ErrUnsupported are answers of a tool that are no failures of it.
var (
	ErrRefused     = errors.New("refused by the tool")
	ErrUnsupported = errors.New("not supported by the tool")
)

// Fact is a fact as the tests know it. Key has the form domain/x/y; Agent and Scope may
// be empty.
type Fact struct {
	Key   string `json:"key"`
	Text  string `json:"text"`
	Agent string `json:"agent,omitempty"`
	Scope string `json:"scope,omitempty"`
}

// Question says what to read: facts that have the word About, or all, as Agent.
type Question struct {
	About string `json:"about,omitempty"`
	Agent string `json:"agent,omitempty"`
}

// Answer is what a tool answered: the facts, and everything that it printed.
type Answer struct {
	Facts []Fact
	Raw   string
}

// Options say how much to do. Zero values are the defaults.
type Options struct {
	Seed      uint64   // of everything that is random
	Writes    int      // acknowledged writes of the measure "lost"; 200
	Histories int      // of the measure "divergence"; 10
	Answers   int      // of the measures "stale" and "forbidden"; 40
	Secrets   int      // of the measure "secrets"; 32
	Measures  []string // which to run; all
	Progress  func(task string, done, total int)
}

// Result is the outcome of one measure of one tool.
type Result struct {
	Measure      string   `json:"measure"`
	Tried        int      `json:"tried"`        // writes, histories, readings or secrets
	Acknowledged int      `json:"acknowledged"` // writes that the tool said it had made
	Refused      int      `json:"refused"`
	Failed       int      `json:"failed"` // requests that ended in an error although nobody killed them
	Kills        int      `json:"kills"`
	Bad          int      `json:"bad"`                   // what the measure is named after
	Unsupported  bool     `json:"unsupported,omitempty"` // the tool does not do this at all
	Examples     []string `json:"examples,omitempty"`    // at most 12 of what was bad or failed, a line each
	Seconds      float64  `json:"seconds"`
}

// note keeps the first line of an example that is not there yet.
func (r *Result) note(format string, args ...any) {
	text, _, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	if len(r.Examples) < 12 && !slices.Contains(r.Examples, text) {
		r.Examples = append(r.Examples, text)
	}
}

// Report is the outcome of all measures of one tool.
type Report struct {
	Tool    string   `json:"tool"`
	Results []Result `json:"results"`
}

// Bad is the sum of all that was bad.
func (r Report) Bad() (n int) {
	for _, result := range r.Results {
		n += result.Bad
	}
	return n
}

// run is one measure at work.
type run struct {
	Result
	tool   Tool
	opts   Options
	random *rand.Rand
	dir    string
}

// measures are all measures, in the order in which they run.
var measures = []struct {
	name string
	run  func(ctx context.Context, r *run) error
}{
	{"lost", lost}, {"divergence", divergence}, {"stale", stale}, {"forbidden", forbidden}, {"secrets", secrets},
}

// Measures are the names of all measures.
func Measures() (names []string) {
	for _, m := range measures {
		names = append(names, m.name)
	}
	return names
}

// Run puts a tool through the measures in folders below dir, which grow by some
// megabytes and are left there. An error means that the tests themselves could not run;
// what the tool does wrong is in the report.
func Run(ctx context.Context, name string, tool Tool, dir string, opts Options) (Report, error) {
	opts = opts.withDefaults()
	report := Report{Tool: name}
	for n, m := range measures {
		if !opts.wants(m.name) {
			continue
		}
		r := &run{Result: Result{Measure: m.name}, tool: tool, opts: opts, dir: filepath.Join(dir, m.name), random: rand.New(rand.NewPCG(opts.Seed, uint64(n)))}
		if err := os.MkdirAll(r.dir, 0o755); err != nil {
			return report, err
		}
		began := time.Now()
		err := m.run(ctx, r)
		r.Seconds = time.Since(began).Seconds()
		switch {
		case ctx.Err() != nil: // what was counted so far is in the report
			report.Results = append(report.Results, r.Result)
			return report, ctx.Err()
		case errors.Is(err, ErrUnsupported):
			r.Unsupported = true
		case err != nil:
			return report, fmt.Errorf("%s of %s: %w", m.name, name, err)
		}
		report.Results = append(report.Results, r.Result)
	}
	return report, nil
}

func (o Options) withDefaults() Options {
	for field, n := range map[*int]int{&o.Writes: 200, &o.Histories: 10, &o.Answers: 40, &o.Secrets: 32} {
		if *field == 0 {
			*field = n
		}
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	return o
}

func (o Options) wants(name string) bool {
	return len(o.Measures) == 0 || slices.Contains(o.Measures, name)
}
