// Package brief composes what an agent should know before it starts, within a budget of
// tokens. Package exchange sends shared briefs; nothing here writes to the branch.
package brief

import (
	"context"
	"errors"
	"fmt"
	"time"

	"engram/facts"
	"engram/index"
	"engram/memory/internal/ask"
	"engram/memory/internal/audit"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
	"engram/memory/internal/judge"
	"engram/memory/internal/proof"
)

// Briefer composes briefs from a memory. It is safe for concurrent use.
type Briefer struct {
	*core.Memory
	ask   *ask.Reader
	audit *audit.Auditor
	deref *deref.Reader
	judge *judge.Judge
	proof *proof.Verifier
}

// New returns the Briefer of a memory.
func New(m *core.Memory) *Briefer {
	return &Briefer{Memory: m, ask: ask.New(m), audit: audit.New(m), deref: deref.New(m), judge: judge.New(m), proof: proof.New(m)}
}

// Bounds of a brief.
const (
	DefaultBriefBudget = 800 // tokens, the inline budget of the bus document, §3.1

	maxBriefFiles     = 200 // changed files that are looked at
	maxBriefConflicts = 3   // the most severe
	maxBriefRules     = 6   // constraints
	maxBriefOthers    = 2   // of decisions, policies and risks each, if there is room
	maxBriefRelevant  = 10
	maxBriefClaim     = 240 // characters; Get returns the rest
	maxBriefPairs     = 3   // that nobody has judged
	maxBriefPairClaim = 120 // characters
)

// BriefInput describes the work that a brief is for.
type BriefInput struct {
	Branch  string   `json:"branch,omitempty"`   // the code branch; "" the one that this work tree is on
	Files   []string `json:"files,omitempty"`    // that are changed, from the top of the repository; 200 count
	Budget  int      `json:"budget,omitempty"`   // tokens of the text; 0 means DefaultBriefBudget
	AskedBy string   `json:"asked_by,omitempty"` // the agent that reads; "" whom the memory was opened for
	// About describes the work in words, in addition to branch and files.
	About string `json:"about,omitempty"`
	// Scope narrows relevant facts, decisions, policies and risks; constraints are
	// included whatever their scope.
	Scope     string `json:"scope,omitempty"`
	Ephemeral bool   `json:"include_ephemeral,omitempty"`
	// Patience is how long to wait for the index to be up to date. After that the brief
	// uses the index as it is, with a note. 0: no limit.
	Patience time.Duration `json:"-"`

	FreshTime time.Duration // for checking evidence; 0 means proof.FreshTimeBrief
}

// BriefResult is what an agent should know before it starts. The same memory,
// input and moment give the same brief.
type BriefResult struct {
	core.Answer
	Branch        string          `json:"branch"`              // the code branch that it is for
	OpenConflicts int             `json:"open_conflicts"`      // not counting updates to confirm
	Conflicts     []BriefConflict `json:"conflicts"`           // the most severe, newest first
	Constraints   []BriefFact     `json:"constraints"`         // constraints, then decisions, policies and risks
	Relevant      []BriefFact     `json:"relevant"`            // to the branch and the files, otherwise the newest; not repeated from Constraints
	Undecided     []BriefPair     `json:"undecided,omitempty"` // at most three pairs that nobody has judged
	Omitted       int             `json:"omitted"`             // facts and conflicts that exceed the budget
	Withheld      int             `json:"withheld"`            // found, but the agent may not read them
	Tokens        int             `json:"tokens"`              // of the text (Text), estimated
	Notes         []string        `json:"notes,omitempty"`
}

// BriefConflict is an open conflict in short; Conflicts returns the rest.
type BriefConflict struct {
	ConflictID  string `json:"conflict_id"`
	Severity    string `json:"severity"`
	Verdict     string `json:"verdict"`
	Explanation string `json:"explanation"`
	KeyA        string `json:"key_a"`
	KeyB        string `json:"key_b"`
	Age         string `json:"age"`
}

// BriefPair is a pair of facts that nobody has judged, in short.
type BriefPair struct {
	KeyA   string `json:"key_a"`
	ClaimA string `json:"claim_a"` // its first 120 characters
	KeyB   string `json:"key_b"`
	ClaimB string `json:"claim_b"`
}

// BriefFact is a fact in short; Get returns the rest.
type BriefFact struct {
	Key         facts.Key      `json:"key"`
	Claim       string         `json:"claim"` // its first 240 characters
	Scope       string         `json:"scope"`
	Kind        string         `json:"kind"`
	FactType    string         `json:"fact_type"`
	AgentID     string         `json:"agent_id"`
	Age         string         `json:"age"`
	Verified    bool           `json:"verified"`
	Freshness   core.Freshness `json:"freshness"`
	HasConflict *bool          `json:"has_open_conflict"` // null if no audit has examined it
	Why         string         `json:"why"`               // one of the Why constants
}

