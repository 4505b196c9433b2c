package events

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"time"

	"engram/index/internal/embedding"
	"engram/index/internal/fusion"
)

// Doc is one event as it is indexed.
type Doc struct {
	Session, Event                                string // Event is a ULID
	Turn                                          int
	At                                            time.Time
	Kind, Agent, Sub, Tool, Label, Branch, Client string
	Paths, Commits, Tags                          []string
	Supersedes                                    string // the event that it replaces
	// Text is what is searched, together with Paths. Of a long text the beginning
	// and the end count (maxHead, maxTail).
	Text string
	// Stored comes back with a hit, if a query asks for it.
	Stored []byte
}

// Source is what the index reads events from. Its methods may be called from several
// goroutines.
type Source interface {
	// Tips returns what each session is at: by its id an opaque name of its
	// content, such as a commit.
	Tips(ctx context.Context) (map[string]string, error)
	// Events yields what a session has at to and has not at from; "" is nothing. If
	// from does not lead to to, the error is ErrRewritten.
	Events(ctx context.Context, session, from, to string) iter.Seq2[Doc, error]
}

// ErrRewritten is the error of a Source whose session was rewritten, so that the index
// reads the whole session again.
var ErrRewritten = errors.New("the session was rewritten")

// Options are the settings of an index; the zero value is the default.
type Options struct {
	// Progress is told how many of how many sessions are indexed, from one
	// goroutine at a time.
	Progress func(done, total int)
	Logger   *slog.Logger // nil discards
	// Embedder makes the vectors of events, in Embed; nil: there are none. Those of Kinds have
	// one, of the text that Meaning makes of what is stored with the event; "" is none.
	Embedder embedding.Embedder
	Kinds    []string
	Meaning  func(stored []byte) string
	// Embedding is told what Embed is doing, and how much of how much is done.
	Embedding func(task string, done, total int)
}

// Report says what a call did.
type Report struct {
	Rebuilt bool          // whether the index was built from nothing
	Reason  string        // why it was Rebuilt, for a person
	Indexed int           // events written
	Took    time.Duration // catching up or rebuilding; 0 if there was nothing to do
}

// Stats says what an index consists of.
type Stats struct {
	Events, Sessions, Segments int
	Bytes                      int64 // on disk
}

// Query says what to look for. The zero value of a field does not filter.
type Query struct {
	Text string // words; operators and quotes are words too
	// Exact are texts that must be in the event, whatever its score: all the words
	// and identifiers of each, in any order. One that is a single word also finds
	// longer words that begin with it, such as the full name of a commit.
	Exact []string
	// AtMost is how many events may have the only one of Exact: if there are more, there are no hits,
	// which is known without looking further. 0: any number.
	AtMost int
	// Any of each is enough. Agents also finds sub-agents.
	Sessions, Kinds, Agents, Tools, Clients []string
	Path                                    string // events that touch this file, or one in this folder
	Branch                                  string
	Commit                                  string   // the first 7 or more digits
	Tags                                    []string // all of them
	WithoutLabels                           []string
	Reader                                  string    // an agent; its own events are there whatever their labels
	Since, Until                            time.Time // at Since or later, and before Until
	Limit, Offset                           int       // Limit 0 means 10
	Newest                                  bool      // by time; so is a query without Text
	// Near also finds events whose vectors are near that of Text, if there are vectors. It
	// does nothing for a query with Exact, or for the Newest.
	Near bool
	// Uncounted leaves Total 0 where words are looked for and counting takes time of its own.
	Uncounted bool
	// WithStored fills Stored and Superseded of the hits.
	WithStored bool
}

// Hit is an event found.
type Hit struct {
	Session, Event string
	Turn           int
	At             time.Time
	Kind           string
	Score          float64 // BM25; 0 without Text, and for what only its vector found
	Places         []Place // where words and vectors put it; none without Text
	Stored         []byte  // of its Doc
	Superseded     bool    // another event replaces it
}

// Place is where words or vectors put an event.
type Place = fusion.Placed

// placed is a hit with its place in the index.
type placed struct {
	Hit
	segment int // of those that were searched
	number  uint32
}

// Answer is what a search found.
type Answer struct {
	Hits  []Hit // best first; equal scores by time, the newest first
	Total int   // events that match, whatever Limit and Offset
	// Compared: vectors took part. Pending is about how many events have none yet; it is
	// counted for a query for what is Near.
	Compared bool
	Pending  int
	// Behind: the index does not reflect all that there is. Missing are the
	// sessions that it does not reflect in full.
	Behind  bool
	Missing []string
	Report  Report
}
