package ledger

import (
	"context"
	"errors"
	"fmt"

	"engram/bus"
	"engram/facts"
)

// Pull is an excerpt that an agent wants to read.
type Pull struct {
	Agent   string
	Ref     string // in the form in which to ask for it, if it is refused
	Address facts.Address
	Want    int // tokens, above 0
	Limits  bus.Deref
	Token   string // of the grant to use; "" is the agent's turn
}

// Place is what was taken for an excerpt.
type Place struct {
	Tokens  int    // granted, at most Pull.Want
	GrantID string // of the grant; "" is the turn
	Began   bool   // the turn began with this excerpt
	Turn    bus.Turn
	// Reached is set before Settle if the content was found: the item counts then, even
	// without tokens.
	Reached bool

	pull Pull
	turn int // the number of the agent's turn
}

// Take takes a place for one excerpt from an agent's turn or from a grant. The caller must
// call Settle after reading: a process that dies in between has used one too many, never
// one too few. The error is a *bus.Refusal if nothing is left.
func (l *Ledger) Take(ctx context.Context, p Pull) (Place, error) {
	if p.Want < 1 {
		return Place{}, fmt.Errorf("pull %d tokens: the number must be positive", p.Want)
	}
	if p.Token == "" {
		return l.takeTurn(ctx, p)
	}
	key, err := l.key(ctx)
	if err != nil {
		return Place{}, err
	}
	place := Place{pull: p}
	err = l.updateGrants(ctx, func(b *book) error {
		g, err := bus.OpenToken(p.Token, key, b.find)
		if err != nil {
			return bus.RefuseGrant(p.Ref, err.Error())
		}
		s := (*b)[g.ID]
		room, err := s.Pays(p.Agent, p.Address, l.moment())
		if err != nil {
			return bus.RefuseGrant(p.Ref, err.Error())
		}
		place.Tokens, place.GrantID = min(p.Want, room), g.ID
		s.Take(place.Tokens)
		b.put(s)
		return nil
	})
	return place, err
}

// Opened returns the grant of a budget token. It uses nothing and does not check whether
// the grant is still valid. The error wraps bus.ErrForged or bus.ErrUnknownGrant.
func (l *Ledger) Opened(token string) (bus.Grant, error) {
	key, err := l.readKey()
	if err != nil {
		return bus.Grant{}, err
	}
	if key == nil { // no grant was ever signed here
		return bus.Grant{}, bus.ErrUnknownGrant
	}
	b, err := read[book](l, grantsName)
	if err != nil {
		return bus.Grant{}, err
	}
	return bus.OpenToken(token, key, b.find)
}

// Settle replaces what Take took by the tokens of the excerpt; 0 returns the place, unless
// its content was Reached. It returns what the agent has read in its turn.
func (l *Ledger) Settle(ctx context.Context, p Place, tokens int) (bus.Turn, error) {
	ctx = context.WithoutCancel(ctx) // an excerpt that was read is counted
	if p.GrantID == "" {
		return l.settleTurn(ctx, p, tokens)
	}
	err := l.updateGrants(ctx, func(b *book) error {
		s, ok := (*b)[p.GrantID]
		if !ok {
			return errForgotten
		}
		if err := s.Settle(p.Tokens, tokens, tokens > 0 || p.Reached); err != nil {
			return err
		}
		b.put(s)
		return nil
	})
	if err != nil && !errors.Is(err, errForgotten) {
		return bus.Turn{}, err
	}
	return l.Turn(p.pull.Agent)
}

// errForgotten reports that the file with the grant is gone.
var errForgotten = errors.New("the grant no longer exists")
