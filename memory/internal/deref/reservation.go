package deref

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"engram/bus"
	"engram/bus/ledger"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
)

// reservation is what pays for an excerpt: the turn of the agent that pulls it, or a grant.
// It takes the place before anything is read, so that of several pulls at once none
// has what another took, and gives back what was not used.
type reservation struct {
	m       *Reader
	in      DerefInput
	address facts.Address
	wanted  int // tokens
	tokens  int // that there are, at most what is wanted
	place   ledger.Place
	reserved   bool
}

// newReservation is the purse for one dereference.
func (m *Reader) newReservation(in DerefInput, address facts.Address, wanted int) *reservation {
	return &reservation{m: m, in: in, address: address, wanted: wanted}
}

// unlimited: a person has no budget, but whoever shows a token is held to it.
func (p *reservation) unlimited() bool { return p.in.Agent == "" && p.in.BudgetToken == "" }

// identifyBearer takes whoever shows a token and states no name for the agent that its grant
// is for: a child that forgets its name would read without a budget, as a person. What
// is wrong with a token is for taking a place to say.
func (m *Reader) identifyBearer(in *DerefInput) {
	if in.Agent != "" || in.BudgetToken == "" {
		return
	}
	if g, err := m.Ledger.Opened(in.BudgetToken); err == nil {
		in.Agent = g.Child
	}
}

// grantedCommit is the commit that the pointer of a child's grant names for a file, by
// which what the child asks for is completed: a grant outlives the next commit. "" where
// it names none, or is for another file.
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

// grantedCommitNotes tells that what is read is not what HEAD has.
func grantedCommitNotes(a facts.Address, commit, head string) []string {
	if strings.HasPrefix(head, commit) {
		return nil
	}
	return []string{fmt.Sprintf("%s as of %s, for which the grant is; HEAD is at another commit", a.Path, core.Short(commit))}
}

// reserve sets how many tokens may be pulled, at most what is wanted. It is asked before
// anything is read. The error wraps bus.ErrRefused where it is none at all.
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

// What an excerpt was cut for.
const (
	LimitedByMaxTokens = "max_tokens"
	LimitedByTurn      = "turn"
	LimitedByGrant     = "grant"
)

// limitedBy is what keeps an excerpt from being longer.
func (p *reservation) limitedBy() string {
	switch {
	case p.tokens >= p.wanted:
		return LimitedByMaxTokens
	case p.place.GrantID != "":
		return LimitedByGrant
	}
	return LimitedByTurn
}

// tooLong says that nothing of an excerpt fits, and whether more can be asked for.
func (p *reservation) tooLong() error {
	more := hint.New("raise %s", hint.MaxTokens)
	if limit := p.limitedBy(); limit != LimitedByMaxTokens {
		more = hint.New("tokens left of the %s: %d; ask the parent for a grant", limit, p.tokens)
	}
	return core.Wrong(more, "not even its first line fits into %d tokens", p.tokens)
}

// settle takes what was pulled from the purse, and says in the result who paid
// (GrantID) and what the turn has pulled since (Turn). It is told after reading and
// before anything is handed out, also where something failed: then tokens is 0, and the
// item counts where a content was reached, so that nobody probes one for free.
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
		turn := Turn(now)
		result.GrantID, result.Turn = p.place.GrantID, &turn
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
