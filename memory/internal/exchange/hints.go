package exchange

import (
	"engram/bus"
	"engram/internal/hint"
)

func RefusedEngramHint(e *RefusedEngram) hint.Hint {
	if first := e.Refusals[0].Resend; e.Resend == nil && first != "" {
		return hint.New("nothing was stored; instead: %s", first)
	}
	return hint.New("fix what is named; nothing was stored")
}

func RefusalHint(e *bus.Refusal) hint.Hint {
	switch {
	case e.Resend == "":
		return hint.Hint{}
	case e.Code == bus.DerefDenied:
		return hint.New("send this to the parent: %s", e.Resend)
	}
	return hint.New("send this instead: %s", e.Resend)
}

func GrantHint() hint.Hint {
	return hint.New("%s shows what is left of each grant, %s what a grant may have", hint.Do(hint.ListGrants), hint.Do(hint.Help, "bus grant"))
}
