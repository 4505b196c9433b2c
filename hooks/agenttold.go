package hooks

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"
)

const (
	toldFile    = "agents.json"
	toldFormat  = 1
	maxSessions = 50
)

// told is what sessions of agents were told, and how stops went. It is derived
// and local: without it a session is told again.
type told struct {
	Format   int           `json:"format"`
	Sessions []toldSession `json:"sessions"` // the last one told last
	// Late counts how often in a row a stop took too long, Rest is until when stops
	// leave upkeep to others.
	Late int       `json:"late,omitempty"`
	Rest time.Time `json:"rest,omitzero"`
}

type toldSession struct {
	Session  string `json:"session"`
	Revision string `json:"revision"` // of the memory that its last brief reflects
}

func readTold(p Place) (t told) {
	b, err := os.ReadFile(p.state(toldFile))
	if err != nil || json.Unmarshal(b, &t) != nil || t.Format != toldFormat {
		return told{Format: toldFormat}
	}
	return t
}

func (t told) has(session, revision string) bool {
	for _, s := range t.Sessions {
		if s.Session == session {
			return s.Revision == revision
		}
	}
	return false
}

// note remembers what a session was told, if it has a name of reasonable length.
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
	_ = t.write(p) // else it is told again
}

func (t told) write(p Place) error {
	b, err := json.Marshal(t)
	if err != nil {
		return err
	}
	path := p.state(toldFile)
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), replaceFile(path, b, 0o644))
}
