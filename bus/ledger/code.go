package ledger

import (
	"context"
	"fmt"

	"engram/bus"
)

// CodeAllowance is how many characters of code an agent may have in a message by the
// grants that it shows. It uses none of them up. The error is a *bus.Refusal where one
// of them is not good for that.
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

// UseCode uses grants up, in their order, for a message with so many characters of
// code: one use of each that is needed. The error is a *bus.Refusal where they do not
// suffice; then none is used.
func (l *Ledger) UseCode(ctx context.Context, agent string, tokens []string, chars int) error {
	if chars <= 0 {
		return nil
	}
	key, err := l.key(ctx)
	if err != nil {
		return err
	}
	return update(ctx, l, grantsName, true, func(b *book) error {
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
			rest -= amount
		}
		if rest > 0 {
			return refuseCode(fmt.Sprintf("the message has %d characters of code, %d more than its grants allow", chars, rest))
		}
		return nil
	})
}

// codeGrants are the grants of tokens, each once.
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
