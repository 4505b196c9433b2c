package exchange

import (
	"context"
	"fmt"
)

// codeAllowance is how many characters of code an agent may have in a message by the
// grants that it shows. It uses none of them up. The error wraps bus.ErrRefused where
// a token is not good for that.
func (m *Bus) codeAllowance(ctx context.Context, agent string, tokens []string) (chars int, err error) {
	if len(tokens) == 0 {
		return 0, nil
	}
	return m.Ledger.CodeAllowance(ctx, agent, tokens)
}

// storeWithCode stores the engrams of a message with so many characters of code, and
// uses grants up for that: before, so that of several messages at once none has what
// another took. What was not stored costs nothing. The error wraps bus.ErrRefused where
// somebody else was faster.
func (m *Bus) storeWithCode(ctx context.Context, in MessageInput, chars int, all []ready) ([]PutResult, error) {
	place, err := m.Ledger.TakeCode(ctx, in.Agent, in.BudgetTokens, chars)
	if err != nil {
		return nil, err
	}
	puts, err := m.storeAll(ctx, all)
	if err != nil && puts == nil {
		if failed := m.Ledger.GiveBackCode(ctx, place); failed != nil {
			return nil, fmt.Errorf("%w (and the grants for its code could not be given back: %w)", err, failed)
		}
	}
	return puts, err
}
