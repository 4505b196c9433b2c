package core

import (
	"encoding/json"
	"time"

	"engram/evidence"
	"engram/facts"
)

// SchemaVersion is the version of the JSON contract. Fields are added, never
// renamed.
const SchemaVersion = 1

// Answer is the part that all answers share.
type Answer struct {
	SchemaVersion int    `json:"schema_version"`
	Revision      string `json:"revision"` // of the memory branch; what the answer reflects
}

// AnswerAt is the Answer for a revision.
func AnswerAt(revision string) Answer { return Answer{SchemaVersion, revision} }

// Fact is a fact as surfaces show it: every field, with defaults for those that are not
// stated.
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
	Session    string      `json:"session,omitempty"` // where it was learnt: sam:SESSION@EVENT
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
	// HasConflict is null if no audit has seen it, and in answers about
	// the past.
	HasConflict *bool `json:"has_open_conflict"`
	// Trust is that of Hit, if Get was asked for it.
	Trust *float64 `json:"trust,omitempty"`
	// Branch is the code branch that the fact is bound to, "" if it holds on all. For is
	// the key that the fact is meant for, if it stands at another.
	Branch string    `json:"branch,omitempty"`
	For    facts.Key `json:"for,omitzero"`
}

// Pointer is a piece of evidence as surfaces show it.
type Pointer struct {
	Ref       string    `json:"ref"`
	Digest    string    `json:"digest,omitempty"`
	Freshness Freshness `json:"freshness,omitempty"` // against this checkout; not read
	Now       string    `json:"now,omitempty"`       // the new place of evidence that moved; not read
}

// UnmarshalJSON also takes a bare string, which is a reference.
func (p *Pointer) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &p.Ref)
	}
	type plain Pointer
	return json.Unmarshal(b, (*plain)(p))
}

// Show fills a Fact for readers. window is the window that all versions of the key
// together state.
func Show(f facts.Fact, window facts.Window, now time.Time) Fact {
	f = FillUnstated(f)
	v := Fact{
		Key: f.Key, FactID: f.ID, LineageID: f.Lineage, Claim: f.Claim, Detail: f.Detail, Scope: f.Scope,
		Kind: string(f.Kind), FactType: string(f.Type), Reach: string(f.Reach), Confidence: f.Confidence,
		Tags: append([]string{}, f.Tags...), Pointers: []Pointer{},
		AgentID: f.Provenance.Agent, Engineer: f.Provenance.Engineer, Source: string(f.Provenance.Source),
		Evidence: f.Provenance.Evidence, Session: f.Provenance.Session, Committed: f.Provenance.CreatedAt, Age: Age(f.Provenance.CreatedAt, now), ValidFrom: window.From,
		ValidUntil: TimeOrNil(window.Until), TTL: f.TTL, Durability: string(f.Durability),
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

// FillUnstated fills in defaults for what a fact does not state.
func FillUnstated(f facts.Fact) facts.Fact {
	f = f.WithDefaults()
	if f.Provenance.CreatedAt.IsZero() { // written by hand
		f.Provenance.CreatedAt = f.ValidFrom
	}
	return f
}

// TimeOrNil is nil for the zero time, which JSON shows as null.
func TimeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// Age is how long ago a fact was stated, rounded down: "12 minutes", "5 months". A time
// in the future counts as now; "" means that no time is known.
func Age(stated, now time.Time) string {
	const (
		day   = 24 * time.Hour
		year  = 365*day + 6*time.Hour
		month = year / 12
	)
	d := now.Sub(stated)
	in := func(unit time.Duration, name string) string { return Plural(int(d/unit), name) }
	switch {
	case stated.IsZero():
		return ""
	case d < time.Minute:
		return "under a minute"
	case d < time.Hour:
		return in(time.Minute, "minute")
	case d < 2*day:
		return in(time.Hour, "hour")
	case d < 60*day:
		return in(day, "day")
	case d < 2*year:
		return in(month, "month")
	}
	return in(year, "year")
}

// Freshness is the verdict on evidence; package evidence has the verdicts.
type Freshness = evidence.Freshness

// The verdicts on evidence against the checkout at hand.
const (
	Fresh     = evidence.Fresh
	Moved     = evidence.Moved
	Drifted   = evidence.Drifted
	Missing   = evidence.Missing
	Unchecked = evidence.Unchecked
)

// Check is the result of one check.
type Check struct {
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Problem string `json:"problem,omitempty"`
	Hint    string `json:"hint,omitempty"`
	Fixable bool   `json:"fixable"` // Fix can fix it
	Fixed   bool   `json:"fixed"`
}

// Footprint is one thing that engram stores, and how to remove it.
type Footprint struct {
	What   string `json:"what"`
	Where  string `json:"where"`
	Remove string `json:"remove"`
}
