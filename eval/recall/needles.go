// Package recall measures what is found again after the window of a model was compacted: exact
// strings of the first turns, asked for after each of five compactions (source document 5, §10.1,
// §10A and Annex A.8), beside truncation, an extractive summary and grep.
package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"engram/eval/corpus"
	"engram/facts"
	"engram/memory"
	"engram/recall/window"
)

const (
	cycles    = 5
	turns     = 70 // of the small window: more than the five compactions need
	windowOf  = 32_000
	headroom  = 2_000
	target    = 5_000 // of the small window
	budget    = 2_000 // tokens of an answer
	summaryOf = 2_000 // tokens of the extractive summary
)

// The conditions.
const (
	Truncation = "truncation"
	Summary    = "extractive summary" // stands for narrative compaction
	Grep       = "grep"
	OneHop     = "engram, 1 hop"
	TwoHops    = "engram, 2 hops"
	OneHopKey  = "engram, 1 hop, key events"
	TwoHopsKey = "engram, 2 hops, key events"
)

// Conditions lists every condition.
func Conditions() []string {
	return []string{Truncation, Summary, Grep, OneHop, TwoHops, OneHopKey, TwoHopsKey}
}

// NeedlesInput says which synthetic traces to make. The same seed gives the same traces.
type NeedlesInput struct {
	Traces int
	Seed   uint64
	// Near puts needles into the middle of long output, among lines that are about the same
	// subject or ask for the same of another one.
	Near bool
	// Ablate puts every needle beside others that differ in one factor of the score alone, and
	// asks with each factor left out (§10.5).
	Ablate bool
	// Reasons plants what messages decided, and asks for it in other words, instead of the five kinds.
	Reasons bool
	// Files are transcripts, whose events take the place of the made ones: the needles stand in the
	// middle of what their tools printed.
	Files  []string
	Window int // tokens; 0 is 32,000
}

// Needles measures synthetic traces.
func Needles(ctx context.Context, in NeedlesInput, progress func(task string, done, total int)) (Report, error) {
	var probes []Probe
	traces, seed := in.Traces, in.Seed
	r := Report{SchemaVersion: 1, Traces: traces, Seed: seed, Near: in.Near, Ablation: in.Ablate, Reasons: in.Reasons, Window: cmp.Or(in.Window, windowOf)}
	in.Window = r.Window
	var real *played
	if len(in.Files) > 0 {
		var err error
		if real, err = readFlow(ctx, in.Files, progress); err != nil {
			return r, err
		}
		if len(real.events) == 0 {
			return r, errors.New("the files have no transcript")
		}
		r.Tokens = []int{real.size()}
	}
	for i := range traces {
		if progress != nil {
			progress("traces", i, traces)
		}
		list, ratio, err := runTrace(ctx, i, in, real)
		if err != nil {
			return r, fmt.Errorf("trace %d: %w", i+1, err)
		}
		probes = append(probes, list...)
		r.Ratio += ratio / float64(traces)
	}
	if in.Ablate {
		r.fillAblation(probes)
	} else {
		r.fill(probes, seed)
	}
	return r, nil
}

// ticking is a clock that goes on whenever it is read: in one millisecond there are few events, and
// an id is found by its time.
func ticking() func() time.Time {
	var read atomic.Int64
	return func() time.Time { return corpus.Now().Add(time.Duration(read.Add(1)) * time.Second) }
}

// run is a trace as it is played.
type run struct {
	throwaway *corpus.Throwaway
	session   string
	trace     int
	window    int // tokens
	needles   []needle
	lines     []string // the transcript
	items     []window.Item
	cut       []string // lines that truncation keeps
	summary   []string
	fresh     []string // lines since the last compaction
	stored    map[string]bool
	total     int // tokens
	keyed     bool
}

func runTrace(ctx context.Context, trace int, in NeedlesInput, real *played) (probes []Probe, ratio float64, err error) {
	t, _, err := corpus.NewThrowaway(ctx, nil, corpus.Options{Now: ticking()})
	if err != nil {
		return nil, 0, err
	}
	defer t.Close()
	m := maker{Rand: rand.New(rand.NewPCG(in.Seed, uint64(trace))), used: make(map[string]bool)}
	r := &run{throwaway: t, session: fmt.Sprintf("trace-%d", trace), trace: trace, window: in.Window, stored: make(map[string]bool)}
	planted, needles, subjects := m.plant(trace)
	if in.Reasons {
		planted, needles = plantReasons(trace)
	}
	r.needles = needles
	if in.Near || in.Ablate {
		m.near = &subjects
	}
	flood := m.source(real, trace, in.Traces, planted)
	if err := r.begin(ctx, &m, in, planted); err != nil {
		return nil, 0, err
	}
	most, after := turns*in.Window/windowOf, target*in.Window/windowOf
	for turn, cycle := 11, 0; cycle < cycles; turn++ {
		if turn > most+10 {
			return nil, 0, fmt.Errorf("only %d compactions in %d turns", cycle, most)
		}
		if _, err := r.store(ctx, flood(turn)); err != nil {
			return nil, 0, err
		}
		before := r.tokens()
		if before <= in.Window-headroom {
			continue
		}
		done, err := window.Compact(r.items, window.Options{
			Window: in.Window, Headroom: headroom, Target: after, KeepTokens: after - 1500,
			Stored: func(id string) bool { return r.stored[id] },
		})
		if err != nil {
			return nil, 0, err
		}
		r.items = done.Items
		cycle++
		ratio += float64(before) / float64(done.After) / cycles
		r.cut = tail(append(r.cut, r.fresh...), after)
		r.summary = summarize(append(r.summary, r.fresh...), summaryOf)
		r.fresh = nil
		// As engram watch does.
		if _, err := t.Memory.Consolidate(ctx, memory.ConsolidateInput{}); err != nil {
			return nil, 0, err
		}
		var list []Probe
		switch {
		case !in.Ablate:
			list, err = r.probe(ctx, cycle)
		case cycle == cycles:
			list, err = r.ablate(ctx)
		}
		if err != nil {
			return nil, 0, err
		}
		probes = append(probes, list...)
	}
	return probes, ratio, nil
}

