package recall

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"engram/eval/golden"
)

// Probe is a question and what came of it.
type Probe struct {
	Trace        int     `json:"trace"`
	Window       int     `json:"window,omitempty"` // of a replay
	Cycle        int     `json:"cycle"`            // compactions before it
	Condition    string  `json:"condition"`
	Kind         Kind    `json:"kind"`
	Question     string  `json:"question"`
	Needle       string  `json:"needle"`
	Exact        bool    `json:"exact"`   // the needle is in the answer
	Partial      bool    `json:"partial"` // only half of it is
	False        bool    `json:"false_recall"`
	Rank         int     `json:"rank"` // of the first item with the needle; 0 if there is none
	Tokens       int     `json:"tokens"`
	Useful       int     `json:"useful_tokens"`            // of items with the needle
	Avoided      int     `json:"avoided_tokens,omitempty"` // of the result of a repeated call that was found
	Milliseconds float64 `json:"ms"`
}

// Row sums up the probes of a condition; Kind "" is all of them, Cycle 0 each of them.
type Row struct {
	Condition string     `json:"condition"`
	Kind      Kind       `json:"kind,omitempty"`
	Cycle     int        `json:"cycle,omitempty"`
	Window    int        `json:"window,omitempty"` // of a replay
	Probes    int        `json:"probes"`
	Exact     float64    `json:"exact"`
	Interval  [2]float64 `json:"interval"` // 95 %, bootstrap over traces
	Partial   float64    `json:"partial"`
	False     float64    `json:"false_recall"`
	Precision float64    `json:"precision"` // useful tokens by all
	Tokens    float64    `json:"tokens"`    // on average
	P50       float64    `json:"p50_ms"`
	P95       float64    `json:"p95_ms"`
	Avoided   int        `json:"avoided_tokens,omitempty"` // of results of repeated calls that were found
	First     float64    `json:"first"`                    // the needle is in the first item
	// FirstInterval is that of First.
	FirstInterval [2]float64 `json:"first_interval"`
}

// Report is what Needles or Replay measured.
type Report struct {
	SchemaVersion int     `json:"schema_version"`
	Traces        int     `json:"traces"`
	Seed          uint64  `json:"seed"`
	Ratio         float64 `json:"compaction_ratio"` // tokens before a compaction by those after it
	Rows          []Row   `json:"rows"`
	Near          bool    `json:"near,omitempty"`
	Window        int     `json:"window,omitempty"` // tokens; of a replay, its rows say it
	Ablation      bool    `json:"ablation,omitempty"`
	Reasons       bool    `json:"reasons,omitempty"`
	Replay        bool    `json:"replay,omitempty"`
	Skipped       int     `json:"skipped,omitempty"` // files that are no transcripts
	Tokens        []int   `json:"transcript_tokens,omitempty"`
	Missed        []Probe `json:"missed"` // by engram, after the last compaction
}

func (r *Report) fill(probes []Probe, seed uint64) {
	add := func(condition string, kind Kind, cycle int) {
		var list []Probe
		for _, p := range probes {
			if p.Condition == condition && (kind == "" || p.Kind == kind) && p.Cycle == cycle {
				list = append(list, p)
			}
		}
		if len(list) == 0 {
			return // key events are measured after the last compaction alone
		}
		row := summarizeProbes(list, seed)
		row.Condition, row.Kind, row.Cycle = condition, kind, cycle
		r.Rows = append(r.Rows, row)
	}
	for _, condition := range Conditions() {
		for cycle := 1; cycle <= cycles; cycle++ {
			add(condition, "", cycle)
		}
		for _, kind := range Kinds() {
			add(condition, kind, cycles)
		}
	}
	for _, p := range probes {
		if !p.Exact && p.Cycle == cycles && strings.HasPrefix(p.Condition, "engram") {
			r.Missed = append(r.Missed, p)
		}
	}
}

func summarizeProbes(list []Probe, seed uint64) Row {
	row := Row{Probes: len(list)}
	var times []float64
	useful, tokens := 0, 0
	exact, first, asked := make(map[int]int), make(map[int]int), make(map[int]int) // by trace
	for _, p := range list {
		asked[p.Trace]++
		if p.Exact {
			row.Exact++
			exact[p.Trace]++
		}
		if p.Rank == 1 {
			row.First++
			first[p.Trace]++
		}
		if p.Partial {
			row.Partial++
		}
		if p.False {
			row.False++
		}
		useful, tokens = useful+p.Useful, tokens+p.Tokens
		times = append(times, p.Milliseconds)
	}
	n := float64(max(1, len(list)))
	row.Exact, row.Partial, row.False = row.Exact/n, row.Partial/n, row.False/n
	row.First /= n
	row.Tokens = float64(tokens) / n
	row.Precision = float64(useful) / float64(max(1, tokens))
	if len(times) > 0 {
		slices.Sort(times)
		row.P50, row.P95 = times[len(times)/2], times[len(times)*95/100]
	}
	row.Interval, row.FirstInterval = bootstrap(exact, asked, seed), bootstrap(first, asked, seed)
	return row
}

// bootstrap draws traces, not probes: those of a trace depend on each other.
func bootstrap(exact, asked map[int]int, seed uint64) [2]float64 {
	const resamples = 10_000
	var traces []int
	for t := range asked {
		traces = append(traces, t)
	}
	if len(traces) == 0 {
		return [2]float64{}
	}
	slices.Sort(traces)
	draw := rand.New(rand.NewPCG(seed, 1))
	means := make([]float64, resamples)
	for i := range means {
		hit, all := 0, 0
		for range traces {
			t := traces[draw.IntN(len(traces))]
			hit, all = hit+exact[t], all+asked[t]
		}
		means[i] = float64(hit) / float64(all)
	}
	slices.Sort(means)
	return [2]float64{means[resamples*25/1000], means[resamples*975/1000-1]}
}

// GoldenName is the report's file in a folder of golden files.
func (r Report) GoldenName() string { return "needles.golden" }

// Golden is the outcome as it is kept: no times.
func (r Report) Golden() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# needles: %d traces, seed %d\n\n", r.Traces, r.Seed)
	for _, row := range r.Rows {
		name := fmt.Sprintf("%s, %s, cycle %d", row.Condition, row.kind(), row.Cycle)
		fmt.Fprintf(&b, "%-62s  %5d %6.3f %6.3f %6.3f\n", name, row.Probes, row.Exact, row.Partial, row.False)
	}
	return b.String()
}

func (r Row) kind() string {
	if r.Kind == "" {
		return "all"
	}
	return string(r.Kind)
}

// WriteGolden writes the report's golden file.
func (r Report) WriteGolden(dir string) error { return golden.Write(dir, []Report{r}) }

// DiffGolden compares the report with its golden file and returns what differs.
func (r Report) DiffGolden(dir string) (string, error) { return golden.Diff(dir, []Report{r}) }
