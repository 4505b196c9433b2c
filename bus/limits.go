package bus

import (
	"cmp"
	"errors"
	"fmt"

	"engram/facts"
)

// Limits are the budgets of an agent. A zero field is its default; a negative one is
// rejected.
type Limits struct {
	Inline Inline
	Deref  Deref
}

// Inline bounds one message (the bus document §3.1).
type Inline struct {
	Tokens     int // of the message as text, estimated by facts.Tokens
	Engrams    int
	ClaimChars int // of one claim; never above facts.MaxClaim
	CodeChars  int // of code; only a grant permits more, and there is no default above 0
}

// Deref bounds what an agent reads in one turn (the bus document §3.2).
type Deref struct {
	RepoSpans        int // of repo, diff and test pointers
	ArtifactSections int
	SAMItems         int
	Tokens           int // of all excerpts of the turn
}

// DefaultLimits are those of the bus document §3 and source document 2 §6.
func DefaultLimits() Limits {
	return Limits{
		Inline: Inline{Tokens: 800, Engrams: 12, ClaimChars: 500, CodeChars: 0},
		Deref:  Deref{RepoSpans: 3, ArtifactSections: 2, SAMItems: 2, Tokens: 1200},
	}
}

// limit is one of the limits, by its name.
type limit struct {
	name  string
	value *int
}

func (l *Limits) all() []limit {
	return []limit{
		{NameTokens, &l.Inline.Tokens}, {NameEngrams, &l.Inline.Engrams}, {NameClaim, &l.Inline.ClaimChars}, {NameCode, &l.Inline.CodeChars},
		{"max_repo_spans", &l.Deref.RepoSpans}, {"max_artifact_sections", &l.Deref.ArtifactSections},
		{"max_sam_items", &l.Deref.SAMItems}, {"max_deref_tokens", &l.Deref.Tokens},
	}
}

// WithDefaults replaces zero fields by their defaults. A claim is never longer than the claim
// of a fact.
func (l Limits) WithDefaults() Limits {
	defaults := DefaultLimits()
	for i, or := range defaults.all() {
		value := l.all()[i].value
		*value = cmp.Or(*value, *or.value)
	}
	l.Inline.ClaimChars = min(l.Inline.ClaimChars, facts.MaxClaim)
	return l
}

// Validate rejects a negative limit.
func (l Limits) Validate() error {
	for _, f := range l.all() {
		if *f.value < 0 {
			return fmt.Errorf("the limit %s is %d; it cannot be negative", f.name, *f.value)
		}
	}
	return nil
}

// Names of the limits of a message, in refusals and in the configuration.
const (
	NameTokens  = "max_inline_tokens"
	NameEngrams = "max_engrams"
	NameClaim   = "max_claim_chars"
	NameCode    = "max_inline_code_chars"
	NameLines   = "max_brief_lines"
)

// Codes of refusals, as in the bus document §6.3.
const (
	BudgetExceeded = "BUDGET_EXCEEDED" // a message is too large
	DerefDenied    = "DEREF_DENIED"    // a turn has read too much
	Invalid        = "INVALID"         // a message is not of the form, or an engram has no evidence
)

// ErrRefused reports that a message or the reading of an excerpt exceeds its budget.
var ErrRefused = errors.New("refused by the budget")

// Refusal names the limit that was exceeded, by how much, and what to send instead.
type Refusal struct {
	Code   string `json:"code"`            // BudgetExceeded, DerefDenied or Invalid
	Path   string `json:"path,omitempty"`  // into the message, such as ENGRAMS[2].claim
	Name   string `json:"limit,omitempty"` // such as max_inline_tokens
	Limit  int    `json:"allowed,omitempty"`
	Amount int    `json:"amount,omitempty"` // the amount found
	Reason string `json:"reason"`
	Resend string `json:"resend,omitempty"` // a form that complies
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %s", r.Code, r.Reason) }

// Is reports that a refusal is an ErrRefused.
func (r *Refusal) Is(target error) bool { return target == ErrRefused }
