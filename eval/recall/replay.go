package recall

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"engram/eval/corpus"
	"engram/facts"
	"engram/memory"
	"engram/recall/passage"
	"engram/recall/window"
	"engram/session"
)

// The kinds of what a transcript uses again.
const (
	Digest Kind = "digest"
	Flag   Kind = "flag"
	Number Kind = "number"
	Name   Kind = "name" // any other string that is no word of a language
	// Repeat is a call of a tool that was made before, asked for by the call: its result is wanted.
	Repeat Kind = "repeated call"
)

const (
	fewest      = 4       // letters of a string that is asked for
	widest      = 120     // bytes of it
	longestText = 1 << 18 // bytes of an event that count
	longestAsk  = 500     // bytes of a message that a question has
)

var (
	digestRE = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
	numberRE = regexp.MustCompile(`^[0-9.,:_-]+$`)
	fileRE   = regexp.MustCompile(`^[\w.-]+\.[a-z]{1,5}$`)
	errorRE  = regexp.MustCompile(`(?:[a-z]Error|Exception|^E[A-Z]{3,})`)
)

// ReplayInput says what to replay.
type ReplayInput struct {
	Files   []string // transcripts
	Windows []int    // tokens
	PerFile int      // at most so many questions of each transcript and window
	// Chain plays the transcripts of a folder one after another as one.
	Chain bool
}

// use is a place of a transcript where something is needed that was evicted.
type use struct {
	kind    Kind
	window  int
	at      int // the event that needs it: the question is asked before it
	cycle   int
	asks    []string
	has     []int    // events that the window has
	values  []string // any of them is an answer
	cost    int      // tokens of the result of a repeated call
	cut     []string
	summary []string
}

// played is a transcript as it is replayed.
type played struct {
	folder string
	events []session.Event
	lines  []string
	upTo   []int // lines before each event
	tokens []int // of each event
}

// Replay replays transcripts through windows. Where the agent uses a string that its window has no
// more, or calls a tool again as it did before, the question is what it had then.
func Replay(ctx context.Context, in ReplayInput, progress func(task string, done, total int)) (Report, error) {
	r := Report{SchemaVersion: 1, Replay: true}
	var probes []Probe
	var chains []*played
	for i, file := range in.Files {
		if progress != nil {
			progress("transcripts", i, len(in.Files))
		}
		p, err := readPlayed(ctx, file)
		if err != nil {
			return r, fmt.Errorf("replay %s: %w", filepath.Base(file), err)
		}
		if p == nil {
			r.Skipped++
			continue
		}
		r.Traces++
		if n := len(chains); in.Chain && n > 0 && chains[n-1].folder == p.folder {
			chains[n-1].add(p)
		} else {
			chains = append(chains, p)
		}
	}
	for i, p := range chains {
		if progress != nil {
			progress("sessions", i, len(chains))
		}
		r.Tokens = append(r.Tokens, p.size())
		var uses []use
		for _, size := range in.Windows {
			found, err := p.uses(size)
			if err != nil {
				return r, fmt.Errorf("replay %s: %w", p.folder, err)
			}
			uses = append(uses, spread(found, in.PerFile)...)
		}
		slices.SortStableFunc(uses, func(a, b use) int { return cmp.Compare(a.at, b.at) })
		list, err := p.ask(ctx, i+1, uses)
		if err != nil {
			return r, fmt.Errorf("replay %s: %w", p.folder, err)
		}
		probes = append(probes, list...)
	}
	r.fillReplay(probes, in.Windows)
	return r, nil
}

// add lets another transcript follow.
func (p *played) add(next *played) {
	turns := 0
	if n := len(p.events); n > 0 {
		turns = p.events[n-1].Turn
	}
	for i := range next.events {
		next.events[i].Turn += turns
		p.upTo = append(p.upTo, len(p.lines)+next.upTo[i])
	}
	p.events, p.tokens, p.lines = append(p.events, next.events...), append(p.tokens, next.tokens...), append(p.lines, next.lines...)
}

