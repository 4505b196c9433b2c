package bus

import (
	"time"

	"engram/facts"
)

// Engram is a fact in the form of the bus document §4.1. Its scope is called reach in
// facts.
type Engram struct {
	ID           string      `json:"id,omitempty" yaml:"id,omitempty"`
	Kind         string      `json:"kind" yaml:"kind" enum:"kinds" help:"what it is about"`
	Claim        string      `json:"claim" yaml:"claim" help:"one to three sentences, at most 500 characters"`
	Pointers     []Pointer   `json:"pointers" yaml:"pointers" help:"where it can be looked up, 1 to 12, each with a commit"`
	Confidence   *float64    `json:"confidence" yaml:"confidence" min:"0" max:"1" help:"0 to 1: 1 verified in code, 0.7 observed, 0.3 inferred"`
	TTL          string      `json:"ttl" yaml:"ttl" help:"how long it holds: an ISO-8601 duration such as PT6H or P7D"`
	Scope        string      `json:"scope" yaml:"scope" enum:"reaches" help:"who sees it: run, project, org or global; the last two are for parents"`
	Tags         []string    `json:"tags,omitempty" yaml:"tags,omitempty" help:"words to find it by, at most 12"`
	HashKeys     []string    `json:"hash_keys,omitempty" yaml:"hash_keys,omitempty"`
	EmbeddingRef string      `json:"embedding_ref,omitempty" yaml:"embedding_ref,omitempty"`
	Provenance   *Provenance `json:"provenance,omitempty" yaml:"provenance,omitempty"`
}

// Provenance says where an engram comes from.
type Provenance struct {
	CreatedAt time.Time `json:"created_at" yaml:"created_at"`
	CreatedBy string    `json:"created_by" yaml:"created_by"`
	Source    string    `json:"source" yaml:"source"`
}

// Pointer is a pointer in the form of the bus document §4.2. Ref is a whole reference for
// facts.ParseRef; Span may repeat its lines or section.
type Pointer struct {
	Type   string `json:"type" yaml:"type" help:"repo, artifact, sam, diff, test or url: what ref begins with"`
	Ref    string `json:"ref" yaml:"ref" help:"repo:path#L12-L40@COMMIT, artifact:path#sec=NAME@COMMIT, sam:KEY@VERSION, diff:A..B#path, test:path#NAME@COMMIT"`
	Digest string `json:"digest,omitempty" yaml:"digest,omitempty" help:"of what stood there, as an earlier answer said"`
	Span   string `json:"span,omitempty" yaml:"span,omitempty" help:"omit it: the ref has it"`
}

// Contradicts reports whether an engram is a risk with pointers to at least two sources,
// which is how contradictions are reported (source document 2 §12 and §15): two files, two
// facts, two addresses. Two places in one file are one source.
func Contradicts(e Engram) bool {
	if e.Kind != string(facts.KindRisk) {
		return false
	}
	sources := make(map[string]bool)
	for _, p := range e.Pointers {
		if a, err := facts.ParseRef(p.Ref); err == nil {
			sources[a.Path+a.URL] = true
		}
	}
	return len(sources) > 1
}
