package memory

import (
	"context"
	"time"

	"engram/memory/internal/exchange"
	"engram/memory/internal/write"
)

type (
	// DetectInput is a claim that is not written yet, and what it is held against: another
	// claim, or the memory.
	DetectInput = write.DetectInput
	// DetectResult is what a claim would clash with.
	DetectResult = write.DetectResult
	// CommitInput is a claim and what is known of it.
	CommitInput = write.CommitInput
	// CommitResult says what a commit did.
	CommitResult = write.CommitResult
	// LeadError refuses an agent what only a parent does, or a person (BusOptions.Parents).
	LeadError = write.LeadError
	// RateError refuses a commit of an agent that has made as many in an hour as the team lets
	// it.
	RateError = write.RateError
	// Record is one line of a JSONL import or export: what CommitInput states and, where the
	// fact stood on a branch before, who it was there.
	Record = write.Record
	// ReverifyInput says which facts still hold.
	ReverifyInput = write.ReverifyInput
	// ReverifyResult says what was committed.
	ReverifyResult = write.ReverifyResult
	// Decided is a proposal that was accepted or rejected.
	Decided = write.Decided
)

var (
	// ErrMayNotReview: the team named who decides on what is proposed, and this author is not
	// among them.
	ErrMayNotReview = write.ErrMayNotReview
	// ErrUnseen: the proposal is not the one that was seen, or cannot be accepted as it is
	// because what it would replace has changed.
	ErrUnseen = write.ErrUnseen
)

// HasBound reports whether any fact is bound to a code branch, so that who is called often,
// such as a hook, can leave it at that.
func (m *Memory) HasBound(ctx context.Context) (bool, error) {
	return m.write.HasBound(ctx)
}

// Detect tells what a claim would clash with, by the rules alone.
func (m *Memory) Detect(ctx context.Context, in DetectInput) (DetectResult, error) {
	return m.write.Detect(ctx, in)
}

// Commit carries out one operation on the memory (seed 4, commit pipeline): add a new fact;
// where the key has an open fact, its next version update the next version of the fact
// named by key or lineage; without either, of the nearest current fact in scope, or a new
// fact where none is near enough (Nearest) delete the end of the fact named by key or
// lineage none nothing The claim is refused where it is not valid or holds a secret, before
// a byte is written.
func (m *Memory) Commit(ctx context.Context, in CommitInput) (CommitResult, error) {
	return m.write.Commit(ctx, in)
}

// Retire ends the fact at a key.
func (m *Memory) Retire(ctx context.Context, key, reason, agent string) (CommitResult, error) {
	return m.write.Retire(ctx, key, reason, agent)
}

// CommitAll carries out the operations in order, in one git commit: all of them or none.
func (m *Memory) CommitAll(ctx context.Context, ins []CommitInput) ([]CommitResult, error) {
	return m.write.CommitAll(ctx, ins)
}

// Promote makes an ephemeral fact durable: a new version of it, without a TTL.
func (m *Memory) Promote(ctx context.Context, key, agent string) (CommitResult, error) {
	return m.write.Promote(ctx, key, agent)
}

// ParseLifetime reads how long a grant is good for: as Go writes durations (30m, 8h,
// 1h30m), in days or weeks (7d, 2w), or as ISO 8601 does (PT30M, P7D). "" is 0, which
// stands for the default.
func ParseLifetime(text string) (time.Duration, error) {
	return exchange.ParseLifetime(text)
}

// Reverify commits a new version of facts, with the same claim and with pointers to where
// their evidence stands at HEAD now, all in one commit: 1.
func (m *Memory) Reverify(ctx context.Context, in ReverifyInput) (ReverifyResult, error) {
	return m.write.Reverify(ctx, in)
}