func (p *played) size() (n int) {
	for _, t := range p.tokens {
		n += t
	}
	return n
}

// evictedLines are the lines before an event that a window has no more.
func (p *played) evictedLines(u use) (list []string) {
	for i := range u.at {
		if _, has := slices.BinarySearch(u.has, i); !has {
			list = append(list, p.lines[p.upTo[i]:p.upTo[i+1]]...)
		}
	}
	return list
}

// spread takes so many of a list, evenly.
func spread(list []use, most int) []use {
	if len(list) <= most {
		return list
	}
	var some []use
	for i := range most {
		some = append(some, list[i*len(list)/most])
	}
	return some
}

// readPlayed reads a transcript as engram does; nil if the file is not one.
func readPlayed(ctx context.Context, file string) (*played, error) {
	t, _, err := corpus.NewThrowaway(ctx, nil, corpus.Options{})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	imported, err := t.Memory.ImportSessions(ctx, memory.ImportSessionsInput{Files: []string{file}, Getenv: func(string) string { return "" }})
	if err != nil || len(imported.Sessions) == 0 {
		return nil, err
	}
	id := imported.Sessions[0].ID
	shown, err := t.Memory.Session(ctx, memory.SessionInput{ID: id})
	if err != nil {
		return nil, err
	}
	p := &played{folder: filepath.Dir(file)}
	for _, e := range shown.Events {
		e.Text = e.Plain()
		for _, a := range e.Artifacts {
			if !strings.HasPrefix(a.MediaType, "text/") && !strings.Contains(a.MediaType, "json") {
				continue
			}
			content, err := t.Memory.SessionArtifact(ctx, memory.SessionArtifactInput{ID: id, Digest: a.Digest})
			if err != nil {
				return nil, err
			}
			e.Text = string(content)
			break
		}
		e.Text = strings.ToValidUTF8(e.Text[:min(len(e.Text), longestText)], "")
		if strings.TrimSpace(e.Text) == "" || !slices.Contains([]session.Kind{session.UserMessage, session.AgentMessage, session.ToolCall, session.ToolResult}, e.Kind) {
			continue
		}
		p.events = append(p.events, e)
		p.tokens = append(p.tokens, facts.Tokens(e.Text))
		p.upTo = append(p.upTo, len(p.lines))
		for line := range strings.SplitSeq(e.Text, "\n") {
			p.lines = append(p.lines, line)
		}
	}
	return p, nil
}

var classes = map[session.Kind]window.Class{session.ToolCall: window.ToolCall, session.ToolResult: window.ToolResult}

// uses plays the transcript through a window and finds what is needed after it was evicted.
func (p *played) uses(size int) (list []use, err error) {
	var items []window.Item
	var cut, summary []string
	evicted := make(map[int]bool)
	place := make(map[string]int) // of events, by id
	asked := make(map[string]bool)
	calls := make(map[string]int) // what calls do: the last event
	total, cycle, last := 0, 0, 0
	var user, agent string
	for i := range p.events {
		e := &p.events[i]
		if cycle > 0 && (e.Kind == session.AgentMessage || e.Kind == session.ToolCall) {
			base := use{window: size, at: i, cycle: cycle, cut: cut, summary: summary, has: inWindow(items, place)}
			if u, ok := p.useOf(base, items, evicted, asked, user, agent); ok {
				list = append(list, u)
			}
			if u, ok := p.repeated(base, calls, evicted); ok {
				list = append(list, u)
			}
		}
		switch e.Kind {
		case session.UserMessage:
			user = e.Text
		case session.AgentMessage:
			agent = e.Text
		case session.ToolCall:
			calls[doing(e)] = i
		}
		id := fmt.Sprint(i)
		place[id] = i
		items = append(items, window.Item{ID: id, Turn: e.Turn, Class: cmp.Or(classes[e.Kind], window.Dialogue), Text: e.Text, Tokens: p.tokens[i]})
		total += p.tokens[i]
		if total <= size-size/16 {
			continue
		}
		done, err := window.Compact(items, window.Options{
			Window: size, Headroom: size / 16, Target: size / 2, KeepTokens: size / 4, Stored: func(string) bool { return true },
		})
		if err != nil {
			return nil, err
		}
		if len(done.Evicted) == 0 {
			continue
		}
		for _, id := range done.Evicted {
			evicted[place[id]] = true
		}
		items, total = done.Items, done.After
		cycle++
		end := p.upTo[i] + strings.Count(e.Text, "\n") + 1
		cut = tail(p.lines[:end], size/2)
		summary = summarize(append(slices.Clone(summary), p.lines[last:end]...), summaryOf)
		last = end
	}
	return list, nil
}

