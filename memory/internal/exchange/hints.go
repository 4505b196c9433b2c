package exchange

import (
	"engram/bus"
	"engram/internal/hint"
)

// RefusedEngramHint returns the hint for an engram that was not stored.
func RefusedEngramHint(e *RefusedEngram) hint.Hint {
	if first := e.Refusals[0].Resend; e.Resend == nil && first != "" {
		return hint.New("nothing was stored; instead: %s", first)
	}
	return hint.New("fix what is named; nothing was stored")
}

// RefusalHint returns the hint for a refusal; the zero hint if nothing can be sent instead.
func RefusalHint(e *bus.Refusal) hint.Hint {
	switch {
	case e.Resend == "":
		return hint.Hint{}
	case e.Code == bus.DerefDenied:
		return hint.New("send this to the parent: %s", e.Resend)
	}
	return hint.New("send this instead: %s", e.Resend)
}

// GrantHint returns the hint for a grant that is not valid.
func GrantHint() hint.Hint {
	return hint.New("%s shows what is left of each grant, %s what a grant may have", hint.Do(hint.ListGrants), hint.Do(hint.Help, "bus grant"))
}
