// Package query says what is looked for in an index, and decides which documents of
// a segment a query is about. It does not score them.
package query

import (
	"strings"
	"time"

	"engram/facts"
	"engram/index/internal/terms"
	"engram/index/internal/version"
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

// term is a term of a field that a document has or lacks.
type term struct{ field, text string }

// Filters reports whether the query requires anything of a hit beside its text.
func (q Query) Filters() bool { return len(q.filterTerms()) > 0 || len(q.Pointing) > 0 }

// filterTerms are the filter terms that every hit has.
func (q Query) filterTerms() (terms []string) {
	for _, f := range []struct{ kind, value string }{
		{version.ByScope, q.ScopePath()},
		{version.ByKey, strings.Trim(q.KeyPrefix, "/")},
		{version.ByKind, string(q.Kind)},
		{version.ByType, string(q.Type)},
		{version.ByReach, string(q.Reach)},
		{version.ByAgent, q.Agent},
		{version.ByID, q.ID},
		{version.ByLineage, q.Lineage},
		{version.ByHash, strings.ToLower(q.Hash)},
	} {
		if f.value != "" {
			terms = append(terms, version.FilterTerm(f.kind, f.value))
		}
	}
	for _, tag := range q.Tags {
		if tag != "" {
			terms = append(terms, version.FilterTerm(version.ByTag, strings.ToLower(tag)))
		}
	}
	if q.Shared {
		terms = append(terms, version.IsShared)
	}
	if q.HasPointer {
		terms = append(terms, version.HasPointer)
	}
	return terms
}

// terms are the terms that every hit has, and those that none has.
func (q Query) terms() (required, excluded []term) {
	filters := q.filterTerms()
	if q.AsOf.IsZero() && q.Past == nil {
		filters = append(filters, version.OnTip)
	}
	for _, text := range filters {
		required = append(required, term{version.FilterField, text})
	}
	for _, text := range q.Must {
		for _, word := range terms.Distinct(text) {
			required = append(required, term{version.TextField, word})
		}
	}
	for _, text := range q.MustNot {
		for _, word := range terms.Distinct(text) {
			excluded = append(excluded, term{version.TextField, word})
		}
	}
	for _, prefix := range q.Without {
		excluded = append(excluded, term{version.FilterField, version.FilterTerm(version.ByKey, prefix)})
	}
	if !q.Ephemeral {
		excluded = append(excluded, term{version.FilterField, version.IsEphemeral})
	}
	return required, excluded
}

func (q Query) ScopePath() string { return strings.Trim(q.Scope, "/") }

// Moment is the time that the question is about.
func (q Query) Moment() time.Time {
	if q.AsOf.IsZero() {
		return q.Now
	}
	return q.AsOf
}

const defaultLimit = 10

// MaxHits is how many hits the query wants.
func (q Query) MaxHits() int {
	if q.Limit <= 0 {
		return defaultLimit
	}
	return q.Limit
}

// NewHit is what a caller sees of a document.
func NewHit(d version.ID, score float64) (Hit, error) {
	key, err := facts.ParseKey(d.Key)
	if err != nil {
		return Hit{}, err
	}
	return Hit{Key: key, Blob: d.Blob, Window: d.Window, Tip: d.Tip, Score: score}, nil
}