// begin stores the needles, among lines like them if that is asked for.
func (r *run) begin(ctx context.Context, m *maker, in NeedlesInput, planted []said) error {
	if in.Near {
		for range 2 { // what stands before a needle is found before it
			if _, err := r.store(ctx, m.flood(1)); err != nil {
				return err
			}
		}
		m.bury(planted)
	}
	if in.Ablate {
		defer func() { m.near = nil }()
		return r.rivals(ctx, *m, r.needles)
	}
	_, err := r.store(ctx, planted)
	return err
}

// tokens is the size of the window.
func (r *run) tokens() (n int) {
	for _, item := range r.items {
		n += item.Tokens
	}
	return n
}

// store appends events to the session and to the window, and returns their ids.
func (r *run) store(ctx context.Context, events []said) ([]string, error) {
	// A session is sealed when the window is about to be compacted, as hooks do it.
	n := 0
	for _, item := range r.items {
		n += item.Tokens
	}
	for _, e := range events {
		n += facts.Tokens(e.text)
	}
	in := memory.AppendEventsInput{Session: r.session, Client: "eval", Agent: "eval", Seal: n > r.window-headroom}
	for _, e := range events {
		in.Events = append(in.Events, memory.AppendedEvent{Kind: e.kind, Tool: e.tool, Text: e.text, Task: e.task, Premise: e.premise, Supersedes: e.supersedes})
	}
	added, err := r.throwaway.Memory.AppendEvents(ctx, in)
	if err != nil {
		return nil, err
	}
	for i, e := range events {
		id := added.Events[i]
		r.stored[id] = true
		class := window.Dialogue
		switch e.kind {
		case "tool_result":
			class = window.ToolResult
		case "decision":
			class = window.Decision
		}
		n := facts.Tokens(e.text)
		r.total += n
		r.items = append(r.items, window.Item{ID: id, Turn: e.turn, Class: class, Text: e.text, Tokens: n})
		for line := range strings.Lines(e.text) {
			line = strings.TrimSuffix(line, "\n")
			r.lines, r.fresh = append(r.lines, line), append(r.fresh, line)
		}
		for k := range r.needles {
			if strings.Contains(e.text, r.needles[k].value) {
				r.needles[k].event = id
			}
		}
	}
	return added.Events, nil
}

// probe asks for every needle under every condition, with key events after the last compaction
// alone, for a state that is set would change what the others find.
func (r *run) probe(ctx context.Context, cycle int) ([]Probe, error) {
	var probes []Probe
	for _, condition := range Conditions() {
		keyed := condition == OneHopKey || condition == TwoHopsKey
		if keyed && cycle < cycles {
			continue
		}
		if keyed && !r.keyed {
			if err := r.key(ctx); err != nil {
				return nil, err
			}
		}
		for _, n := range r.needles {
			began := time.Now()
			var texts []string
			switch condition {
			case Truncation:
				texts = grep(r.cut, n.question, budget)
			case Summary:
				texts = r.summary
			case Grep:
				texts = grep(r.lines, n.question, budget)
			default:
				in := memory.RecallInput{Queries: []string{n.question}, Session: r.session, Budget: budget, Hops: 1}
				if condition == TwoHops || condition == TwoHopsKey {
					in.Hops = 2
				}
				if keyed {
					in.Task = "keyed"
				}
				answer, err := r.throwaway.Memory.Recall(ctx, in)
				if err != nil {
					return nil, err
				}
				for _, item := range answer.Items {
					texts = append(texts, item.Text)
				}
			}
			p := judge(n, texts)
			p.Condition, p.Cycle, p.Trace, p.Milliseconds = condition, cycle, r.trace+1, float64(time.Since(began).Microseconds())/1000
			probes = append(probes, p)
		}
	}
	return probes, nil
}

// key makes the events with needles the key events of a task.
func (r *run) key(ctx context.Context) error {
	var ids []string
	for _, n := range r.needles {
		if !slices.Contains(ids, n.event) {
			ids = append(ids, n.event)
		}
	}
	r.keyed = true
	_, err := r.throwaway.Memory.SetTaskState(ctx, memory.SetTaskStateInput{
		Input: memory.TaskStateInput{Task: "keyed", Session: r.session}, Goals: []string{"answer from what happened"}, KeyEvents: ids,
	})
	return err
}

func judge(n needle, texts []string) Probe {
	p := Probe{Kind: n.kind, Question: n.question, Needle: n.value}
	for i, text := range texts {
		size := facts.Tokens(text)
		p.Tokens += size
		if strings.Contains(text, n.value) {
			p.Exact = true
			p.Useful += size
			if p.Rank == 0 {
				p.Rank = i + 1
			}
		}
	}
	if p.Exact || len(texts) == 0 {
		return p
	}
	all := strings.Join(texts, "\n")
	// Half of a needle's words, or of its length from the start, is a part of it.
	words, has := strings.Fields(n.value), 0
	for _, w := range words {
		if len(w) > 4 && strings.Contains(all, w) {
			has++
		}
	}
	p.Partial = len(words) > 1 && 2*has >= len(words) || strings.Contains(all, n.value[:len(n.value)/2+1])
	kind := n.kind
	if isReason(kind) {
		kind = Rationale
	}
	p.False = shape[kind].MatchString(texts[0])
	return p
}