// inWindow are the events that a window has, in order.
func inWindow(items []window.Item, place map[string]int) (list []int) {
	for _, item := range items {
		if i, ok := place[item.ID]; ok && item.ID != "" {
			list = append(list, i)
		}
	}
	slices.Sort(list)
	return list
}

// doing is what a call of a tool does.
func doing(e *session.Event) string { return e.Tool + " " + session.CallOf(e).Does() }

// useOf finds a string of an event that stands in what was evicted and nowhere in the window. The
// question has the message of the user, the last words of the agent, and the line that the string
// is used in, without it.
func (p *played) useOf(u use, items []window.Item, evicted map[int]bool, asked map[string]bool, user, agent string) (use, bool) {
	e := &p.events[u.at]
	text := e.Text
	if e.Kind == session.ToolCall {
		text = session.CallOf(e).Does()
	}
	for line := range strings.SplitSeq(text, "\n") {
		for _, s := range passage.Exact(line) {
			if len(s) < fewest || len(s) > widest || strings.ContainsAny(s, " \t") || asked[s] {
				continue
			}
			if slices.ContainsFunc(items, func(item window.Item) bool { return strings.Contains(item.Text, s) }) {
				continue
			}
			known := false
			for i := range u.at {
				known = known || evicted[i] && strings.Contains(p.events[i].Text, s)
			}
			if !known {
				continue
			}
			asked[s] = true
			u.kind, u.values = kindOf(s), []string{s}
			about := []string{head(line, longestAsk), head(agent, longestAsk), head(user, longestAsk)}
			if e.Kind == session.ToolCall {
				about[0] = e.Tool + " " + about[0]
			}
			for _, text := range about {
				if text = strings.ReplaceAll(text, s, " "); len(words(text)) > 0 {
					u.asks = append(u.asks, text)
				}
			}
			if len(words(strings.Join(u.asks, " "))) < 3 {
				u.asks = nil
				continue // nothing to ask with
			}
			return u, true
		}
	}
	return u, false
}

func head(s string, n int) string { return strings.ToValidUTF8(s[:min(len(s), n)], "") }

