package index

import (
	"context"
	"iter"
	"log/slog"
	"time"

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

// Options are the settings of an index; the zero value is the default.
type Options struct {
	// Progress is told how many of how many states are indexed, during a
	// rebuild and a long catch-up, from one goroutine at a time.
	Progress func(done, total int)
	Logger   *slog.Logger // nil discards
	// Concepts names what a text is about, such as service:gateway; nil: nothing
	// is named. ConceptsVersion is to change whenever its answers do.
	Concepts        func(text string) []string
	ConceptsVersion int
	Embedder        Embedder // nil: no vectors
	// Embedding is told what Embed is doing, and how much of how much is done.
	Embedding func(task string, done, total int)
}

// Query says what to look for. The zero value of a field does not filter.
type Query struct {
	Text      string   // words; operators and quotes are words too
	All       bool     // without words and filters: everything, where it is nothing otherwise
	Must      []string // texts of which every word has to occur
	MustNot   []string // texts of which no word may occur
	Scope     string   // this scope and its sub-scopes
	Kind      facts.Kind
	Type      facts.Type
	Reach     facts.Reach
	Agent     string
	Tags      []string // all of them
	KeyPrefix string   // whole segments of a key
	Without   []string // the same, of keys that are left out
	ID        string
	Lineage   string
	Hash      string // facts.ContentHash of a claim
	// HasPointer finds facts with a pointer into a file of the repository, Pointing
	// those that point at any of these files or folders.
	HasPointer bool
	Pointing   []string
	// AsOf, where set, finds the versions that held at that moment, whether or
	// not they still stand. Otherwise those on the tip whose window holds Now.
	AsOf time.Time
	Now  time.Time
	// Shared leaves out what is not meant for other repositories (Shared). Within,
	// where not empty, are the scopes of which a hit has to be in one, or below it.
	Shared bool
	Within []string
	// Ephemeral includes ephemeral facts.
	Ephemeral bool
	// Access says which scopes whoever asks may see; nil: all.
	Access []ScopeRule
	// Branch is the code branch that is asked on. Facts that are bound to another
	// are left out, and so are those at the keys that facts bound to this one are
	// for. "" is no branch, EveryBranch all of them.
	Branch   string
	shadowed []string // keys of which the latter are, see View.onBranch
	Limit    int      // at most this many hits; 0 means 10
	// Past, where set, is what was known at another revision: the answer is the
	// one that an index of that revision would have given.
	Past Past
}

// Past says how the version of a key with a blob stood at an earlier revision:
// nil for as it stands now; known is false where it was not in the history yet.
type Past func(key, blob string) (stood *Standing, known bool, err error)

// Standing is how a version stood.
type Standing struct {
	Window facts.Window
	Tip    bool
}

// Hit is one version found. Its content is read from git by Blob.
type Hit struct {
	Key    facts.Key
	Blob   string
	Window facts.Window // as all versions of the key together have it
	Tip    bool
	Score  float64 // BM25; 0 without Text
}

// NoIndex is the reason of a rebuild that was the first build.
const NoIndex = "there was no index"

// Report says what a look at the index did and reflects.
type Report struct {
	Revision string        // the revision the index reflects now
	Rebuilt  bool          // whether it was built anew
	Reason   string        // why, for a person, where Rebuilt
	Indexed  int           // states written
	Skipped  int           // states that are no fact, since the last rebuild
	Took     time.Duration // catching up or rebuilding; 0 where nothing was to do
}
