package deref

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"engram/bus"
	"engram/bus/ledger"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
)

// reservation is the budget that a dereference reserves before anything is read, from the
// agent's turn or from a grant. Concurrent dereferences therefore never share tokens;
// unused tokens are returned by settle.
type reservation struct {
	m        *Reader
	in       DerefInput
	address  facts.Address
	wanted   int // tokens
	tokens   int // reserved, at most wanted
	place    ledger.Place
	reserved bool
}

// unlimited reports whether no budget applies: to a person without a budget token.
func (p *reservation) unlimited() bool { return p.in.Agent == "" && p.in.BudgetToken == "" }

// identifyBearer sets the agent of a request that has only a budget token to the child of
// that grant: a child that omits its name would otherwise read without a budget, as a
// person. A token that is not valid is reported when tokens are reserved.
func (m *Reader) identifyBearer(in *DerefInput) {
	if in.Agent != "" || in.BudgetToken == "" {
		return
	}
	if g, err := m.Ledger.Opened(in.BudgetToken); err == nil {
		in.Agent = g.Child
	}
}

// grantedCommit returns the commit that a grant names for a file. It completes the
// child's request, because a grant remains valid after the next commit. It is "" if the
// grant names none or is for another file.
func (m *Reader) grantedCommit(in DerefInput, a facts.Address) string {
	if in.BudgetToken == "" {
		return ""
	}
	g, err := m.Ledger.Opened(in.BudgetToken)
	if err != nil || g.Child != in.Agent || g.Purpose != bus.ForDeref {
		return ""
	}
	return g.CommitFor(a)
}

// grantedCommitNotes returns a note if the commit of the grant is not HEAD.
func grantedCommitNotes(a facts.Address, commit, head string) []string {
	if strings.HasPrefix(head, commit) {
		return nil
	}
	return []string{fmt.Sprintf("%s as of %s, for which the grant is; HEAD is at another commit", a.Path, core.ShortCommit(commit))}
}

// reserve reserves at most the wanted tokens. It must be called before anything is read.
// The error wraps bus.ErrRefused if there are none.
func (p *reservation) reserve(ctx context.Context) error {
	if p.unlimited() {
		p.tokens = p.wanted
		return nil
	}
	place, err := p.m.Ledger.Take(ctx, ledger.Pull{
		Agent: p.in.Agent, Ref: p.address.Ref(), Address: p.address, Want: p.wanted,
		Limits: p.m.Bus.Limits.Deref, Token: p.in.BudgetToken,
	})
	var refusal *bus.Refusal
	if errors.As(err, &refusal) {
		p.m.budget.Note(ctx, budget.Event{Name: ledger.BudgetReject, Agent: p.in.Agent, Pointers: budget.PointerTypes(p.address.Type), Count: 1, Code: refusal.Code, Limit: refusal.Name})
	}
	if err != nil {
		return err
	}
	p.place, p.reserved, p.tokens = place, true, place.Tokens
	return nil
}

// The limits that can cut an excerpt (DerefResult.LimitedBy).
const (
	LimitedByMaxTokens = "max_tokens"
	LimitedByTurn      = "turn"
	LimitedByGrant     = "grant"
)

// limitedBy returns the limit that keeps the excerpt from being longer.
func (p *reservation) limitedBy() string {
	switch {
	case p.tokens >= p.wanted:
		return LimitedByMaxTokens
	case p.place.GrantID != "":
		return LimitedByGrant
	}
	return LimitedByTurn
}

// tooLong returns the error for an excerpt whose first line does not fit.
func (p *reservation) tooLong() error {
	more := hint.New("raise %s", hint.MaxTokens)
	if limit := p.limitedBy(); limit != LimitedByMaxTokens {
		more = hint.New("tokens left of the %s: %d; ask the parent for a grant", limit, p.tokens)
	}
	return core.UsageErrorf(more, "not even its first line fits into %d tokens", p.tokens)
}

// settle charges the tokens that were read, and sets GrantID and Turn of the result. It
// must be called after reading and before anything is returned, also after a failure:
// tokens is 0 then, and the item still counts if a content was reached, so that probing
// is not free.
func (p *reservation) settle(ctx context.Context, tokens int, result *DerefResult) error {
	if p.unlimited() || !p.reserved {
		return nil
	}
	p.reserved = false
	now, err := p.m.Ledger.Settle(ctx, p.place, tokens)
	if err != nil {
		return err
	}
	if result != nil {
		result.GrantID, result.Turn = p.place.GrantID, &now
	}
	if tokens > 0 || p.place.Reached {
		var ids []string
		if id := p.place.GrantID; id != "" {
			ids = []string{id}
		}
		p.m.budget.Note(ctx, budget.Event{Name: ledger.DerefRequest, Agent: p.in.Agent, IDs: ids, Pointers: budget.PointerTypes(p.address.Type), Tokens: tokens, Began: p.place.Began})
	}
	return nil
}

// TurnResult is what an agent has read in its turn, and what is left.
type TurnResult struct {
	core.Answer
	Agent  string `json:"agent"`
	Used   Turn   `json:"used"`
	Limits Turn   `json:"limits"`
	Left   Turn   `json:"left"`
	// Ends is when the turn ends unless something else ends it; null if no turn is
	// running, since a turn begins with its first excerpt.
	Ends *time.Time `json:"ends"`
}

// Turn reports what is left of an agent's turn, without using any of it. It needs no
// memory branch. A person has no budget: the error wraps ErrUsage.
func (m *Reader) Turn(ctx context.Context, agent string) (TurnResult, error) {
	if err := m.NormalizeAgents(&agent); err != nil {
		return TurnResult{}, err
	}
	if agent == "" {
		return TurnResult{}, core.UsageErrorf(hint.New("name an agent, as in %s", hint.Do(hint.ShowTurn, "NAME")), "people have no turns, and no budget")
	}
	revision, err := m.budget.RevisionIfAny(ctx)
	if err != nil {
		return TurnResult{}, err
	}
	now, ends, err := m.Ledger.Running(agent)
	if err != nil {
		return TurnResult{}, fmt.Errorf("look up the turn: %w", err)
	}
	d := m.budget.Limits().Deref
	r := TurnResult{Answer: core.AnswerAt(revision), Agent: agent, Used: now, Limits: Turn(d)}
	// Never less than 0: the limits may have been lowered since.
	r.Left = Turn{
		RepoSpans: max(d.RepoSpans-now.RepoSpans, 0), ArtifactSections: max(d.ArtifactSections-now.ArtifactSections, 0),
		SAMItems: max(d.SAMItems-now.SAMItems, 0), Tokens: max(d.Tokens-now.Tokens, 0),
	}
	if !ends.IsZero() {
		r.Ends = &ends
	}
	return r, nil
}
