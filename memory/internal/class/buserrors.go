package class

import (
	"engram/bus"
	"engram/bus/ledger"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/memory/internal/exchange"
)

// busClasses are the errors of what agents exchange.
func busClasses() []class {
	grants := hint.Do(hint.ListGrants)
	return []class{
		{core.CodeRefused, as(exchange.RefusedEngramHint)},
		{core.CodeRefused, as(exchange.RefusalHint)},
		{core.CodeRefused, is(hint.Hint{}, bus.ErrRefused)},
		{core.CodeRefused, is(hint.New("copy the whole token as it was issued, or ask its parent for another"), bus.ErrForged)},
		{core.CodeRefused, is(hint.New("a token is good in the repository where it was issued; ask its parent for another"), bus.ErrUnknownGrant)},
		{core.CodeNo, is(hint.New("%s lists the grants", grants), ledger.ErrNoGrant)},
		{core.CodeRefused, is(hint.New("%s shows who issued it", grants), ledger.ErrNotTheirs)},
		{core.CodeRefused, is(hint.New("%s lists them; %s ends one", grants, hint.Do(hint.RevokeGrant, "ID")), ledger.ErrManyGrants)},
		{core.CodeRefused, is(hint.New("ask the parent for a grant of its own"), ledger.ErrManyDerived)},
		{core.CodeUnusable, as(func(e *ledger.KeyError) hint.Hint {
			return hint.New("let its owner alone read it: chmod 600 %s; or remove it, which ends all grants", e.Path)
		})},
		{core.CodeUsage, as(always[*bus.ReadError]("%s prints the form, %s says what is wrong with a message", hint.Do(hint.ShowMessageForm), hint.Do(hint.ValidateMessage)))},
		{core.CodeUsage, as(func(*bus.GrantError) hint.Hint { return exchange.GrantHint() })},
	}
}
