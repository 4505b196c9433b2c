// Package views derives from the events of a session what can be read instead of them:
// episodes, decision records, lessons, and over the episodes of many sessions a tree of topics
// (source document 5, §8). Views are an index over events: each has pointers to those that
// it was made of, and can be made again at any time. A language model may pick further sentences;
// only those are kept that stand in an event. The package is pure.
package views

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/recall/window"
	"engram/session"
)

// Version is that of the rules: views of another version are made again.
const Version = 2

// Episode is a part of a session that is about one thing.
type Episode struct {
	Session   string    `json:"session_id"`
	FirstTurn int       `json:"first_turn"`
	LastTurn  int       `json:"last_turn"`
	First     string    `json:"first_event"`
	Last      string    `json:"last_event"`
	Started   time.Time `json:"started_at,omitzero"`
	Ended     time.Time `json:"ended_at,omitzero"`
	Task      string    `json:"task,omitzero"`
	Asked     string    `json:"asked"`   // what the user asked first
	Outcome   string    `json:"outcome"` // what the agent said last
	Topics    []string  `json:"topics"`
	Files     []string  `json:"files"` // those that were touched most, first
	Commits   []string  `json:"commits,omitempty"`
	Events    int       `json:"events"`
	Failed    int       `json:"failed"` // results of tools that report an error
}

// RecordKind says what a record is.
type RecordKind string

// The kinds of records.
const (
	Decision RecordKind = "decision"
	Lesson   RecordKind = "lesson"
	Mistake  RecordKind = "mistake" // something failed
	Success  RecordKind = "success" // and this is how it went on
)

// Record is a sentence or two that are worth keeping, with the event that has them.
type Record struct {
	Kind    RecordKind `json:"kind"`
	Session string     `json:"session_id"`
	Event   string     `json:"event"`
	Turn    int        `json:"turn"`
	At      time.Time  `json:"at,omitzero"`
	Who     string     `json:"who"`
	Text    string     `json:"text"`
	// Because are the events that it rests on, such as the failed result of a mistake.
	Because []string `json:"because,omitempty"`
	// Model is the language model that picked the sentence; "" if the rules did.
	Model string `json:"model,omitempty"`
}

// Same reports records of one kind and one event.
func (r Record) Same(o Record) bool { return r.Kind == o.Kind && r.Event == o.Event }

// Views are those of one session.
type Views struct {
	Version  int       `json:"version"`
	Session  string    `json:"session_id"`
	Tip      string    `json:"tip"` // of the session, as it was when they were made
	Episodes []Episode `json:"episodes"`
	Records  []Record  `json:"records"`
	// Read is how many of the episodes the language model Model has read, from the first on.
	Read  int    `json:"read,omitempty"`
	Model string `json:"model,omitempty"`
}

// Of derives the views of a session from its events, in their order. Memory grows with the
// number of turns, not with what tools printed.
func Of(id string, events iter.Seq2[session.Event, error]) (Views, error) {
	v := Views{Version: Version, Session: id, Episodes: []Episode{}, Records: []Record{}}
	b := builder{views: &v, calls: make(map[string]call)}
	for e, err := range events {
		if err != nil {
			return v, err
		}
		b.add(&e)
	}
	b.close()
	return v, nil
}

// turn is what is kept of a turn until its episode is closed.
type turn struct {
	number         int
	first, last    string
	started, ended time.Time
	task           string
	asked, outcome string
	items          []window.Item // what was said, and the calls
	files          map[string]int
	commits        []string
	events, failed int
}

type builder struct {
	views *Views
	turns []turn
	calls map[string]call // of tools, by their events
	fails map[string]failure
}

// maxKept bounds what is kept of a text for topics, in bytes.
const maxKept = 1600

func (b *builder) add(e *session.Event) {
	b.record(e)
	if len(b.turns) == 0 || b.turns[len(b.turns)-1].number != e.Turn {
		b.turns = append(b.turns, turn{number: e.Turn, first: e.ID, started: e.At, files: make(map[string]int)})
	}
	t := &b.turns[len(b.turns)-1]
	t.last, t.events = e.ID, t.events+1
	t.task = cmp.Or(e.Task, t.task)
	if t.started.IsZero() {
		t.started = e.At
	}
	if e.At.After(t.ended) {
		t.ended = e.At
	}
	if e.Failed {
		t.failed++
	}
	for _, path := range e.Paths {
		t.files[path]++
	}
	for _, commit := range e.Commits {
		if !slices.Contains(t.commits, commit) {
			t.commits = append(t.commits, commit)
		}
	}
	class := window.Dialogue
	switch {
	case e.Has(session.TagThinking) || e.Has(session.TagMalformed) || e.Has(session.TagFrame):
		return
	case e.Kind == session.UserMessage && e.SubAgent == "":
		t.asked = cmp.Or(t.asked, oneLine(e.Text))
	case e.Kind == session.AgentMessage && e.SubAgent == "":
		t.outcome = cmp.Or(oneLine(e.Text), t.outcome)
	case e.Kind == session.ToolCall:
		class = window.ToolCall
	case e.Kind == session.Decision:
		class = window.Decision
	default:
		return
	}
	text := e.Plain()
	if len(text) > maxKept {
		text = strings.ToValidUTF8(text[:maxKept], "")
	}
	t.items = append(t.items, window.Item{ID: e.ID, Turn: e.Turn, Class: class, Text: text})
}

