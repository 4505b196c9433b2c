// Package write writes facts: it plans what a commit means against the tip of the branch,
// checks policy, and applies the plan. What an audit or a review writes is planned here as
// well.
package write

import (
	"time"

	"engram/facts"
	"engram/memory/internal/archive"
	"engram/memory/internal/audit"
	"engram/memory/internal/budget"
	"engram/memory/internal/capture"
	"engram/memory/internal/codebranch"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
	"engram/memory/internal/proof"
)

// Writer writes facts to a memory.
type Writer struct {
	*core.Memory
	archive    *archive.Archive
	audit      *audit.Auditor
	budget     *budget.Limiter
	capture    *capture.Recorder
	codebranch *codebranch.Watcher
	compare    *compare.Comparer
	deref      *deref.Reader
	proof      *proof.Verifier
}

// New returns the Writer of a memory.
func New(m *core.Memory) *Writer {
	return &Writer{Memory: m, archive: archive.New(m), capture: capture.New(m), audit: audit.New(m), budget: budget.New(m), codebranch: codebranch.New(m), compare: compare.New(m), deref: deref.New(m), proof: proof.New(m)}
}

// CommitInput is a claim and what is known of it. A zero field is not stated.
type CommitInput struct {
	Claim      string         `json:"claim" tool:"content" help:"the claim: one sentence or two in plain English, at most 500 characters; to delete, why it no longer holds"`
	Detail     string         `json:"detail,omitempty" flag:"detail,,TEXT" help:"longer TEXT that does not fit into the claim, at most 8 KiB"`
	Key        string         `json:"key,omitempty" flag:"key,k,KEY" help:"KEY of the fact: namespace/category/identifier[/sub]; omit it and one is made"` // from kind, scope and claim
	Scope      string         `json:"scope,omitempty" flag:"scope,s,PATH" help:"topic PATH such as auth, payments/webhooks or infra/docker; prefer those that the team uses"`
	Kind       string         `json:"kind,omitempty" enum:"kinds" default:"fact" help:"what it is about"`
	Type       string         `json:"fact_type,omitempty" flag:"type" enum:"types" default:"observation" help:"how it is known: observation is seen in code, tests or logs; inference is concluded; decision is agreed"`
	Reach      string         `json:"reach,omitempty" enum:"reaches" help:"who sees it"`
	Agent      string         `json:"agent_id,omitempty" flag:"agent,a,NAME" env:"ENGRAM_AGENT" default:"the caller" help:"NAME of the agent that states it"`
	Source     string         `json:"source,omitempty" enum:"sources" help:"what produced it"`
	Confidence *float64       `json:"confidence,omitempty" min:"0" max:"1" help:"how sure it is, 0 to 1: 1 verified in code, 0.7 observed, 0.3 inferred"`
	Tags       []string       `json:"tags,omitempty" flag:"tag,t,TAG" help:"a TAG to filter by"`
	Pointers   []core.Pointer `json:"pointers,omitempty" flag:"pointer,p,PATH" help:"where the evidence is: internal/auth.go:12-40, docs/spec.md#Heading, or typed: repo:PATH#L12-L40@COMMIT, test:, diff:, sam:, url:. Completed with commit and digest; what is not there is rejected"` // short forms are completed, digests filled in (Complete)
	Evidence   string         `json:"evidence,omitempty" tool:"provenance" flag:"evidence,,TEXT" help:"evidence in words: file and line, test output, command; makes the fact verified"`
	Session    string         `json:"session,omitempty" flag:"session,,REF" env:"ENGRAM_SESSION" help:"where it was learnt: sam:SESSION@EVENT, or a session's id; by default the agent's session that runs in this work tree"`
	TTL        string         `json:"ttl,omitempty" flag:"ttl,,DURATION" help:"how long it holds: an ISO-8601 DURATION such as P7D, or days"`
	ValidFrom  time.Time      `json:"valid_from,omitzero" flag:"valid-from,,TIME" help:"TIME from which it holds"`
	ValidUntil time.Time      `json:"valid_until,omitzero" flag:"valid-until,,TIME" help:"TIME until which it holds"`
	Durability string         `json:"durability,omitempty" enum:"durabilities" help:"ephemeral is a scratch note that fades unless it proves useful"`
	Operation  string         `json:"operation,omitempty" enum:"operations" default:"add" help:"update replaces the fact of that lineage or key, or the nearest one in scope; delete ends one; none: nothing to remember"`
	Lineage    string         `json:"lineage_id,omitempty" tool:"corrects_lineage" flag:"lineage,,ID" help:"ID of the lineage (lineage_id) that it corrects or deletes"`
	Reason     string         `json:"reason,omitempty"` // of a delete
	// Branch binds the fact to a code branch (CurrentBranch: that of this work tree):
	// nobody sees it elsewhere until that is merged.
	Branch string `json:"branch,omitempty" flag:"branch,,NAME" help:"bind it to the code branch NAME until that merges; HEAD is the one checked out"`
	// Client is the client that runs the commit, and Within its id of the session; "" if it
	// does not say.
	Client, Within string
	// OverBus: it comes over the bus, whose rules are stricter (guardBus).
	OverBus bool
}

