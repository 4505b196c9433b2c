package ledger

import (
	"context"
	"fmt"

	"engram/bus"
)

// CodeAllowance returns how many characters of code the grants of tokens permit an agent in
// a message. It uses nothing. The error is a *bus.Refusal if a grant does not permit it.
func (l *Ledger) CodeAllowance(ctx context.Context, agent string, tokens []string) (chars int, err error) {
	key, err := l.key(ctx)
	if err != nil {
		return 0, err
	}
	b, err := read[book](l, grantsName)
	if err != nil {
		return 0, err
	}
	list, err := l.codeGrants(b, agent, tokens, key)
	for _, s := range list {
		chars += s.Left().Cap
	}
	return chars, err
}

// CodePlace is the part of grants that was taken for the code of a message.
type CodePlace struct {
	taken map[string]int // characters, by id of the grant
}

// TakeCode takes what a message with a number of characters of code needs from grants, in
// their order: one use of each. If the message is not stored, the caller must call
// GiveBackCode. The error is a *bus.Refusal if the grants do not suffice; then nothing is
// taken.
func (l *Ledger) TakeCode(ctx context.Context, agent string, tokens []string, chars int) (CodePlace, error) {
	place := CodePlace{taken: make(map[string]int)}
	if chars <= 0 {
		return place, nil
	}
	key, err := l.key(ctx)
	if err != nil {
		return place, err
	}
	err = l.updateGrants(ctx, func(b *book) error {
		list, err := l.codeGrants(*b, agent, tokens, key)
		if err != nil {
			return err
		}
		rest := chars
		for _, s := range list {
			amount := min(rest, s.Left().Cap)
			if amount == 0 {
				break
			}
			s.Take(amount)
			b.put(s)
			place.taken[s.ID] = amount
			rest -= amount
		}
		if rest > 0 {
			return refuseCode(fmt.Sprintf("the message has %d characters of code, %d more than its grants allow", chars, rest))
		}
		return nil
	})
	if err != nil {
		return CodePlace{}, err
	}
	return place, nil
}

// GiveBackCode returns what TakeCode took. It is called at most once.
func (l *Ledger) GiveBackCode(ctx context.Context, place CodePlace) error {
	if len(place.taken) == 0 {
		return nil
	}
	ctx = context.WithoutCancel(ctx) // also if the cancellation is why the message was not stored
	return l.updateGrants(ctx, func(b *book) error {
		for id, amount := range place.taken {
			s, ok := (*b)[id]
			if !ok {
				continue // the grant was pruned
			}
			if err := s.Settle(amount, 0, false); err != nil {
				return err
			}
			b.put(s)
		}
		return nil
	})
}

// codeGrants returns the grants of tokens, each once.
func (l *Ledger) codeGrants(b book, agent string, tokens []string, key []byte) ([]bus.Standing, error) {
	var list []bus.Standing
	seen := make(map[string]bool)
	for _, token := range tokens {
		g, err := bus.OpenToken(token, key, b.find)
		if err != nil {
			return nil, refuseCode(err.Error())
		}
		s := b[g.ID]
		if err := s.Serves(agent, bus.ForCode, l.moment()); err != nil {
			return nil, refuseCode(err.Error())
		}
		if !seen[g.ID] {
			seen[g.ID] = true
			list = append(list, s)
		}
	}
	return list, nil
}

func refuseCode(reason string) *bus.Refusal {
	return &bus.Refusal{Code: bus.BudgetExceeded, Name: "budget_token", Reason: reason}
}
