package memory

import (
	"time"

	"engram/facts"
)

// SchemaVersion is the version of the JSON contract. Fields are added, never
// renamed.
const SchemaVersion = 1

// Answer is what every answer carries.
type Answer struct {
	SchemaVersion int    `json:"schema_version"`
	Revision      string `json:"revision"` // of the memory branch; what the answer reflects
}

func answer(revision string) Answer { return Answer{SchemaVersion, revision} }

// Fact is a fact as surfaces show it: every field, unstated ones with what
// they stand for.
type Fact struct {
	Key        facts.Key   `json:"key"`
	Origin     string      `json:"origin,omitempty"` // the source that it was read from; "": this memory
	FactID     string      `json:"fact_id"`
	LineageID  string      `json:"lineage_id"`
	Claim      string      `json:"claim"`
	Detail     string      `json:"detail,omitempty"`
	Scope      string      `json:"scope"`
	Kind       string      `json:"kind"`
	FactType   string      `json:"fact_type"`
	Reach      string      `json:"reach"`
	Confidence *float64    `json:"confidence"`
	Tags       []string    `json:"tags"`
	Pointers   []Pointer   `json:"pointers"`
	AgentID    string      `json:"agent_id"`
	Engineer   string      `json:"engineer"`
	Source     string      `json:"source,omitempty"`
	Evidence   string      `json:"evidence,omitempty"`
	Committed  time.Time   `json:"committed_at"`
	Age        string      `json:"age"` // since Committed, as of Hit
	ValidFrom  time.Time   `json:"valid_from"`
	ValidUntil *time.Time  `json:"valid_until"` // null: open
	TTL        string      `json:"ttl,omitempty"`
	Durability string      `json:"durability"`
	MemoryOp   string      `json:"memory_op"`
	Supersedes string      `json:"supersedes_fact_id,omitempty"`
	State      facts.State `json:"state"`
	Verified   bool        `json:"verified"`
	Freshness  Freshness   `json:"freshness"` // the worst of its pointers
	// HasConflict is null where no audit has looked at it, and in answers about
	// the past.
	HasConflict *bool `json:"has_open_conflict"`
	// Trust is that of Hit, where Get was asked for it.
	Trust *float64 `json:"trust,omitempty"`
	// Branch is the code branch that it holds on, "" where it holds for all. For is
	// the key that it is meant for where that is not the one at which it stands.
	Branch string    `json:"branch,omitempty"`
	For    facts.Key `json:"for,omitzero"`
}

// Pointer is a piece of evidence as surfaces show it.
type Pointer struct {
	Ref       string    `json:"ref"`
	Digest    string    `json:"digest,omitempty"`
	Freshness Freshness `json:"freshness,omitempty"` // against this checkout; not read
	Now       string    `json:"now,omitempty"`       // where the same bytes stand now, of what moved; not read
}

// show fills a Fact for readers. window is what all versions of the key
// together say.
func show(f facts.Fact, window facts.Window, now time.Time) Fact {
	f = forReaders(f)
	v := Fact{
		Key: f.Key, FactID: f.ID, LineageID: f.Lineage, Claim: f.Claim, Detail: f.Detail, Scope: f.Scope,
		Kind: string(f.Kind), FactType: string(f.Type), Reach: string(f.Reach), Confidence: f.Confidence,
		Tags: append([]string{}, f.Tags...), Pointers: []Pointer{},
		AgentID: f.Provenance.Agent, Engineer: f.Provenance.Engineer, Source: string(f.Provenance.Source),
		Evidence: f.Provenance.Evidence, Committed: f.Provenance.CreatedAt, Age: age(f.Provenance.CreatedAt, now), ValidFrom: window.From,
		ValidUntil: openTime(window.Until), TTL: f.TTL, Durability: string(f.Durability),
		MemoryOp: string(f.Operation), Supersedes: f.Supersedes, State: f.StateAt(now),
		Verified: f.Verified(), Freshness: Unchecked, Branch: f.Branch, For: f.For,
	}
	for _, p := range f.Pointers {
		v.Pointers = append(v.Pointers, Pointer{Ref: p.Ref, Digest: p.Digest, Freshness: Unchecked})
	}
	if v.State == facts.Current && !window.Contains(now) && !now.Before(window.From) {
		v.State = facts.Superseded
	}
	return v
}

// forReaders fills in what a fact does not state.
func forReaders(f facts.Fact) facts.Fact {
	f = f.WithDefaults()
	if f.Provenance.CreatedAt.IsZero() { // written by hand
		f.Provenance.CreatedAt = f.ValidFrom
	}
	return f
}

func openTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
