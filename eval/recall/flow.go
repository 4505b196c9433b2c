package recall

import (
	"context"
	"fmt"
	"strings"

	"engram/session"
)

// flow has the events of real transcripts, which take the place of the made flood.
type flow struct {
	*played
	at int
}

// readFlow reads transcripts as one; where the flow of a trace begins follows from its number.
func readFlow(ctx context.Context, files []string, progress func(task string, done, total int)) (*played, error) {
	all := &played{}
	for i, file := range files {
		if progress != nil {
			progress("transcripts", i, len(files))
		}
		p, err := readPlayed(ctx, file)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		if p != nil {
			all.add(p)
		}
	}
	return all, nil
}

// source returns what fills the window from turn to turn: made lines, by what m is then, or the
// events of real transcripts, where it also puts the needles into what a tool printed.
func (m *maker) source(real *played, trace, traces int, planted []said) func(turn int) []said {
	if real == nil {
		return func(turn int) []said { return m.flood(turn) }
	}
	flow := real.beginOf(trace, traces)
	flow.bury(planted)
	return flow.next
}

// beginOf is the event at which the flow of a trace begins: all traces begin evenly spread.
func (p *played) beginOf(trace, traces int) *flow {
	return &flow{p, trace * len(p.events) / traces}
}

// turnTokens is how much of the flow is one step: as much as a made turn has.
const turnTokens = 3000

// next returns the next events of the flow, which goes on at its beginning after its end.
func (f *flow) next(turn int) (events []said) {
	for n := 0; n < turnTokens; {
		e, tokens := f.take()
		events = append(events, said{turn: turn, kind: string(e.Kind), tool: e.Tool, text: e.Text})
		n += tokens
	}
	return events
}

func (f *flow) take() (*session.Event, int) {
	i := f.at % len(f.events)
	f.at++
	return &f.events[i], f.tokens[i]
}

// bury puts the lines of needles into the middle of what real tools printed.
func (f *flow) bury(events []said) {
	const long = 2000
	for i := range events {
		if events[i].kind != string(session.ToolResult) {
			continue
		}
		for range f.events {
			e, _ := f.take()
			if e.Kind != session.ToolResult || len(e.Text) < long {
				continue
			}
			at := strings.IndexByte(e.Text[len(e.Text)/2:], '\n') + len(e.Text)/2 + 1
			events[i].tool, events[i].text = e.Tool, e.Text[:at]+events[i].text+"\n"+e.Text[at:]
			break
		}
	}
}
