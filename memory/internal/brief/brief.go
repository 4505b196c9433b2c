// Package brief says what an agent should know before it starts, cut to a budget of tokens.
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
	"engram/memory/internal/proof"
)

// Briefer writes briefs from a memory.
type Briefer struct {
	*core.Memory
	ask   *ask.Reader
	audit *audit.Auditor
	deref *deref.Reader
	proof *proof.Verifier
}

// New returns the Briefer of a memory.
func New(m *core.Memory) *Briefer {
	return &Briefer{Memory: m, ask: ask.New(m), audit: audit.New(m), deref: deref.New(m), proof: proof.New(m)}
}

// Bounds of a brief.
const (
	DefaultBriefBudget = 800 // tokens, the inline budget of seed 1 §3.1

	maxBriefFiles     = 200 // changed files that are looked at
	maxBriefConflicts = 3   // the gravest, seed 2's "top issues"
	maxBriefRules     = 6   // constraints
	maxBriefOthers    = 2   // of decisions, policies and risks each, as room is left
	maxBriefRelevant  = 10
	maxBriefClaim     = 240 // characters; Get has the rest
)

// BriefInput says for what work the brief is.
type BriefInput struct {
	Branch  string   `json:"branch,omitempty"`   // the code branch; "" the one that this work tree is on
	Files   []string `json:"files,omitempty"`    // that are changed, from the top of the repository; 200 count
	Budget  int      `json:"budget,omitempty"`   // tokens of the text; 0 means DefaultBriefBudget
	AskedBy string   `json:"asked_by,omitempty"` // the agent that reads; "" whom the memory was opened for
	// About is what the work is about, in words, beside what branch and files tell.
	About string `json:"about,omitempty"`
	// Scope narrows what is relevant, and decisions, policies and risks; constraints
	// are told whatever their scope.
	Scope     string `json:"scope,omitempty"`
	Ephemeral bool   `json:"include_ephemeral,omitempty"`
	// Patience is how long to wait until the index is up to date. Then what it
	// has is used, and a note says so. 0: as long as it takes.
	Patience time.Duration `json:"-"`

	FreshTime time.Duration // for checking evidence; 0 means freshTimeBrief
}

// BriefResult is what an agent should know before it starts. The same memory,
// input and moment give the same brief.
type BriefResult struct {
	core.Answer
	Branch        string          `json:"branch"`         // the code branch that it is for
	OpenConflicts int             `json:"open_conflicts"` // updates to confirm not counted
	Conflicts     []BriefConflict `json:"conflicts"`      // the gravest of them, the newest first
	Constraints   []BriefFact     `json:"constraints"`    // constraints, then decisions, policies and risks
	Relevant      []BriefFact     `json:"relevant"`       // to the branch and the files, or else the newest; none that is among the constraints
	Omitted       int             `json:"omitted"`        // facts and conflicts left out for want of room
	Withheld      int             `json:"withheld"`       // found, and not for who asks
	Tokens        int             `json:"tokens"`         // what the text takes (Text), estimated
	Notes         []string        `json:"notes,omitempty"`
}

// BriefConflict is an open conflict in short; Conflicts has the rest.
type BriefConflict struct {
	ConflictID  string `json:"conflict_id"`
	Severity    string `json:"severity"`
	Verdict     string `json:"verdict"`
	Explanation string `json:"explanation"`
	KeyA        string `json:"key_a"`
	KeyB        string `json:"key_b"`
	Age         string `json:"age"`
}

// BriefFact is a fact in short; Get has the rest.
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
	HasConflict *bool          `json:"has_open_conflict"` // null: no audit has looked at it
	Why         string         `json:"why"`               // one of the Why constants
}

// Why a fact is in a brief.
const (
	WhyRule     = "rule"     // it is a constraint, decision, policy or risk
	WhyEvidence = "evidence" // its evidence lies in a changed file
	WhyWords    = "words"    // it has words of the branch or of changed files
	WhyNewest   = "newest"   // it is new, and nothing else concerns the work
)

// Empty reports whether there is nothing to tell.
func (r BriefResult) Empty() bool {
	return r.OpenConflicts == 0 && len(r.Conflicts)+len(r.Constraints)+len(r.Relevant)+len(r.Notes) == 0
}

// Brief gathers what an agent should know before it starts: open conflicts,
// then constraints, then what is relevant to a branch and its changed files,
// then decisions, policies and risks, as far as the budget goes. It asks no
// source and no model, and writes nothing but the index. The error wraps
// gitstore.ErrNoBranch where there is no memory.
func (m *Briefer) Brief(ctx context.Context, in BriefInput) (BriefResult, error) {
	if in.Budget == 0 {
		in.Budget = DefaultBriefBudget
	}
	if in.Budget < 1 {
		return BriefResult{}, core.Wrong(core.BudgetHint, "a budget of %d tokens holds nothing", in.Budget)
	}
	_, result, err := m.Gather(ctx, in)
	if err != nil {
		return BriefResult{}, err
	}
	return result.cutTo(in.Budget), nil
}

// Gather is what a brief is made of, whatever the budget.
func (m *Briefer) Gather(ctx context.Context, in BriefInput) (*brief, BriefResult, error) {
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return nil, BriefResult{}, err
	}
	in.Branch, in.Files = m.AsksOn(in.Branch), briefFiles(in.Files)
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
		behind, known := m.behind(ctx, revision, tip)
		if !known {
			result.Notes = append(result.Notes, "the index is being brought up to date; the newest facts are missing")
		} else if behind > 0 {
			result.Notes = append(result.Notes, core.Counted(behind, "change")+" that the index does not have yet, the newest, are missing")
		}
	}
	if err == nil {
		err = b.markFreshness(ctx, &result)
	}
	return b, result, err
}

// maxQuickBuild is up to how many files an impatient brief builds an index of. A
// process that builds cannot end before the disk has what it wrote.
const maxQuickBuild = 300

// viewIndex calls fn with the index at the tip. Who has patience for so long only gets
// it as it stands then; where there is none, and many facts, nobody waits for one:
// the error wraps index.ErrNotReady.
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

// isSmall reports whether there are few files, as far as that is known in time.
func (m *Briefer) isSmall(ctx context.Context, tip string, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	files, err := m.Store.Files(ctx, tip, "")
	return err == nil && len(files) <= maxQuickBuild
}

// behind counts the facts that differ between what an index reflects and the tip.
func (m *Briefer) behind(ctx context.Context, reflected, tip string) (n int, known bool) {
	n, err := m.ask.Pending(ctx, reflected, tip)
	return n, err == nil
}
