package write

import (
	"context"
	"slices"
	"time"

	"engram/facts"
	"engram/memory/internal/core"
)

// Commit carries out one operation on the memory (the consistency plan, commit
// pipeline):
//
//	add     a new fact; if the key has an open fact, its next version
//	update  the next version of the fact named by key or lineage; without
//	        either, of the nearest current fact in scope, or a new fact if
//	        none is near enough
//	delete  the end of the fact named by key or lineage
//	none    nothing
//
// A claim that is invalid or holds a secret is rejected before anything is written.
// Commit returns when the fact is durable.
func (m *Writer) Commit(ctx context.Context, in CommitInput) (CommitResult, error) {
	results, err := m.CommitAll(ctx, []CommitInput{in})
	if err != nil {
		return CommitResult{}, err
	}
	return results[0], nil
}

// Retire ends the fact at a key. Its file stays, with a closed window; reason and agent
// go into the commit message. The error wraps ErrNotFound if no open fact stands there.
func (m *Writer) Retire(ctx context.Context, key, reason, agent string) (CommitResult, error) {
	return m.Commit(ctx, CommitInput{Key: key, Operation: string(facts.OpDelete), Reason: reason, Agent: agent})
}

// CommitAll carries out the operations in order, in one git commit: all of them or none.
func (m *Writer) CommitAll(ctx context.Context, ins []CommitInput) ([]CommitResult, error) {
	drafts := make([]Draft, len(ins))
	b := m.NewBinder()
	for i, in := range ins {
		d, err := m.DraftOf(in)
		if err == nil {
			err = checkEnd(in)
		}
		if err == nil {
			err = b.Bind(ctx, &d)
		}
		if err == nil {
			err = m.Scan(d)
		}
		if err != nil {
			return nil, inputError(len(ins), i, err)
		}
		drafts[i] = d
	}
	warnings, err := m.anchor(ctx, drafts)
	if err != nil {
		return nil, err
	}
	if err := m.embedDrafts(ctx, drafts); err != nil {
		return nil, err
	}
	results, err := m.Write(ctx, drafts, "commit")
	if err == nil {
		m.sight(ctx, drafts, results)
		m.tellStandIns(ctx, results)
		warnOfInstructions(drafts, results)
		for i, list := range warnings {
			if !results[i].Duplicate {
				results[i].Warnings = append(results[i].Warnings, list...)
			}
		}
	}
	return results, err
}

// warnOfInstructions warns the author of a claim that reads like an instruction: it may
// be a quotation, or injected by a text that an agent has read.
func warnOfInstructions(drafts []Draft, results []CommitResult) {
	for i, d := range drafts {
		wrote := !results[i].Duplicate && results[i].MemoryOp != string(facts.OpNone)
		if wrote && (facts.ReadsAsInstruction(d.Fact.Claim) || facts.ReadsAsInstruction(d.Fact.Detail)) {
			results[i].Warnings = append(results[i].Warnings, "it reads like an instruction to whoever reads it; readers are told that it is data")
		}
	}
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
	// Conflicts is what earlier audits know; null if none has run.
	Conflicts *int     `json:"conflicts_detected"`
	Notes     []string `json:"notes,omitempty"` // what was decided on the writer's behalf
	Warnings  []string `json:"warnings,omitempty"`
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

// EndTurnBy ends the turn of an agent whose message was accepted. A message that stated
// nothing new ends it at most once per turn time.
func (m *Writer) EndTurnBy(ctx context.Context, agent string, stored []CommitResult) {
	if slices.ContainsFunc(stored, func(c CommitResult) bool { return !c.Duplicate }) {
		m.budget.EndTurn(ctx, agent)
		return
	}
	if agent == "" {
		return
	}
	if _, err := m.Ledger.EndQuietly(context.WithoutCancel(ctx), agent); err != nil {
		m.Log.Warn("a turn was not ended", "error", err)
	}
}
