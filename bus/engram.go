package bus

import "time"

// Engram is a fact as seed 1 §4.1 has it on the wire. Its scope is what facts call
// reach.
type Engram struct {
	ID           string      `json:"id,omitempty" yaml:"id,omitempty"`
	Kind         string      `json:"kind" yaml:"kind"`
	Claim        string      `json:"claim" yaml:"claim"`
	Pointers     []Pointer   `json:"pointers" yaml:"pointers"`
	Confidence   *float64    `json:"confidence" yaml:"confidence"`
	TTL          string      `json:"ttl" yaml:"ttl"`
	Scope        string      `json:"scope" yaml:"scope"`
	Tags         []string    `json:"tags,omitempty" yaml:"tags,omitempty"`
	HashKeys     []string    `json:"hash_keys,omitempty" yaml:"hash_keys,omitempty"`
	EmbeddingRef string      `json:"embedding_ref,omitempty" yaml:"embedding_ref,omitempty"`
	Provenance   *Provenance `json:"provenance,omitempty" yaml:"provenance,omitempty"`
}

// Provenance is where an engram comes from.
type Provenance struct {
	CreatedAt time.Time `json:"created_at" yaml:"created_at"`
	CreatedBy string    `json:"created_by" yaml:"created_by"`
	Source    string    `json:"source" yaml:"source"`
}

// Pointer is a pointer as seed 1 §4.2 has it. Ref is a whole reference as
// facts.ParseRef reads it; Span may repeat its lines or section.
type Pointer struct {
	Type   string `json:"type" yaml:"type"`
	Ref    string `json:"ref" yaml:"ref"`
	Digest string `json:"digest,omitempty" yaml:"digest,omitempty"`
	Span   string `json:"span,omitempty" yaml:"span,omitempty"`
}
