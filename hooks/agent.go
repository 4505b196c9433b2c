package hooks

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"engram/memory"
)

// AgentTime is how long a hook of an agent may take by default. The whole process should
// take less than 300 ms, of which starting and ending it takes about 30 ms.
const AgentTime = 180 * time.Millisecond

// endTime is that of the hooks before and after a compaction and at the end of a session, which
// take time anyway. A session that was compacted and is told nothing has lost what it knew.
const endTime = 900 * time.Millisecond

const (
	agentGrace = 40 * time.Millisecond // how long a hook waits after the cancellation of its work
	agentAudit = 20                    // facts that a stop hook audits; more are left to other hooks
)

// AgentMemory is what hooks of agents need of a memory.
type AgentMemory interface {
	settler
	Brief(context.Context, memory.BriefInput) (memory.BriefResult, error)
	ReadyBrief(context.Context, memory.BriefInput) (string, error)
	Pack(context.Context, memory.PackInput) (memory.PackResult, error)
	SealSession(ctx context.Context, id string, most int64) error
	ReadySession(ctx context.Context, id string, most int64) (left bool, err error)
	SealSessions(ctx context.Context, most int64) error
}

// AgentOptions say which event happened in which client.
type AgentOptions struct {
	Event     string
	Client    string
	Dir       string    // where to look for the repository; "": in the folder that the client names, or here
	Stdin     io.Reader // the client's event; it need not end and may be empty
	Stdout    io.Writer // for the answer to the client
	Now       func() time.Time
	Time      time.Duration // to work in; 0 means AgentTime
	Log       *slog.Logger  // the reason if nothing is said; nil discards
	Configure func(Place) (AgentSettings, error)
	Scanner   memory.Scanner
	// SealApart starts a process that seals the journal of a session, or with "" those that
	// others have left; nil: the hook seals, as far as it has time.
	// It first reads what the transcript gains after the hook.
	SealApart func(p Place, session, transcript string)
	// Open opens the memory of a repository; done closes it. Open is called only if there
	// is something to do.
	Open func(ctx context.Context, p Place, event string) (m AgentMemory, done func(), err error)
}

// AgentSettings are the settings of a repository that hooks of agents need.
type AgentSettings struct {
	Branch  string // of the memory
	Trunk   string // of the code; "" finds it
	Capture bool   // sessions are kept
}

// agentHook is one run of a hook of an agent.
type agentHook struct {
	AgentOptions
	event         agentEvent
	place         Place
	branch, trunk string
	session       string // that was captured
	sealed        <-chan bool
	opening       <-chan opened
	begins        bool // the memory was fetched, but its branch does not exist here yet
}

// silence is the reason for an empty answer that is not a failure.
type silence string

func (s silence) Error() string { return string(s) }

// Agent runs a hook of an agent. It never fails: it omits whatever it cannot do, or cannot
// do in time. It writes once or not at all, so the client never gets a partial answer.
//
//  1. session-start: the brief, and the state of the task. After a compaction also what left
//     the window, and how to recall it. In a fresh clone the memory branch is created first.
//  2. pre-compact: what a summary should keep, if the client accepts that.
//  3. stop: audit what was written, and report a new conflict in one line.
//
// All events first capture what the transcript of the session has gained.
func Agent(ctx context.Context, o AgentOptions) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	began := time.Now()
	h := &agentHook{AgentOptions: o, event: listen(ctx, o.Stdin)}
	if h.Time <= 0 {
		if h.Time = AgentTime; o.Event == End || o.Event == PreCompact || o.Event == SessionStart && h.compacted() {
			h.Time = endTime
		}
	}
	ctx, cancel := context.WithDeadline(ctx, began.Add(h.Time))
	defer cancel()
	late := time.After(time.Until(began.Add(h.Time + agentGrace)))
	said := inBackground(func() []byte {
		text, err := h.work(ctx)
		if err != nil {
			o.Log.Debug("nothing is said", "event", o.Event, "error", err)
		}
		return reply(o.Client, o.Event, text)
	}, func(fault any) []byte {
		o.Log.Debug("internal error", "fault", fmt.Sprint(fault))
		return nil
	})
	select {
	case answer := <-said:
		if _, err := o.Stdout.Write(answer); err != nil {
			o.Log.Debug("the client does not listen", "error", err)
		}
	case <-late:
		o.Log.Debug("time was up", "event", o.Event)
		return
	}
	if h.Event == SessionStart && h.session != "" && !h.compacted() { // which was sealed a moment ago
		if h.SealApart != nil {
			h.SealApart(h.place, "", "")
		} else {
			h.sealLater(ctx)
		}
	}
	if h.sealed != nil {
		done := false
		select {
		case done = <-h.sealed:
		case <-late:
			o.Log.Debug("time was up for sealing", "event", o.Event)
		}
		if !done && (o.Event == PreCompact || o.Event == End) && h.SealApart != nil {
			h.SealApart(h.place, h.session, "")
		}
	}
}

// work returns the text of the answer; "" for none.
func (h *agentHook) work(ctx context.Context) (string, error) {
	var err error
	if h.place, err = Locate(h.folder(), nil); err != nil {
		return "", err
	}
	settings, err := h.Configure(h.place)
	if err != nil {
		return "", err
	}
	h.branch, h.trunk = settings.Branch, settings.Trunk
	if valueOf(h.place, "refs/heads/"+h.branch) == "" {
		if h.begins = fetched(h.place, h.branch); !h.begins {
			return "", silence("there is no memory here: no branch " + h.branch + ", and none was fetched")
		}
	}
	if h.Event == SessionStart && takes(h.Client, h.Event) {
		h.opening = h.openInBackground(ctx) // while the session is captured
	}
	if settings.Capture {
		h.capture(ctx)
	}
	if !takes(h.Client, h.Event) && h.Event != Stop { // which also has work to do
		return "", silence("the client takes nothing at this event")
	}
	switch h.Event {
	case SessionStart:
		return h.start(ctx)
	case PreCompact:
		return keepInSummary, nil
	case Stop:
		return h.upkeep(ctx)
	}
	return "", nil
}

// folder returns the folder of the session.
func (h *agentHook) folder() string {
	if h.Dir != "" {
		return h.Dir
	}
	for _, dir := range h.event.folders {
		if info, err := os.Stat(dir); filepath.IsAbs(dir) && err == nil && info.IsDir() {
			return dir
		}
	}
	return "."
}

// keepInSummary tells the model that summarizes a session what to keep. After the
// compaction the brief is given again.
const keepInSummary = `Keep in the summary what this session found out about the code base and has not yet
committed to the shared memory (engram): decisions, constraints, causes of bugs, and
the keys of facts that it used. Say which of it is still to be committed with engram.
`

// oneLine makes one line of a text that may come from anybody who can write to the branch.
func oneLine(text string) string { return cut(clean(text), maxLine) }
