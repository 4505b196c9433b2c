package hooks

import (
	"context"
	"fmt"
	"slices"
	"time"

	"engram/memory"
)

// briefAgain is how many tokens the brief has in a session that goes on, which needs room for
// what left its window.
const briefAgain = 400

// goesOn reports a session that begins again, maybe with less in its window.
func (h *agentHook) goesOn() bool { return h.compacted() || h.event.source == "resume" }

// compacted reports a session that begins again because its client has compacted its window.
func (h *agentHook) compacted() bool { return h.event.source == "compact" }

// opened is a memory that was opened for a hook.
type opened struct {
	m    AgentMemory
	done func()
	err  error
}

// openInBackground opens the memory.
func (h *agentHook) openInBackground(ctx context.Context) <-chan opened {
	return inBackground(func() opened {
		m, done, err := h.Open(ctx, h.place, h.Event)
		return opened{m, done, err}
	}, func(fault any) opened { return opened{err: fmt.Errorf("internal error: %v", fault)} })
}

// start returns what the agent should know: the brief, unless its session was told already, and
// what left the window. Neither waits for the other: if time is up, it returns what there is.
func (h *agentHook) start(ctx context.Context) (string, error) {
	looking := inBackground(func() []string { return h.changedFiles(ctx) }, func(fault any) []string {
		h.Log.Debug("internal error", "fault", fmt.Sprint(fault))
		return nil
	})
	o := <-h.opening
	if o.err != nil {
		return "", o.err
	}
	if h.begins { // a fresh clone: the branch starts at the fetched one
		if _, err := o.m.Settle(ctx, memory.SettleInput{Budget: h.Time / 4, Most: agentAudit}); err != nil {
			o.done()
			return "", err
		}
	}
	window := inBackground(func() string { return h.window(ctx, o.m) }, func(fault any) string {
		h.Log.Debug("internal error", "fault", fmt.Sprint(fault))
		return ""
	})
	briefing := inBackground(func() said { return h.brief(ctx, o.m, <-looking) }, func(fault any) said {
		return said{err: fmt.Errorf("internal error: %v", fault)}
	})
	var brief said
	rest, waiting := "", 2
	for waiting > 0 {
		select {
		case brief = <-briefing:
			briefing, waiting = nil, waiting-1
		case rest = <-window:
			window, waiting = nil, waiting-1
		case <-ctx.Done(): // what still runs ends with the process
			if waiting = 0; briefing != nil {
				brief.err = ctx.Err()
			}
		}
	}
	if briefing == nil && window == nil {
		o.done()
	}
	return h.told(brief, rest)
}

// said is a brief as text, or why there is none.
type said struct {
	text, revision string
	err            error
}

// told returns a brief with what left the window, and notes that the session was told the brief.
func (h *agentHook) told(brief said, rest string) (string, error) {
	if brief.err == nil {
		readTold(h.place).note(h.place, h.event.session, brief.revision)
	}
	switch {
	case rest == "" && brief.err != nil:
		return "", brief.err
	case rest == "":
		return brief.text, nil
	case brief.err != nil:
		h.Log.Debug("no brief", "error", brief.err)
		return rest + "\n", nil
	}
	return brief.text + "\n" + rest + "\n", nil
}

// brief returns the brief, unless the session was told it already. After a compaction it is the
// one that was made ready before, if nothing has changed since.
func (h *agentHook) brief(ctx context.Context, m AgentMemory, files []string) (s said) {
	began := time.Now()
	in := memory.BriefInput{Files: files, Patience: h.Time * 2 / 5}
	if h.goesOn() {
		in.Budget = briefAgain
	}
	if h.compacted() {
		s.revision = valueOf(h.place, "refs/heads/"+h.branch)
		if s.text, s.err = m.ReadyBrief(ctx, in); s.text != "" {
			s.text += "\n"
		}
	} else {
		var r memory.BriefResult
		if r, s.err = m.Brief(ctx, in); s.err == nil && !r.Empty() {
			s.text, s.revision = r.Text(), r.Revision
		}
	}
	h.Log.Debug("brief", "revision", s.revision, "took", time.Since(began), "error", s.err)
	switch {
	case s.err != nil:
	case s.text == "":
		s.err = silence("the memory has nothing to tell")
	case h.event.source == "resume" && h.Client != OpenCode && readTold(h.place).has(h.event.session, s.revision): // OpenCode keeps none of it
		s.err = silence("the session goes on, and was told")
	}
	return s
}

// window returns the state of the task, and what left the window; "" if there is nothing.
func (h *agentHook) window(ctx context.Context, m AgentMemory) string {
	began := time.Now()
	in := memory.PackInput{Session: h.session, WithoutBrief: true, Left: memory.LeftNone}
	switch {
	case h.session == "": // it is not kept
	case h.compacted():
		in.Left = memory.LeftAll
	case h.event.source == "resume":
		in.Left = memory.LeftCompacted
	}
	ctx, cancel := context.WithTimeout(ctx, h.Time*2/3)
	defer cancel()
	r, err := m.Pack(ctx, in)
	h.Log.Debug("window", "session", h.session, "markers", len(r.Markers), "tokens", r.Tokens, "took", time.Since(began), "error", err)
	if err != nil || r.Empty() {
		return ""
	}
	return r.Text()
}

// looked are the changed files that were found before a compaction: git takes its time to find
// them, and the session goes on a moment later.
type looked struct {
	Session string    `json:"session"`
	At      time.Time `json:"at"`
	Files   []string  `json:"files"`
}

const (
	lookedFile = "changed.json"
	lookedFor  = 5 * time.Minute // how long they are used
)

// changedFiles returns the files that somebody works on.
func (h *agentHook) changedFiles(ctx context.Context) []string {
	began := time.Now()
	if k := load[looked](h.place, lookedFile); h.compacted() && h.event.session != "" && k.Session == h.event.session && began.Sub(k.At).Abs() < lookedFor {
		return k.Files
	}
	files := ChangedFiles(ctx, h.place, h.branch, h.trunk, h.Time/2)
	h.Log.Debug("changed files", "files", len(files), "took", time.Since(began))
	return files
}

// makeReady looks for changed files before a compaction, and makes the brief ready that is told
// after it. Without it that takes longer.
func (h *agentHook) makeReady(ctx context.Context, m AgentMemory) {
	began := time.Now()
	files := h.changedFiles(ctx)
	if len(h.event.session) > maxLine || h.event.session == "" || ctx.Err() != nil {
		return
	}
	err := save(h.place, lookedFile, looked{h.event.session, began, slices.Clone(files)})
	if err == nil {
		_, err = m.ReadyBrief(ctx, memory.BriefInput{Files: files, Budget: briefAgain, Patience: h.Time * 2 / 5})
	}
	h.Log.Debug("made ready", "files", len(files), "took", time.Since(began), "error", err)
}
