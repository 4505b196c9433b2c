package memory

import (
	"context"
	"time"

	"engram/facts"
)

// PutInput is an engram to be stored.
type PutInput struct {
	Engram
	Key   string `json:"key,omitempty"` // of the fact; "" makes one, as Commit does
	Agent string `json:"-"`             // who puts it
}

// PutResult is an engram as it was stored.
type PutResult struct {
	Answer
	Engram Engram       `json:"engram"`
	Commit CommitResult `json:"commit"`
}

// PutEngram stores an engram as a fact, under the rules of the strict boundary: with
// at least one pointer, each with a commit and to something that is there (seed 1 §8.2). The error is a
// *bus.Refusal where it keeps not to them.
func (m *Memory) PutEngram(ctx context.Context, in PutInput) (PutResult, error) {
	return PutResult{}, errNotBuilt
}

// EngramQuery asks for engrams.
type EngramQuery struct {
	Keys    []string `json:"keys,omitempty"` // hash keys: identifiers, words, tags, files; any of them
	Text    string   `json:"text,omitempty"` // a question, instead
	Near    string   `json:"near,omitempty"` // the id or key of a fact: what is near it by meaning, instead
	K       int      `json:"k,omitempty"`    // 1 to 12, 0 means 12 (seed 1 §5.2)
	Kind    string   `json:"kind,omitempty"`
	Reach   string   `json:"reach,omitempty"`
	Scope   string   `json:"scope,omitempty"` // a topic path
	AskedBy string   `json:"asked_by,omitempty"`
}

// EngramsResult is what was found, best first; ties go by reach, recency, confidence
// and pointers in common with the keys (seed 1 §5.1).
type EngramsResult struct {
	Answer
	Mode     string      `json:"mode"`
	Engrams  []EngramHit `json:"engrams"`
	Omitted  int         `json:"omitted"` // for the inline budget
	Withheld int         `json:"withheld"`
	Tokens   int         `json:"tokens"`
	Notes    []string    `json:"notes,omitempty"`
}

// EngramHit is an engram with what a reader has to know of it.
type EngramHit struct {
	Engram
	Key         facts.Key `json:"key"`
	Freshness   Freshness `json:"freshness"`
	HasConflict *bool     `json:"has_open_conflict"`
	Age         string    `json:"age"`
}

// QueryEngrams finds engrams that hold: by hash keys, by a question, or by nearness.
func (m *Memory) QueryEngrams(ctx context.Context, in EngramQuery) (EngramsResult, error) {
	return EngramsResult{}, errNotBuilt
}

// DeleteEngram retires the fact that has an id or key. Only a parent or whoever stated
// it may.
func (m *Memory) DeleteEngram(ctx context.Context, id, agent string) (CommitResult, error) {
	return CommitResult{}, errNotBuilt
}

// SinceInput asks for what is new.
type SinceInput struct {
	After   time.Time `json:"after,omitzero"` // committed after this
	Scope   string    `json:"scope,omitempty"`
	Limit   int       `json:"limit,omitempty"` // 1 to 1,000; 0 means 100
	AskedBy string    `json:"asked_by,omitempty"`
}

// SinceResult is a page of what is new, the oldest first.
type SinceResult struct {
	Answer
	Facts []Fact `json:"facts"`
	// Next is the After of the next page; More reports whether there is one.
	Next     time.Time `json:"next,omitzero"`
	More     bool      `json:"more"`
	Withheld int       `json:"withheld"` // for who asks, or of reach run or project
}

// FactsSince lists the facts of reach org or global that were committed after a
// moment: the federation read of seed 4, phase 6. A page never ends between two facts
// of the same moment.
func (m *Memory) FactsSince(ctx context.Context, in SinceInput) (SinceResult, error) {
	return SinceResult{}, errNotBuilt
}
