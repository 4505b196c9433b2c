package facts

import (
	"cmp"
	"slices"
	"time"
)

// Limits of one fact. A character is a Unicode code point.
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

// The kinds. The zero Kind stands for KindFact.
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

// Type says how a fact is known.
type Type string

// The types. The zero Type stands for Observation.
const (
	Observation Type = "observation" // seen in code, tests or logs
	Inference   Type = "inference"   // concluded from observations
	Decision    Type = "decision"    // decided by people or agents
)

// Types lists every type.
func Types() []Type { return []Type{Observation, Inference, Decision} }

// Reach says who sees a fact.
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

// Durability says whether a fact is meant to last.
type Durability string

// The durabilities. The zero Durability stands for Durable.
const (
	Durable   Durability = "durable"
	Ephemeral Durability = "ephemeral"
)

// Durabilities lists every durability.
func Durabilities() []Durability { return []Durability{Durable, Ephemeral} }

// Operation is what a commit does to the memory.
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

// Source is what produced a fact. The zero Source means not stated.
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

// Fact is one version of one claim, as stated; nothing in it is derived. A zero
// field was not stated; WithDefaults fills in its meaning.
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
	// Branch is the code branch on which the fact holds; "" means everywhere. For
	// is the key that the claim is meant for if the fact is stored at another: a
	// rival (Rival), or a fact that is bound to a branch (Bind).
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
	// Unknown preserves fields of a later format version, sorted by name. Parse
	// fills it; Validate checks it.
	Unknown []Unknown
}

// Provenance says where a fact comes from.
type Provenance struct {
	Agent     string
	Engineer  string
	Source    Source
	Evidence  string    // file and line, test output, tool call
	CreatedAt time.Time // when it was committed; UTC, whole milliseconds
	Session   string    // where an agent learnt it: sam:SESSION@EVENT
	Unknown   []Unknown
}

// Unknown is a field of a later version of the format.
type Unknown struct {
	Name string
	YAML string // the value in canonical YAML, not indented
}

// WithDefaults fills in the defaults of fields that were not stated. Use it to
// answer a reader; never store its result.
func (f Fact) WithDefaults() Fact {
	f.Kind = cmp.Or(f.Kind, KindFact)
	f.Type = cmp.Or(f.Type, Observation)
	f.Reach = cmp.Or(f.Reach, ReachProject)
	f.Durability = cmp.Or(f.Durability, Durable)
	f.Operation = cmp.Or(f.Operation, OpAdd)
	return f
}

// Verified reports whether the fact names evidence: an evidence text or a pointer.
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
