package version

import (
	"context"
	"iter"

	"engram/facts"
)

// State is one content that the file of a key had.
type State struct {
	Key  facts.Key
	Blob string // the object's name, 40 hex digits
	Tip  bool   // whether the file has it in the revision asked for
	Data []byte // may be kept
}

// Relation says how two revisions are related.
type Relation int

// The relations of a revision "from" to a revision "to".
const (
	Ahead    Relation = iota // to contains from: catch up
	Behind                   // from contains to: nothing to do
	Diverged                 // history was rewritten, or from is gone
)

// Source is the branch as the index reads it. Its methods may be called from several
// goroutines.
type Source interface {
	// States yields every state that the file of any key ever had in the history of to,
	// each once, all states of one key in a row. It omits files whose path is not a key,
	// but not content that is not a fact. total is how many follow.
	States(ctx context.Context, to string) (states iter.Seq2[State, error], total int, err error)
	// Changes returns the states that came between from and to, without Data, in any
	// order; a key whose file is gone in to also has a state with an empty Blob. Unless
	// the relation is Ahead there are none.
	Changes(ctx context.Context, from, to string) ([]State, Relation, error)
	// Read returns the content of a blob.
	Read(ctx context.Context, blob string) ([]byte, error)
}

// SourceError is an error of the Source; it says nothing about the state of the index.
type SourceError struct{ Err error }

func (e *SourceError) Error() string { return e.Err.Error() }

func (e *SourceError) Unwrap() error { return e.Err }
