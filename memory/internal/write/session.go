package write

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"
	"time"

	"engram/facts"
	"engram/memory/internal/capture"
	"engram/memory/internal/clone"
	"engram/session"
)

// Bounds of the link from a fact to the session that it was learnt in.
const (
	sessionLive = 10 * time.Minute // since something was captured of it
	tellTime    = 2 * time.Second
)

// clientOf is the client whose sessions an agent's name belongs to: the names by which
// clients introduce themselves over MCP.
var clientOf = map[string]string{
	"claude-code": "claude-code", "codex": "codex", "codex-mcp-client": "codex", "gemini": "gemini", "gemini-cli-mcp-client": "gemini", "opencode": "opencode",
}

// sessionFinder finds the sessions in which the facts of one commit were learnt.
type sessionFinder struct {
	m     *Writer
	live  map[string]clone.State // nil: not looked up yet
	found []foundSession         // by input
}

// foundSession is a session that was found for an input; the zero value means no session.
type foundSession struct{ id, agent, claim string }

func (m *Writer) newSessionFinder() *sessionFinder { return &sessionFinder{m: m} }

// of returns the session of an input:
//
//  1. The one that it names.
//  2. None, unless it states a fact.
//  3. The one that a client says it runs the commit in.
//  4. None, unless an agent states it, or a client runs it.
//  5. The session that runs in this work tree, if it is the only one that can be the
//     agent's: of the client that the agent's name is of, or of any client if that is not
//     known.
//
// The event of 3 and 5 is the last one of the session.
//
// Any failure is none: a fact does not wait for its session.
func (f *sessionFinder) of(in CommitInput) string {
	f.found = append(f.found, foundSession{})
	op := facts.Operation(in.Operation)
	if in.Session != "" || in.Agent == "" && in.Client == "" || op != "" && op != facts.OpAdd && op != facts.OpUpdate {
		return in.Session
	}
	within := ""
	if in.Within != "" {
		within = session.IDOf(in.Within)
	}
	if f.live == nil {
		f.live = f.running(within)
	}
	one := within
	if _, kept := f.live[within]; !kept {
		one = f.only(cmp.Or(in.Agent, in.Client))
	}
	if one == "" {
		return ""
	}
	f.found[len(f.found)-1] = foundSession{one, in.Agent, in.Claim}
	return facts.Address{Type: facts.PointSAM, Path: one, Version: f.live[one].Last}.Ref()
}

// only returns the one session that can be an agent's; "" if there is none, or several.
func (f *sessionFinder) only(agent string) (one string) {
	for id, state := range f.live {
		if !mayBeOf(agent, state.Header) {
			continue
		}
		if one != "" {
			return ""
		}
		one = id
	}
	return one
}

// running returns the sessions that run in this work tree, and the one within which this
// process runs.
func (f *sessionFinder) running(within string) map[string]clone.State {
	live := map[string]clone.State{}
	states, err := f.m.archive.States()
	if err != nil {
		f.m.Log.Debug("the session of a fact was not looked up", "error", err)
	}
	now, top := f.m.Moment(), filepath.Clean(f.m.WorkTree())
	for id, state := range states {
		here := !state.Ended && now.Sub(state.Activity).Abs() <= sessionLive && f.m.WorkTree() != "" && filepath.Clean(state.WorkTree) == top
		if state.Last != "" && (here || id == within) {
			live[id] = state
		}
	}
	return live
}

// mayBeOf reports whether a session can be an agent's. A client that is known has no facts
// of another one.
func mayBeOf(agent string, h session.Header) bool {
	client, known := clientOf[strings.ToLower(agent)]
	_, other := clientOf[strings.ToLower(h.Client)]
	return !known || !other || clientOf[strings.ToLower(h.Client)] == client
}

// tell adds to the sessions that were found which facts were learnt in them.
func (f *sessionFinder) tell(ctx context.Context, results []CommitResult) {
	for i, r := range results {
		s := f.found[i]
		if s.id == "" || r.Duplicate || r.Proposed || r.MemoryOp == string(facts.OpNone) {
			continue
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tellTime)
		_, err := f.m.capture.Append(ctx, capture.AppendInput{Session: s.id, Agent: s.agent, Events: []capture.AppendEvent{{
			Kind: string(session.SystemNote), Tags: []string{session.TagFact}, Facts: []string{r.Key},
			Text: cmp.Or(r.MemoryOp, string(facts.OpAdd)) + " " + r.Key + ": " + facts.FoldSpace(s.claim),
		}}})
		cancel()
		if err != nil {
			f.m.Log.Debug("a session was not told of its fact", "session", s.id, "error", err)
		}
	}
}