// Why a fact is in a brief.
const (
	WhyRule     = "rule"     // it is a constraint, decision, policy or risk
	WhyEvidence = "evidence" // its evidence is in a changed file
	WhyWords    = "words"    // it shares words with the branch or the changed files
	WhyNewest   = "newest"   // it is new, and nothing else concerns the work
)

// Empty reports whether the brief contains nothing.
func (r BriefResult) Empty() bool {
	return r.OpenConflicts == 0 && len(r.Conflicts)+len(r.Constraints)+len(r.Relevant)+len(r.Undecided)+len(r.Notes) == 0
}

// Brief collects what an agent should know before it starts, as far as the budget allows:
// open conflicts, constraints, pairs of facts to judge, facts relevant to a branch and its changed files, then
// decisions, policies and risks. It asks no source and no model, and writes only the
// index. The error wraps gitstore.ErrNoBranch if there is no memory.
func (m *Briefer) Brief(ctx context.Context, in BriefInput) (BriefResult, error) {
	if in.Budget == 0 {
		in.Budget = DefaultBriefBudget
	}
	if in.Budget < 1 {
		return BriefResult{}, core.UsageErrorf(core.BudgetHint, "a budget of %d tokens holds nothing", in.Budget)
	}
	_, result, err := m.Gather(ctx, in)
	if err != nil {
		return BriefResult{}, err
	}
	return result.cutTo(in.Budget), nil
}

// Gather collects the content of a brief without cutting it to the budget.
func (m *Briefer) Gather(ctx context.Context, in BriefInput) (*brief, BriefResult, error) {
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return nil, BriefResult{}, err
	}
	in.Branch, in.Files = m.ResolveBranch(in.Branch), briefFiles(in.Files)
	b := &brief{m: m, in: in, reader: m.Reader(manifest, in.AskedBy), tip: tip, now: m.Moment()}
	var result BriefResult
	revision, err := m.viewIndex(ctx, tip, in.Patience, func(view *index.View) error {
		b.reset()
		if err := b.find(ctx, view); err != nil {
			return err
		}
		result, err = b.pack(ctx, view.Revision())
		return err
	})
	switch {
	case errors.Is(err, index.ErrNotReady):
		result, err = b.withoutIndex(ctx)
	case err != nil:
		return nil, BriefResult{}, fmt.Errorf("brief: %w", err)
	case revision != tip:
		behind, unknown := m.ask.Pending(ctx, revision, tip)
		if unknown != nil {
			result.Notes = append(result.Notes, "the index is being brought up to date; the newest facts are missing")
		} else if behind > 0 {
			result.Notes = append(result.Notes, core.Plural(behind, "change")+" that the index does not have yet, the newest, are missing")
		}
	}
	if err == nil {
		err = b.markFreshness(ctx, &result)
	}
	return b, result, err
}

// maxQuickBuild is the number of files up to which an impatient brief builds the index.
// A process that builds an index cannot end before the disk has written it.
const maxQuickBuild = 300

// viewIndex calls fn with the index at the tip. If updating the index takes longer than
// patience, fn gets the index as it is. If there is no index and there are many facts, the
// error wraps index.ErrNotReady.
func (m *Briefer) viewIndex(ctx context.Context, tip string, patience time.Duration, fn func(*index.View) error) (revision string, err error) {
	if patience == 0 {
		report, err := m.Index.View(ctx, tip, fn)
		return report.Revision, err
	}
	short, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	began := false
	once := func(view *index.View) error {
		began = true
		return fn(view)
	}
	report, err := m.Index.Glance(ctx, func(view *index.View) error {
		if view.Revision() != tip {
			return nil
		}
		return once(view)
	})
	none := errors.Is(err, index.ErrNotReady)
	if began || err != nil && !none || none && !m.isSmall(short, tip, patience/4) {
		return report.Revision, err
	}
	report, err = m.Index.View(short, tip, once)
	if err == nil || began || short.Err() == nil || ctx.Err() != nil {
		return report.Revision, err
	}
	report, err = m.Index.Glance(ctx, fn)
	return report.Revision, err
}

// isSmall reports whether there are few files; false if that takes too long.
func (m *Briefer) isSmall(ctx context.Context, tip string, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	files, err := m.Store.Files(ctx, tip, "")
	return err == nil && len(files) <= maxQuickBuild
}
