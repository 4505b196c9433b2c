package ledger

import (
	"context"
	"errors"
	"fmt"

	"engram/bus"
	"engram/facts"
)

// Pull is one excerpt that an agent wants.
type Pull struct {
	Agent   string
	Ref     string // as it is to be asked for, where it is refused
	Address facts.Address
	Want    int // tokens, above 0
	Limits  bus.Deref
	Token   string // of the grant that is to pay; "" is the agent's turn
}

// Place is what was taken for an excerpt.
type Place struct {
	Tokens  int    // that it may have, at most what was wanted
	GrantID string // of the grant that pays; "" is the turn
	Began   bool   // the turn began with it
	Turn    bus.Turn
	// Reached is set before settling where a content was reached: the item counts then,
	// also without tokens.
	Reached bool

	pull Pull
	turn int // which turn of the agent
}

// Take takes the place of one excerpt in an agent's turn or in a grant. It is to be
// settled once the excerpt was read or came to nothing: a process that dies in between
// has used one too many, never one too few. The error is a *bus.Refusal where there is
// no room.
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

// Opened is the grant that a budget token stands for. It uses nothing of it, and says
// nothing of whether it is good still. The error wraps bus.ErrForged or
// bus.ErrUnknownGrant.
func (l *Ledger) Opened(token string) (bus.Grant, error) {
	key, err := l.readKey()
	if err != nil {
		return bus.Grant{}, err
	}
	if key == nil { // nothing was ever signed here
		return bus.Grant{}, bus.ErrUnknownGrant
	}
	b, err := read[book](l, grantsName)
	if err != nil {
		return bus.Grant{}, err
	}
	return bus.OpenToken(token, key, b.find)
}

// Settle says how many tokens the excerpt of a place had; 0 gives the place
// back, unless a content was Reached. It answers with what the agent's turn has pulled since it began.
func (l *Ledger) Settle(ctx context.Context, p Place, tokens int) (bus.Turn, error) {
	ctx = context.WithoutCancel(ctx) // what was handed out is to be paid for
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

// errForgotten: what was taken is gone with the file that kept it.
var errForgotten = errors.New("the grant no longer exists")
