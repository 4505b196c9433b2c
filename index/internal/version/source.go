package version

import (
	"context"
	"iter"

	"engram/facts"
)

// State is one state of the file of one key: the bytes that stood there.
type State struct {
	Key  facts.Key
	Blob string // the object's name, 40 hex digits
	Tip  bool   // whether it stands there in the revision asked for
	Data []byte // may be kept
}

// Relation says how two revisions lie to each other.
type Relation int

// The relations of a revision "from" to a revision "to".
const (
	Ahead    Relation = iota // to contains from: catch up
	Behind                   // from contains to: nothing to do
	Diverged                 // history was rewritten, or from is gone
)

// Source is the branch, as far as the index needs it. Its methods may be
// called from several goroutines.
type Source interface {
	// States yields every state that any key's file ever had in the history of
	// to, each once, all states of one key in a row. Files whose path is no key
	// are left out; content that is no fact is not. total is how many come.
	States(ctx context.Context, to string) (states iter.Seq2[State, error], total int, err error)
	// Changes returns the states that came between from and to, without Data,
	// in any order; a key whose file is gone in to comes with an empty Blob as
	// well. Where the relation is not Ahead there are none.
	Changes(ctx context.Context, from, to string) ([]State, Relation, error)
	// Read returns the content of a blob.
	Read(ctx context.Context, blob string) ([]byte, error)
}

// SourceError is an error of the Source, which says nothing about the index.
type SourceError struct{ Err error }

func (e *SourceError) Error() string { return e.Err.Error() }

func (e *SourceError) Unwrap() error { return e.Err }
