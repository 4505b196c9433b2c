package recall

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"engram/memory"
	"engram/recall/score"
)

// asked is what a trace is asked about, by the kind of needle: the subjects of the first four.
type asked [4]string

// sentences are what needles of the first four kinds say of a subject, for distractors near them.
// The first word is what is asked for; the others are about something else of the same subject.
var sentences = [4]struct {
	form  string // attribute, subject, value
	about []string
}{
	{"The %[1]s of the %[2]s has the SHA-256 fragment %[3]s.", []string{"image", "chart", "manifest", "signature", "bundle"}},
	{"The %[1]s of the %[2]s is in the file and line %[3]s.", []string{"leak", "lock", "race", "backoff", "overflow"}},
	{"At %[1]s the %[2]s stopped with the error %[3]s.", []string{"startup", "shutdown", "failover", "reload", "rotation"}},
	{"The %[2]s was %[1]s with the parameters %[3]s.", []string{"tuned", "benchmarked", "started", "deployed", "restored"}},
}

// value makes a string of one of the first four kinds.
func (m maker) value(kind int) string {
	return []func() string{m.hash, m.path, m.failure, m.parameter}[kind]()
}

// nearLine is a line with the subject of a needle and another attribute, with its attribute and
// another subject, or, now and then, with an older value of the same.
func (m maker) nearLine(other func() string) string {
	kind := m.IntN(4)
	s := sentences[kind]
	about, subject, form := s.about[1+m.IntN(len(s.about)-1)], m.near[kind], s.form
	switch n := m.IntN(60); {
	case n == 0:
		about, form = s.about[0], "Until last week: "+form
	case n <= 20:
		about, subject = s.about[0], other()
	}
	return fmt.Sprintf(form, about, subject, m.value(kind))
}

// bury puts the needles that tools printed into the middle of other output.
func (m maker) bury(events []said) {
	for i := range events {
		if e := &events[i]; e.kind == "tool_result" {
			around := m.flood(e.turn)[1].text
			cut := strings.IndexByte(around[len(around)/2:], '\n') + len(around)/2 + 1
			e.text = around[:cut] + e.text + "\n" + around[cut:]
		}
	}
}

// ablations are the conditions of §10.5: with all factors, without one, without any.
var ablations = []struct {
	name string
	omit score.Omit
}{
	{"every factor", score.Omit{}},
	{"without premises (H13)", score.Omit{Premise: true}},
	{"without supersession (H14)", score.Omit{Supersession: true}},
	{"without phase (H15)", score.Omit{Phase: true}},
	{"without task (H16)", score.Omit{Task: true}},
	{"without any", score.Omit{Premise: true, Supersession: true, Phase: true, Task: true}},
}

// Kinds of traces of an ablation.
const (
	OneTask      Kind = "one task"
	SeveralTasks Kind = "several tasks"
)

// narrow is a budget that holds three or four short answers.
const narrow = 200

// endings make sentences of the same differ in length and words, so that what the words say of
// them differs too.
var endings = []string{"", " That is what the log says.", " See the ticket for it.", " It was seen again in the last build, on the second machine, with the same outcome."}

// rivals stores the needles among sentences that say the same with another value: under premises
// that no longer hold, replaced by the needle, said by the agent and not by a tool, and, in every
// second trace, of another task. Which stands first, and how each ends, is drawn.
func (r *run) rivals(ctx context.Context, m maker, needles []needle) error {
	r.needles = needles[:4]
	for kind, n := range r.needles {
		subject := m.near[kind]
		say := func(value string) said {
			return said{turn: 2*kind + 1, kind: "tool_result", tool: "Bash", task: "main", premise: "v2",
				text: fmt.Sprintf(sentences[kind].form, sentences[kind].about[0], subject, value) + m.one(endings)}
		}
		replaced := say(m.value(kind))
		ids, err := r.store(ctx, []said{replaced})
		if err != nil {
			return err
		}
		needle, stale, guess, other := say(n.value), say(m.value(kind)), say(m.value(kind)), say(m.value(kind))
		needle.supersedes = ids[0]
		stale.premise = "v1"
		guess.kind, guess.tool = "agent_message", ""
		other.task = "other"
		events := []said{needle, stale, guess}
		if r.trace%2 == 0 {
			events = append(events, other)
		}
		m.Shuffle(len(events), func(i, k int) { events[i], events[k] = events[k], events[i] })
		if _, err := r.store(ctx, events); err != nil {
			return err
		}
	}
	premise := "v2"
	_, err := r.throwaway.Memory.SetTaskState(ctx, memory.SetTaskStateInput{
		Input: memory.TaskStateInput{Task: "main", Session: r.session}, Goals: []string{"find out why it stops"},
		Premise: &premise, Extensions: map[string]json.RawMessage{"phase": json.RawMessage(`"debugging"`)},
	})
	return err
}

// ablate asks for every needle with each factor left out.
func (r *run) ablate(ctx context.Context) (probes []Probe, err error) {
	for _, a := range ablations {
		for _, n := range r.needles {
			for _, tokens := range []int{budget, narrow} {
				answer, err := r.throwaway.Memory.Recall(ctx, memory.RecallInput{
					Queries: []string{n.question}, Session: r.session, Task: "main", Budget: tokens, Omit: a.omit,
				})
				if err != nil {
					return nil, err
				}
				var texts []string
				for _, item := range answer.Items {
					texts = append(texts, item.Text)
				}
				p := judge(n, texts)
				p.Condition, p.Cycle, p.Trace, p.Window, p.Kind = a.name, cycles, r.trace+1, tokens, OneTask
				if r.trace%2 == 0 {
					p.Kind = SeveralTasks
				}
				probes = append(probes, p)
			}
		}
	}
	return probes, nil
}

// fillAblation sums up by budget (in Window), condition and kind of trace.
func (r *Report) fillAblation(probes []Probe) {
	for _, tokens := range []int{budget, narrow} {
		for _, kind := range []Kind{"", SeveralTasks, OneTask} {
			for _, a := range ablations {
				var list []Probe
				for _, p := range probes {
					if p.Window == tokens && p.Condition == a.name && (kind == "" || p.Kind == kind) {
						list = append(list, p)
					}
				}
				if len(list) == 0 {
					continue
				}
				row := summarizeProbes(list, r.Seed)
				row.Condition, row.Kind, row.Cycle, row.Window = a.name, kind, cycles, tokens
				r.Rows = append(r.Rows, row)
			}
		}
	}
}
