package bus

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"engram/facts"
)

// Standing is a grant and its usage. What was passed on to others counts as used, so a
// grant and all grants derived from it never exceed what it allows.
type Standing struct {
	Grant
	Used    int       `json:"used"`  // uses
	Spent   int       `json:"spent"` // of the cap
	Revoked time.Time `json:"revoked,omitzero"`
	// Ended is when the grant was first seen to have expired: setting the clock back
	// does not reopen it.
	Ended time.Time `json:"ended,omitzero"`
}

// GrantState is the state of a grant.
type GrantState string

// The states of a grant.
const (
	GrantOpen    GrantState = "open"
	GrantUsedUp  GrantState = "used up"
	GrantExpired GrantState = "expired"
	GrantRevoked GrantState = "revoked"
)

// Left returns the unused part of the grant, whatever its state.
func (s Standing) Left() Left {
	return Left{Uses: max(s.Uses-s.Used, 0), Cap: max(s.Cap-s.Spent, 0)}
}

// State returns the state of the grant at a given time.
func (s Standing) State(now time.Time) GrantState {
	left := s.Left()
	switch {
	case !s.Revoked.IsZero():
		return GrantRevoked
	case !s.Ended.IsZero() || !now.Before(s.Expires):
		return GrantExpired
	case left.Uses == 0 || left.Cap == 0:
		return GrantUsedUp
	}
	return GrantOpen
}

// Serves returns a *GrantError if an agent cannot use the grant for a purpose now. It
// checks expiry and revocation last, so that other agents learn nothing about them.
func (s Standing) Serves(agent string, purpose Purpose, now time.Time) error {
	switch {
	case s.Child != agent:
		return faulty("grant %s is for another agent", s.ID)
	case s.Purpose != purpose:
		return faulty("grant %s is for %s, not for %s", s.ID, s.Purpose, purpose)
	}
	switch s.State(now) {
	case GrantRevoked:
		return faulty("grant %s was revoked at %s", s.ID, s.Revoked.UTC().Format(time.RFC3339))
	case GrantExpired:
		return faulty("grant %s expired at %s", s.ID, s.Expires.UTC().Format(time.RFC3339))
	case GrantUsedUp:
		return faulty("grant %s is used up: %d of %d uses and %d of %d of its cap", s.ID, s.Used, s.Uses, s.Spent, s.Cap)
	}
	return nil
}

// Pays is Serves for an excerpt of an address. It returns how many tokens the grant has
// left.
func (s Standing) Pays(agent string, a facts.Address, now time.Time) (tokens int, err error) {
	if err := s.Serves(agent, ForDeref, now); err != nil {
		return 0, err
	}
	if !s.Covers(a) {
		return 0, faulty("grant %s covers only %s", s.ID, s.Pointer)
	}
	return s.Left().Cap, nil
}

// errNoUse reports that a use was returned that was never taken.
var errNoUse = errors.New("no use to give back")

// Take takes one use and amount of the cap.
func (s *Standing) Take(amount int) {
	s.Used, s.Spent = s.Used+1, s.Spent+amount
}

// Settle replaces the amount that was taken by the amount that was used. If the use does
// not count because nothing was read, Settle returns it.
func (s *Standing) Settle(taken, amount int, counts bool) error {
	if s.Used < 1 || s.Spent < taken {
		return fmt.Errorf("grant %s: %w", s.ID, errNoUse)
	}
	if s.Spent += amount - taken; !counts {
		s.Used--
	}
	return nil
}

// OrDefault fills in the defaults of a grant. A grant derived from another gets at most
// what is left of that one.
func (g Grant) OrDefault(from *Standing) Grant {
	cap, uses, expires := DefaultGrantCap, DefaultGrantUses, g.Issued.Add(DefaultGrantLifetime)
	if from != nil {
		left := from.Left()
		cap, uses = min(cap, left.Cap), min(uses, left.Uses)
		if from.Expires.Before(expires) {
			expires = from.Expires
		}
	}
	g.Cap, g.Uses, g.Purpose = cmp.Or(g.Cap, cap), cmp.Or(g.Uses, uses), cmp.Or(g.Purpose, ForDeref)
	if g.Expires.IsZero() {
		g.Expires = expires
	}
	return g
}
