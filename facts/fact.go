package facts

import (
	"slices"
	"time"
)

// Limits on what one fact may hold. The character and item counts are those of
// seed 1 §4 and seed 2 §14; a character is a Unicode code point.
const (
	MaxClaim      = 500      // characters
	MaxDetail     = 8 << 10  // bytes
	MaxTags       = 12       // tags a fact
	MaxTag        = 40       // characters a tag
	MaxPointers   = 12       // pointers a fact
	MaxRef        = 300      // bytes a pointer
	MaxEvidence   = 1000     // characters
	MaxScope      = 200      // bytes
	MaxName       = 200      // characters: agent, engineer
	MaxBranch     = 200      // bytes
	MaxFile       = 64 << 10 // bytes of YAML a fact
	maxYAMLDepth  = 16       // nesting of lists and mappings, the fact being the first
	timePrecision = time.Millisecond
)

// Kind says what a fact is about.
type Kind string

// The kinds of seed 1 §4.1. The zero Kind stands for KindFact.
const (
	KindFact       Kind = "fact"
	KindDecision   Kind = "decision"
	KindRisk       Kind = "risk"
	KindTodo       Kind = "todo"
	KindConstraint Kind = "constraint"
	KindDiff       Kind = "diff"
	KindTest       Kind = "test"
	KindPerf       Kind = "perf"
	KindPolicy     Kind = "policy"
)

// Kinds lists every kind, in the order in which help shows them.
func Kinds() []Kind {
	return []Kind{KindFact, KindDecision, KindRisk, KindTodo, KindConstraint, KindDiff, KindTest, KindPerf, KindPolicy}
}

// Type says how a fact is known (seed 4's fact_type).
type Type string

// The types. The zero Type stands for Observation.
const (
	Observation Type = "observation" // seen in code, tests or logs
	Inference   Type = "inference"   // concluded from observations
	Decision    Type = "decision"    // decided by people or agents
)

// Types lists every type.
func Types() []Type { return []Type{Observation, Inference, Decision} }

// Reach says who sees a fact (seeds 1 and 2 call it scope).
type Reach string

// The reaches, narrowest first. The zero Reach stands for ReachProject.
const (
	ReachRun     Reach = "run"
	ReachProject Reach = "project"
	ReachOrg     Reach = "org"
	ReachGlobal  Reach = "global"
)

// Reaches lists every reach, narrowest first.
func Reaches() []Reach { return []Reach{ReachRun, ReachProject, ReachOrg, ReachGlobal} }

// Durability says whether a fact is meant to last (seed 4, phase 8).
type Durability string

// The durabilities. The zero Durability stands for Durable.
const (
	Durable   Durability = "durable"
	Ephemeral Durability = "ephemeral"
)

// Durabilities lists every durability.
func Durabilities() []Durability { return []Durability{Durable, Ephemeral} }

// Operation is what a commit meant to do to the memory (seed 4's memory_op).
type Operation string

// The operations. The zero Operation stands for OpAdd.
const (
	OpAdd    Operation = "add"    // a new fact
	OpUpdate Operation = "update" // a newer version of an existing fact
	OpDelete Operation = "delete" // the end of an existing fact
	OpNone   Operation = "none"   // nothing to remember; never stored
)

// Operations lists every operation.
func Operations() []Operation { return []Operation{OpAdd, OpUpdate, OpDelete, OpNone} }

// Source is what produced a fact (seed 1 §4.1). The zero Source is "not said".
type Source string

// The sources.
const (
	SourceRAG   Source = "rag"
	SourceSAM   Source = "sam"
	SourceAgent Source = "agent"
	SourceTool  Source = "tool"
)

// Sources lists every source.
func Sources() []Source { return []Source{SourceRAG, SourceSAM, SourceAgent, SourceTool} }

// Fact is one version of one claim: what somebody stated, and nothing derived.
// A zero field was not stated; WithDefaults says what that means.
type Fact struct {
	Key     Key
	ID      string // ULID of this version
	Lineage string // ULID shared by all versions from add to retirement
	Claim   string // one paragraph, at most MaxClaim characters
	Detail  string // at most MaxDetail bytes, may have lines
	Kind    Kind
	Type    Type
	Scope   string // hierarchical topic such as payments/webhooks
	Reach   Reach
	// Branch is the code branch that the fact was learned on and holds on, ""
	// for a fact that holds everywhere. For is the key that the claim is meant
	// for, where it cannot stand there: that of a rival (Rival), or of a fact
	// that is bound to a branch (Bind).
	Branch     string
	For        Key
	Confidence *float64 // 0 to 1
	Tags       []string
	Pointers   []Pointer
	ValidFrom  time.Time // UTC, whole milliseconds
	ValidUntil time.Time // zero: open, unless TTL ends it
	TTL        string    // ISO-8601 duration, see ParseTTL
	Durability Durability
	Operation  Operation
	Supersedes string // ID of the version this one replaced
	Provenance Provenance
	// Unknown holds fields of a later format version, in the order of their
	// names, so that they survive. Parse fills it; Validate checks it.
	Unknown []Unknown
}

// Provenance says where a fact comes from.
type Provenance struct {
	Agent     string
	Engineer  string
	Source    Source
	Evidence  string    // file and line, test output, tool call
	CreatedAt time.Time // when it was committed; UTC, whole milliseconds
	Unknown   []Unknown
}

// Unknown is a field that this version of the format does not know.
type Unknown struct {
	Name string
	YAML string // the value in canonical YAML, not indented
}

// WithDefaults fills in what an unstated field stands for. Use it to answer a
// reader; never store its result, since only what was stated is stored.
func (f Fact) WithDefaults() Fact {
	setDefault(&f.Kind, KindFact)
	setDefault(&f.Type, Observation)
	setDefault(&f.Reach, ReachProject)
	setDefault(&f.Durability, Durable)
	setDefault(&f.Operation, OpAdd)
	return f
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Verified reports whether the fact names evidence that somebody can look at:
// an evidence text or a pointer (seed 4, commit pipeline step 8).
func (f Fact) Verified() bool { return f.Provenance.Evidence != "" || len(f.Pointers) > 0 }

// Clone returns a copy that shares no memory with f.
func (f Fact) Clone() Fact {
	if f.Confidence != nil {
		c := *f.Confidence
		f.Confidence = &c
	}
	f.Tags = slices.Clone(f.Tags)
	f.Pointers = slices.Clone(f.Pointers)
	for i := range f.Pointers {
		f.Pointers[i].Unknown = slices.Clone(f.Pointers[i].Unknown)
	}
	f.Unknown = slices.Clone(f.Unknown)
	f.Provenance.Unknown = slices.Clone(f.Provenance.Unknown)
	return f
}
