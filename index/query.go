package index

import (
	"strings"
	"time"

	"engram/facts"
)

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

// filters returns the terms that every hit has.
func (q Query) filters() (terms []string) {
	add := func(kind, value string) {
		if value != "" {
			terms = append(terms, filterTerm(kind, value))
		}
	}
	add(byScope, q.scope())
	add(byKey, strings.Trim(q.KeyPrefix, "/"))
	add(byKind, string(q.Kind))
	add(byType, string(q.Type))
	add(byReach, string(q.Reach))
	add(byAgent, q.Agent)
	add(byID, q.ID)
	add(byLineage, q.Lineage)
	for _, tag := range q.Tags {
		add(byTag, strings.ToLower(tag))
	}
	add(byHash, strings.ToLower(q.Hash))
	if q.Shared {
		terms = append(terms, isShared)
	}
	if q.HasPointer {
		terms = append(terms, hasPointer)
	}
	return terms
}

func (q Query) scope() string { return strings.Trim(q.Scope, "/") }

// moment is the time that the question is about.
func (q Query) moment() time.Time {
	if q.AsOf.IsZero() {
		return q.Now
	}
	return q.AsOf
}

const defaultLimit = 10

// limit is how many hits the query wants.
func (q Query) limit() int {
	if q.Limit <= 0 {
		return defaultLimit
	}
	return q.Limit
}

// hitOf is what a caller sees of a document.
func hitOf(d docID, score float64) (Hit, error) {
	key, err := facts.ParseKey(d.Key)
	if err != nil {
		return Hit{}, err
	}
	return Hit{Key: key, Blob: d.Blob, Window: d.Window, Tip: d.Tip, Score: score}, nil
}