const (
	// pause between two turns ends an episode.
	pause = 45 * time.Minute
	// shift is how much of the words and files must change for an episode to end, 0 to 1.
	shift = 0.85
	// maxTurns is the longest episode; a longer one is cut where it shifts most.
	maxTurns = 24
	// reach is how many turns before and after a cut are compared.
	reach = 2
	// fewTerms are too few to tell a shift by.
	fewTerms = 30
)

// close cuts the turns into episodes.
func (b *builder) close() {
	var items []window.Item
	starts := make([]int, len(b.turns)+1) // of each turn among the items
	for i, t := range b.turns {
		starts[i] = len(items)
		items = append(items, t.items...)
	}
	starts[len(b.turns)] = len(items)
	topics := window.NewTopics(items)
	first := 0
	for i := 1; i <= len(b.turns); i++ {
		if i < len(b.turns) && i-first < maxTurns && !b.cutBefore(i) {
			continue
		}
		b.views.Episodes = append(b.views.Episodes, b.episode(first, i, topics.Of(starts[first], starts[i])))
		first = i
	}
}

// cutBefore reports whether an episode ends before a turn.
func (b *builder) cutBefore(i int) bool {
	before, after := b.turns[i-1], b.turns[i]
	switch {
	case before.number == 0: // what stands before the first message belongs to it
		return false
	case !before.ended.IsZero() && after.started.Sub(before.ended) >= pause:
		return true
	case before.task != "" && after.task != "" && before.task != after.task:
		return true
	}
	return b.distance(i) >= shift
}

// distance says how far the turns from i on are from those before, by words and files.
func (b *builder) distance(i int) float64 {
	left, right := b.turns[max(0, i-reach):i], b.turns[i:min(len(b.turns), i+reach)]
	said, next := bag(left), bag(right)
	if len(said) < fewTerms || len(next) < fewTerms {
		return 0
	}
	words := 1 - cosine(said, next)
	a, c := files(left), files(right)
	if len(a) == 0 || len(c) == 0 {
		return words
	}
	shared := 0
	for name := range a {
		if c[name] > 0 {
			shared++
		}
	}
	return (words + 1 - float64(shared)/float64(min(len(a), len(c)))) / 2
}

func files(turns []turn) map[string]int {
	all := make(map[string]int)
	for _, t := range turns {
		for name, n := range t.files {
			all[name] += n
		}
	}
	return all
}

const maxFiles = 8

func (b *builder) episode(first, end int, topics []string) Episode {
	list := b.turns[first:end]
	e := Episode{
		Session: b.views.Session, FirstTurn: list[0].number, LastTurn: list[len(list)-1].number,
		First: list[0].first, Last: list[len(list)-1].last, Started: list[0].started, Topics: topics,
	}
	touched := make(map[string]int)
	for _, t := range list {
		e.Asked = cmp.Or(e.Asked, t.asked)
		e.Outcome = cmp.Or(t.outcome, e.Outcome)
		e.Task = cmp.Or(t.task, e.Task)
		e.Events += t.events
		e.Failed += t.failed
		e.Commits = append(e.Commits, t.commits...)
		if t.ended.After(e.Ended) {
			e.Ended = t.ended
		}
		for name, n := range t.files {
			touched[name] += n
		}
	}
	e.Files = slices.SortedFunc(maps.Keys(touched), func(a, b string) int {
		return cmp.Or(cmp.Compare(touched[b], touched[a]), cmp.Compare(a, b))
	})
	e.Files = e.Files[:min(len(e.Files), maxFiles)]
	return e
}

// maxLine is the most bytes of a line of a view.
const maxLine = 300

func oneLine(text string) string {
	text = facts.FoldSpace(text)
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "…"
	}
	return text
}
