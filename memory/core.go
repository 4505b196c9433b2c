package memory

import (
	"context"

	"engram/facts"
	"engram/memory/internal/core"
)

type (
	Limits = core.Limits
	// BusOptions are the settings of what agents exchange; the zero value is the default.
	BusOptions = core.BusOptions
	// Clash is what is wrong between two facts, as surfaces show it.
	Clash = core.Clash
	// Span is a part of a claim, in bytes.
	Span = core.Span
	// Conflict is two facts that cannot both hold, as surfaces show it.
	Conflict = core.Conflict
	// Check is one thing that was examined.
	Check = core.Check
	// SecretError refuses a text that holds a secret, without repeating it.
	SecretError = core.SecretError
	// Code classifies an error.
	Code = core.Code
	// Version is one commit that changed a key.
	Version = core.Version
	// Footprint is one thing that engram keeps, and how to be rid of it.
	Footprint = core.Footprint
	// Models are what an audit may ask beside the rules; the zero value is none.
	Models = core.Models
	// Scanner finds secrets in a text. rule names the pattern; it never repeats the secret.
	Scanner = core.Scanner
	// Options are the settings of a memory; the zero value is the default.
	Options = core.Options
	// Weights are the weights of the parts of a score, relevance counting 1.
	Weights = core.Weights
	// Embedder turns texts into vectors; package model has some.
	Embedder = core.Embedder
	// PermissionError refuses what the team does not let somebody do (docs/policy.md).
	PermissionError = core.PermissionError
	// Answer is what every answer carries.
	Answer = core.Answer
	// Fact is a fact as surfaces show it: every field, unstated ones with what they stand for.
	Fact = core.Fact
	// Pointer is a piece of evidence as surfaces show it.
	Pointer = core.Pointer
	// Freshness is the verdict on evidence; package evidence has the verdicts.
	Freshness = core.Freshness
)

const (
	// CurrentBranch: the one that this work tree is on
	CurrentBranch = core.CurrentBranch
	// EveryBranch: all of them, in questions
	EveryBranch = core.EveryBranch
	// DefaultTurnTime is after how long a turn is over, counted from its first dereference.
	DefaultTurnTime = core.DefaultTurnTime
	// CodeNo: 1: the answer is no
	CodeNo = core.CodeNo
	// CodeUsage: 2: wrong usage or configuration
	CodeUsage = core.CodeUsage
	// CodeUnusable: 3: the repository or branch cannot be used
	CodeUnusable = core.CodeUnusable
	// CodeRefused: 4: refused by policy
	CodeRefused = core.CodeRefused
	// CodeLost: 5: lost to others after all retries
	CodeLost = core.CodeLost
	// CodeCancelled: 130
	CodeCancelled = core.CodeCancelled
	// CodeFailure: anything else
	CodeFailure = core.CodeFailure
	// DefaultBranch is the memory branch where nobody chose another.
	DefaultBranch = core.DefaultBranch
	// Ours: this memory
	Ours = core.Ours
	// NoSource: this memory alone
	NoSource = core.NoSource
	// SchemaVersion is the version of the JSON contract.
	SchemaVersion = core.SchemaVersion
	Fresh         = core.Fresh
	Moved         = core.Moved
	Drifted       = core.Drifted
	Missing       = core.Missing
	Unchecked     = core.Unchecked
)

var (
	// ErrNoCodeBranch: this work tree is on none.
	ErrNoCodeBranch = core.ErrNoCodeBranch
	// ErrOnTrunk: what holds on the trunk holds for all.
	ErrOnTrunk = core.ErrOnTrunk
	// ErrUsage: the request makes no sense as it is.
	ErrUsage = core.ErrUsage
	// ErrNotMemory: the branch exists but is no engram branch of a known format.
	ErrNotMemory = core.ErrNotMemory
	// ErrNotFound: no fact has that key or lineage.
	ErrNotFound = core.ErrNotFound
	// ErrUnreadable: a file at that key is no fact, and must not be overwritten.
	ErrUnreadable = core.ErrUnreadable
	// ErrNotRepository: the folder is in no git repository.
	ErrNotRepository = core.ErrNotRepository
	// ErrNoBranch: the repository has no memory yet.
	ErrNoBranch = core.ErrNoBranch
	// ErrEmptyRemote: the memory branch would become a remote's first branch.
	ErrEmptyRemote = core.ErrEmptyRemote
	// ErrNotPublished: facts were to be published that must not be; nothing was.
	ErrNotPublished = core.ErrNotPublished
)

// KeyOf is the key of the fact that has or had an id: that of any of its versions, or of
// its lineage.
func (m *Memory) KeyOf(ctx context.Context, id string) (facts.Key, error) {
	return m.core.KeyOf(ctx, id)
}

// DefaultWeights are those of seed 4's score.
func DefaultWeights() Weights {
	return core.DefaultWeights()
}

// Close releases what the memory holds.
func (m *Memory) Close() error {
	return m.core.Close()
}

// ModelProblem is why there is no model although one was chosen, "" otherwise.
func (m *Memory) ModelProblem() string {
	return m.core.ModelProblem()
}

// WorkTree is the top folder of the work tree, or "" where there is none.
func (m *Memory) WorkTree() string {
	return m.core.WorkTree()
}
