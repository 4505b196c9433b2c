package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"engram/internal/atomicfile"
)

// load reads a state file of the hooks; the zero value if the file is missing or damaged.
// The state is local and can be derived again.
func load[T any](p Place, name string) (state T) {
	b, err := os.ReadFile(p.state(name))
	if err != nil || json.Unmarshal(b, &state) != nil {
		return *new(T)
	}
	return state
}

// save writes a state file unless it is unchanged.
func save(p Place, name string, state any) error {
	b, err := json.Marshal(state)
	if err != nil {
		return err
	}
	path := p.state(name)
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, b) {
		return nil
	}
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), atomicfile.Write(path, b, 0o644, false))
}

const (
	seenFile   = "seen.json"
	seenFormat = 1
	toldFile   = "agents.json"
	toldFormat = 1
	recordFile = "installed.json"
	runLock    = "run.lock"
)

// seen is what the hooks of a repository remember between runs.
type seen struct {
	Format  int      `json:"format"`
	Branch  string   `json:"branch"`
	Settled refState `json:"settled"` // everything in this state is settled
	// Evidence reports whether a fact points at a file of the repository.
	Evidence bool `json:"evidence"`
	// Bound reports whether a fact is bound to a code branch: code branches move more
	// often than the memory branch.
	Bound bool `json:"bound"`
	// Late counts consecutive runs that exceeded their time. Until Rest, hooks do not try
	// again.
	Late int       `json:"late,omitempty"`
	Rest time.Time `json:"rest,omitzero"`
	// Problem is the last error, and Told when it was printed: once a day.
	Problem string    `json:"problem,omitempty"`
	Told    time.Time `json:"told,omitzero"`
}

// readSeen returns a new state if there is none for this branch.
func readSeen(p Place, branch string) seen {
	if s := load[seen](p, seenFile); s.Format == seenFormat && s.Branch == branch {
		return s
	}
	return seen{Format: seenFormat, Branch: branch}
}

func (s seen) write(p Place) error { return save(p, seenFile, s) }

// restAfter returns how long hooks rest after n consecutive runs that exceeded their time:
// ten minutes, doubled each time, up to a day.
func restAfter(n int) time.Duration {
	return min(10*time.Minute<<min(n-1, 10), 24*time.Hour)
}

const maxSessions = 50

// told is what sessions of agents were told, and whether stop hooks were late. Without it
// a session is told again.
type told struct {
	Format   int           `json:"format"`
	Sessions []toldSession `json:"sessions"` // the most recent last
	// Late counts consecutive stops that exceeded their time; until Rest, stop hooks leave
	// upkeep to other hooks.
	Late int       `json:"late,omitempty"`
	Rest time.Time `json:"rest,omitzero"`
}

type toldSession struct {
	Session  string `json:"session"`
	Revision string `json:"revision"` // of the memory, as of the session's last brief
}

func readTold(p Place) told {
	if t := load[told](p, toldFile); t.Format == toldFormat {
		return t
	}
	return told{Format: toldFormat}
}

func (t told) write(p Place) error { return save(p, toldFile, t) }

func (t told) has(session, revision string) bool {
	for _, s := range t.Sessions {
		if s.Session == session {
			return s.Revision == revision
		}
	}
	return false
}

// note records what a session was told, if the session has a name of reasonable length.
func (t told) note(p Place, session, revision string) {
	if session == "" || len(session) > maxLine || t.has(session, revision) {
		return
	}
	list := make([]toldSession, 0, len(t.Sessions)+1)
	for _, s := range t.Sessions {
		if s.Session != session {
			list = append(list, s)
		}
	}
	list = append(list, toldSession{session, revision})
	t.Sessions = list[max(0, len(list)-maxSessions):]
	_ = t.write(p) // after an error the session is told again
}

// record is what an installation remembers: for Status, and to remove a folder that the
// installation created. The lines in the hooks say the rest.
type record struct {
	Files      []string `json:"files"`
	MadeFolder string   `json:"made_folder,omitempty"`
}
