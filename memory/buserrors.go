package memory

import (
	"engram/bus"
	"engram/bus/ledger"
	"engram/internal/hint"
)

// busClasses are the errors of what agents exchange.
func busClasses() []class {
	grants := hint.Do(hint.ListGrants)
	return []class{
		{CodeRefused, as(refusedEngramHint)},
		{CodeRefused, as(refusalHint)},
		{CodeRefused, is(hint.Hint{}, bus.ErrRefused)},
		{CodeRefused, is(hint.New("copy the whole token as it was issued, or ask its parent for another"), bus.ErrForged)},
		{CodeRefused, is(hint.New("a token is good in the repository where it was issued; ask its parent for another"), bus.ErrUnknownGrant)},
		{CodeNo, is(hint.New("%s lists the grants", grants), ledger.ErrNoGrant)},
		{CodeRefused, is(hint.New("%s shows who issued it", grants), ledger.ErrNotTheirs)},
		{CodeRefused, is(hint.New("%s lists them; %s ends one", grants, hint.Do(hint.RevokeGrant, "ID")), ledger.ErrManyGrants)},
		{CodeRefused, is(hint.New("ask the parent for a grant of its own"), ledger.ErrManyDerived)},
		{CodeUnusable, as(func(e *ledger.KeyError) hint.Hint {
			return hint.New("let its owner alone read it: chmod 600 %s; or remove it, which ends all grants", e.Path)
		})},
		{CodeUsage, as(always[*bus.ReadError]("%s prints the form, %s says what is wrong with a message", hint.Do(hint.ShowMessageForm), hint.Do(hint.ValidateMessage)))},
		{CodeUsage, as(func(*bus.GrantError) hint.Hint { return grantHint() })},
	}
}

func refusedEngramHint(e *RefusedEngram) hint.Hint {
	if first := e.Refusals[0].Resend; e.Resend == nil && first != "" {
		return hint.New("nothing was stored; instead: %s", first)
	}
	return hint.New("fix what is named; nothing was stored")
}

func refusalHint(e *bus.Refusal) hint.Hint {
	switch {
	case e.Resend == "":
		return hint.Hint{}
	case e.Code == bus.DerefDenied:
		return hint.New("send this to the parent: %s", e.Resend)
	}
	return hint.New("send this instead: %s", e.Resend)
}

func grantHint() hint.Hint {
	return hint.New("%s shows what is left of each grant, %s what a grant may have", hint.Do(hint.ListGrants), hint.Do(hint.Help, "bus grant"))
}

// wireWords name actions in refusals, which reach agents in the same bytes by every
// surface.
func wireWords() hint.Words {
	words := hint.CommandLine()
	words.Action = func(a hint.Action) string {
		return map[hint.Action]string{
			hint.Query: "a query", hint.ListFacts: "a list of the facts", hint.ShowLog: "the history of %s", hint.ShowPolicy: "the policy",
			hint.ReadPointer: "less_deref_pointer, or `engram deref`",
		}[a]
	}
	return words
}
