package memory

import "context"

// codeAllowance is how many characters of code an agent may have in a message by the
// grants that it shows. It uses none of them up. The error wraps bus.ErrRefused where
// a token is not good for that.
func (m *Memory) codeAllowance(ctx context.Context, agent string, tokens []string) (chars int, err error) {
	if len(tokens) == 0 {
		return 0, nil
	}
	return m.ledger.CodeAllowance(ctx, agent, tokens)
}

// useCode uses grants up for a message with so many characters of code that was
// accepted. The error wraps bus.ErrRefused where somebody else was faster.
func (m *Memory) useCode(ctx context.Context, agent string, tokens []string, chars int) error {
	return m.ledger.UseCode(ctx, agent, tokens, chars)
}
