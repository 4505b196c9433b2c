package compat

import (
	"slices"
	"sync"
	"time"
)

// Bounds of what a server remembers of sessions.
const (
	maxSessions = 1000 // the one that began first is forgotten then
	maxSaved    = 200  // keys a session
)

// sessionBook is which sessions this server has seen begin, and what was saved in
// them. It is lost when the server ends; several goroutines may use it.
type sessionBook struct {
	now func() time.Time

	mu   sync.Mutex
	open []*session // by when they began
}

// session is what is known of one.
type session struct {
	ID        string     `json:"session_id"`
	StartedAt *time.Time `json:"started_at" jsonschema:"null: this server did not see it begin"`
	Saved     []string   `json:"saved" jsonschema:"keys that this server saved in it"`
}

func newSessionBook(now func() time.Time) *sessionBook { return &sessionBook{now: now} }

// start notes that a session begins; one that goes on keeps when that was.
func (b *sessionBook) start(id string) session {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.find(id)
	if s.StartedAt == nil {
		at := b.now().UTC().Truncate(time.Millisecond)
		s.StartedAt = &at
	}
	return s.copy()
}

// saved notes a key that was saved in a session; a session "" is ignored.
func (b *sessionBook) saved(id, key string) {
	if id == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if s := b.find(id); !slices.Contains(s.Saved, key) && len(s.Saved) < maxSaved {
		s.Saved = append(s.Saved, key)
	}
}

// end forgets a session, and says what was known of it.
func (b *sessionBook) end(id string) session {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.find(id)
	b.open = slices.DeleteFunc(b.open, func(o *session) bool { return o == s })
	return s.copy()
}

// find returns a session, which it adds if it is not known yet.
func (b *sessionBook) find(id string) *session {
	for _, s := range b.open {
		if s.ID == id {
			return s
		}
	}
	if len(b.open) == maxSessions {
		b.open = b.open[1:]
	}
	s := &session{ID: id, Saved: []string{}}
	b.open = append(b.open, s)
	return s
}

func (s *session) copy() session {
	c := *s
	c.Saved = slices.Clone(s.Saved)
	return c
}