// CommitResult says what a commit did.
type CommitResult struct {
	core.Answer
	FactID    string    `json:"fact_id"`
	Key       string    `json:"key"`
	LineageID string    `json:"lineage_id"`
	Committed time.Time `json:"committed_at"`
	Duplicate bool      `json:"duplicate"` // an equal claim of that scope stands already; nothing was written
	MemoryOp  string    `json:"memory_op"` // what was done: add, update, delete, none
	// Proposed: it waits on the branch of proposals for somebody to accept it
	// (Proposals); Revision is that branch's.
	Proposed   bool      `json:"proposed"`
	Branch     string    `json:"branch,omitempty"` // that the fact is bound to
	For        facts.Key `json:"for,omitzero"`     // the key that it is meant for, then
	Supersedes string    `json:"supersedes_fact_id,omitempty"`
	// Conflicts counts the open conflicts at the key; null if there is none and no audit has
	// looked at the fact. It is null exactly if has_open_conflict of the fact is.
	Conflicts *int `json:"conflicts_detected"`
	// Contradicts are the facts that it contradicts, as far as the writer may read them.
	Contradicts []Met `json:"contradicts,omitempty"`
	// Likely are facts that it probably contradicts; somebody who can read should judge.
	Likely []Met `json:"likely,omitempty"`
	// Related are at most three facts about the same matter. The rules found nothing against
	// them, and nobody has judged them yet.
	Related  []Met    `json:"related,omitempty"`
	Notes    []string `json:"notes,omitempty"` // what was decided on the writer's behalf
	Warnings []string `json:"warnings,omitempty"`
}

// Met is a fact that a written fact contradicts, or may contradict.
type Met struct {
	FactID      string `json:"fact_id"`
	Key         string `json:"key"`
	Claim       string `json:"claim"`
	Grade       string `json:"grade"`                 // contradiction, likely, related
	Explanation string `json:"explanation"`           // "here" is the fact that was written
	Verdict     string `json:"verdict,omitempty"`     // of a contradiction
	ConflictID  string `json:"conflict_id,omitempty"` // of a contradiction
}

// resultOf says what was written: the version f.
func resultOf(f facts.Fact) CommitResult {
	return CommitResult{
		FactID: f.ID, Key: f.Key.String(), LineageID: f.Lineage, Committed: f.Provenance.CreatedAt,
		MemoryOp: string(f.WithDefaults().Operation), Supersedes: f.Supersedes,
	}
}

// duplicateOf says that nothing was written because f stands already.
func duplicateOf(f facts.Fact) CommitResult {
	r := resultOf(f)
	r.Duplicate, r.MemoryOp, r.Supersedes = true, string(facts.OpNone), ""
	return r
}
