// Package query says what is looked for in an index, and decides which documents of
// a segment a query is about. It does not score them.
package query

import (
	"strings"
	"time"

	"engram/facts"
	"engram/index/internal/version"
	"engram/internal/terms"
)

// Query says what to look for. The zero value of a field does not filter.
type Query struct {
	Text      string   // words; operators and quotes are words too
	All       bool     // a query without words and filters finds everything instead of nothing
	Must      []string // every word of these texts must occur
	MustNot   []string // no word of these texts may occur
	Scope     string   // this scope and its sub-scopes
	Kind      facts.Kind
	Type      facts.Type
	Reach     facts.Reach
	Agent     string
	Tags      []string // all of them
	KeyPrefix string   // whole segments of a key
	Without   []string // prefixes of keys to exclude
	ID        string
	Lineage   string
	Hash      string // facts.ContentHash of a claim
	// HasPointer finds facts with a pointer to a file of the repository, Pointing
	// those that point at any of these files or folders.
	HasPointer bool
	Pointing   []string
	// AsOf, if set, finds the versions that held at that moment, whether or not they still
	// stand. Otherwise the query finds those on the tip whose window contains Now.
	AsOf time.Time
	Now  time.Time
	// Shared excludes what is not meant for other repositories. If Within is not empty, a
	// hit must be in one of its scopes, or below it.
	Shared bool
	Within []string
	// Ephemeral includes ephemeral facts.
	Ephemeral bool
	// Access says which scopes the caller may see; nil: all.
	Access []ScopeRule
	// Branch is the code branch of the question. It excludes facts that are bound to
	// another branch, and those at keys that a fact of this branch replaces. "" is no
	// branch, EveryBranch all of them.
	Branch   string
	shadowed []string // the keys that facts of Branch replace, see OnBranch
	Limit    int      // at most this many hits; 0 means 10
	// Past, if set, asks what was known at another revision: the answer is the one that an
	// index of that revision would have given.
	Past Past
}

// Past says how a version of a key stood at an earlier revision: nil means as it stands
// now; known is false if it was not in the history yet.
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
	Window facts.Window // as it follows from all versions of the key
	Tip    bool
	Score  float64 // BM25; 0 without Text
}

// term is a term of a field that a document has or lacks.
type term struct{ field, text string }

// Filters reports whether the query has filters besides its text.
func (q Query) Filters() bool { return len(q.filterTerms()) > 0 || len(q.Pointing) > 0 }

// filterTerms are the filter terms that every hit has, first those that few documents have.
func (q Query) filterTerms() (terms []string) {
	for _, f := range []struct{ kind, value string }{
		{version.ByID, q.ID},
		{version.ByLineage, q.Lineage},
		{version.ByHash, strings.ToLower(q.Hash)},
		{version.ByKey, strings.Trim(q.KeyPrefix, "/")},
		{version.ByScope, q.ScopePath()},
		{version.ByKind, string(q.Kind)},
		{version.ByType, string(q.Type)},
		{version.ByReach, string(q.Reach)},
		{version.ByAgent, q.Agent},
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

// ScopePath is the scope without slashes around it.
func (q Query) ScopePath() string { return strings.Trim(q.Scope, "/") }

// Moment is the time that the question is about.
func (q Query) Moment() time.Time {
	if q.AsOf.IsZero() {
		return q.Now
	}
	return q.AsOf
}

const defaultLimit = 10

// MaxHits is how many hits the query asks for.
func (q Query) MaxHits() int {
	if q.Limit <= 0 {
		return defaultLimit
	}
	return q.Limit
}

// NewHit is what a caller sees of a version.
func NewHit(d version.ID, score float64) (Hit, error) {
	key, err := facts.ParseKey(d.Key)
	if err != nil {
		return Hit{}, err
	}
	return Hit{Key: key, Blob: d.Blob, Window: d.Window, Tip: d.Tip, Score: score}, nil
}