// kindOf says what a string is.
func kindOf(s string) Kind {
	switch {
	case strings.HasPrefix(s, "-"):
		return Flag
	case numberRE.MatchString(s):
		return Number
	case digestRE.MatchString(s):
		return Digest
	case errorRE.MatchString(s):
		return Failure
	case strings.ContainsAny(s, `/\`) || fileRE.MatchString(s):
		return Path
	}
	return Name
}

// repeated reports a call that was made before and whose result was evicted. Any line of the result
// that few events have is an answer.
func (p *played) repeated(u use, calls map[string]int, evicted map[int]bool) (use, bool) {
	e := &p.events[u.at]
	if e.Kind != session.ToolCall {
		return u, false
	}
	before, ok := calls[doing(e)]
	if !ok {
		return u, false
	}
	for i := before + 1; i < min(u.at, before+20); i++ {
		result := &p.events[i]
		if result.Kind != session.ToolResult || result.Call != p.events[before].Call || !evicted[i] {
			continue
		}
		const least, few, most = 20, 3, 100
		for line := range strings.SplitSeq(result.Text, "\n") {
			if line = strings.TrimSpace(line); len(line) < least || len(u.values) == most || strings.Contains(e.Text, line) {
				continue
			}
			having := 0
			for k := 0; k < u.at && having <= few; k++ {
				if strings.Contains(p.events[k].Text, line) {
					having++
				}
			}
			if having <= few {
				u.values = append(u.values, line)
			}
		}
		u.kind, u.asks, u.cost = Repeat, []string{head(doing(e), 2*longestAsk)}, p.tokens[i]
		return u, len(u.values) > 0 && len(words(u.asks[0])) > 0
	}
	return u, false
}

// ask stores the transcript as far as it has come at each use, and asks under every condition.
func (p *played) ask(ctx context.Context, trace int, uses []use) (probes []Probe, err error) {
	t, _, err := corpus.NewThrowaway(ctx, nil, corpus.Options{Now: ticking()})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	stored := 0
	var pointers []string
	for _, u := range uses {
		question := strings.Join(u.asks, "\n")
		if stored < u.at {
			in := memory.AppendEventsInput{Session: "replay", Client: "eval", Agent: "eval", Seal: true}
			for ; stored < u.at; stored++ {
				e := &p.events[stored]
				in.Events = append(in.Events, memory.AppendedEvent{Kind: string(e.Kind), Tool: e.Tool, Text: e.Text})
			}
			added, err := t.Memory.AppendEvents(ctx, in)
			if err != nil {
				return nil, err
			}
			for _, id := range added.Events {
				pointers = append(pointers, facts.Address{Type: facts.PointSAM, Path: added.Session, Version: id}.Ref())
			}
		}
		var seen []string
		for _, i := range u.has {
			seen = append(seen, pointers[i])
		}
		evicted := p.evictedLines(u)
		for _, condition := range []string{Truncation, Summary, Grep, OneHop, TwoHops} {
			began := time.Now()
			var texts []string
			switch condition {
			case Truncation:
				texts = grep(u.cut, question, budget)
			case Summary:
				texts = u.summary
			case Grep:
				texts = grep(evicted, question, budget)
			default:
				in := memory.RecallInput{Queries: u.asks, Session: "replay", Seen: seen, Budget: budget, Hops: 1}
				if condition == TwoHops {
					in.Hops = 2
				}
				answer, err := t.Memory.Recall(ctx, in)
				if err != nil {
					return nil, err
				}
				for _, item := range answer.Items {
					texts = append(texts, item.Text)
				}
			}
			probe := Probe{
				Trace: trace, Window: u.window, Cycle: u.cycle, Condition: condition, Kind: u.kind, Question: question, Needle: u.values[0],
				Milliseconds: float64(time.Since(began).Microseconds()) / 1000,
			}
			for i, text := range texts {
				size := facts.Tokens(text)
				probe.Tokens += size
				if slices.ContainsFunc(u.values, func(v string) bool { return strings.Contains(text, v) }) {
					probe.Exact = true
					probe.Useful += size
					probe.Rank = cmp.Or(probe.Rank, i+1)
				}
			}
			if probe.Exact {
				probe.Avoided = u.cost
			}
			probes = append(probes, probe)
		}
	}
	return probes, nil
}

// fillReplay sums up by window and kind.
func (r *Report) fillReplay(probes []Probe, windows []int) {
	for _, size := range windows {
		for _, kind := range []Kind{"", Path, Digest, Failure, Flag, Number, Name, Repeat} {
			for _, condition := range []string{Truncation, Summary, Grep, OneHop, TwoHops} {
				var list []Probe
				for _, p := range probes {
					if p.Window == size && p.Condition == condition && (p.Kind == kind || kind == "" && p.Kind != Repeat) {
						list = append(list, p)
					}
				}
				if len(list) == 0 {
					continue
				}
				row := summarizeProbes(list, 1)
				row.Condition, row.Kind, row.Window = condition, kind, size
				for _, p := range list {
					row.Avoided += p.Avoided
				}
				r.Rows = append(r.Rows, row)
			}
		}
	}
	for _, p := range probes {
		if !p.Exact && p.Condition == OneHop {
			r.Missed = append(r.Missed, p)
		}
	}
}
