package memory

import (
	"context"

	"engram/evidence"
	"engram/facts"
)

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

// VerifyInput says which facts to hold against which state of the code.
type VerifyInput struct {
	Keys  []string `json:"keys,omitempty"` // none: all that hold
	Scope string   `json:"scope,omitempty"`
	// At is a commit in any name that git knows, "HEAD" for what is committed, or "" for the
	// work tree as it is, which in a bare repository is HEAD.
	At      string `json:"at,omitempty"`
	Diff    bool   `json:"diff,omitempty"` // what drifted is shown as a diff
	AskedBy string `json:"asked_by,omitempty"`
}

// VerifyResult is the verdict on every fact with pointers.
type VerifyResult struct {
	Answer
	Commit   string            `json:"commit"`    // of the code
	WorkTree bool              `json:"work_tree"` // as it is, beyond that commit
	Facts    int               `json:"facts"`     // looked at, those without pointers not counted
	Pointers int               `json:"pointers"`
	Counts   map[Freshness]int `json:"counts"` // of facts
	// Checks are the facts that are not fresh, worst first, then by key; of keys that
	// were named, all.
	Checks   []FactCheck `json:"checks"`
	Withheld int         `json:"withheld"`
}

// FactCheck is the verdict on a fact.
type FactCheck struct {
	Key       facts.Key      `json:"key"`
	Claim     string         `json:"claim"`
	Scope     string         `json:"scope"`
	Freshness Freshness      `json:"freshness"` // the worst of its pointers
	Pointers  []PointerCheck `json:"pointers"`
}

// PointerCheck is the verdict on a pointer.
type PointerCheck struct {
	Ref       string    `json:"ref"`
	Digest    string    `json:"digest,omitempty"`
	Freshness Freshness `json:"freshness"`
	Now       string    `json:"now,omitempty"`    // where the same bytes stand, of what moved
	Reason    string    `json:"reason,omitempty"` // of what is missing or unchecked
	Diff      string    `json:"diff,omitempty"`   // of what drifted, where it was asked for
}

// Verify holds the evidence of facts against the code. It writes nothing: a fact is
// verified anew by a commit (Reverify).
func (m *Memory) Verify(ctx context.Context, in VerifyInput) (VerifyResult, error) {
	return VerifyResult{}, errNotBuilt
}

// ReverifyInput says which facts still hold.
type ReverifyInput struct {
	// Keys are facts that somebody looked at and that still hold: their pointers are made
	// anew for what stands there now. None: all whose evidence moved, of Scope.
	Keys  []string `json:"keys,omitempty"`
	Scope string   `json:"scope,omitempty"`
	Agent string   `json:"agent_id,omitempty"`
}

// ReverifyResult says what was committed.
type ReverifyResult struct {
	Answer
	Committed []CommitResult `json:"committed"`
	Left      []FactCheck    `json:"left"` // named, and without any place where the evidence could be
}

// Reverify commits a new version of facts, with the same claim and with pointers to
// where their evidence stands at HEAD now.
func (m *Memory) Reverify(ctx context.Context, in ReverifyInput) (ReverifyResult, error) {
	return ReverifyResult{}, errNotBuilt
}

// WhyInput names lines of the code.
type WhyInput struct {
	Path        string `json:"path"` // from the top of the repository
	First, Last int    // 0: all of the file
	AskedBy     string
}

// WhyResult is what is known about lines of the code.
type WhyResult struct {
	Answer
	Facts    []WhyFact `json:"facts"` // those that name the fewest lines first
	Omitted  int       `json:"omitted"`
	Withheld int       `json:"withheld"`
}

// WhyFact is a fact that stands on a line.
type WhyFact struct {
	Fact
	Pointer PointerCheck `json:"pointer"`
	// FirstLine and LastLine are where its evidence stands now; 0 where it is of the
	// whole file or a folder.
	FirstLine int `json:"first_line"`
	LastLine  int `json:"last_line"`
}

// Why lists the facts that stand on lines of the work tree as it is, also those whose
// lines moved since.
func (m *Memory) Why(ctx context.Context, in WhyInput) (WhyResult, error) {
	return WhyResult{}, errNotBuilt
}
