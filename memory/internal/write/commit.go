package write

import (
	"context"

	"engram/facts"
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
