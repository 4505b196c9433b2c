package memory

import (
	"errors"

	"engram/bus"
	"engram/bus/ledger"
)

// isOfBus reports whether an error is one of what agents exchange.
func isOfBus(err error) bool {
	var (
		key   *ledger.KeyError
		read  *bus.ReadError
		fault *bus.GrantError
	)
	for _, known := range []error{bus.ErrRefused, bus.ErrForged, bus.ErrUnknownGrant, ledger.ErrNoGrant, ledger.ErrNotTheirs, ledger.ErrManyGrants, ledger.ErrManyDerived} {
		if errors.Is(err, known) {
			return true
		}
	}
	return errors.As(err, &key) || errors.As(err, &read) || errors.As(err, &fault)
}

// classifyBus is the part of Classify for what agents exchange.
func classifyBus(err error) (code Code, hint string) {
	var refusal *bus.Refusal
	var key *ledger.KeyError
	var read *bus.ReadError
	var fault *bus.GrantError
	var engram *RefusedEngram
	switch {
	case errors.As(err, &engram) && engram.Resend == nil && engram.Refusals[0].Resend != "":
		return CodeRefused, "nothing was stored; instead: " + engram.Refusals[0].Resend
	case errors.As(err, &engram):
		return CodeRefused, "mend what is named; nothing was stored"
	case errors.As(err, &refusal) && refusal.Resend != "" && refusal.Code == bus.DerefDenied:
		return CodeRefused, "send this to the parent: " + refusal.Resend
	case errors.As(err, &refusal) && refusal.Resend != "":
		return CodeRefused, "send this instead: " + refusal.Resend
	case errors.Is(err, bus.ErrRefused):
		return CodeRefused, ""
	case errors.Is(err, bus.ErrForged):
		return CodeRefused, "copy the whole token as it was issued, or ask its parent for another"
	case errors.Is(err, bus.ErrUnknownGrant):
		return CodeRefused, "a token is good in the repository where it was issued; ask its parent for another"
	case errors.Is(err, ledger.ErrNoGrant):
		return CodeNo, "`engram bus grants` lists those there are"
	case errors.Is(err, ledger.ErrNotTheirs):
		return CodeRefused, "`engram bus grants` shows who issued it"
	case errors.Is(err, ledger.ErrManyGrants):
		return CodeRefused, "`engram bus grants` lists them; `engram bus revoke ID` ends one"
	case errors.Is(err, ledger.ErrManyDerived):
		return CodeRefused, "ask the parent for a grant of its own"
	case errors.As(err, &key):
		return CodeUnusable, "let its owner alone read it: chmod 600 " + key.Path + "; or remove it, which ends all grants"
	case errors.As(err, &read):
		return CodeUsage, "`engram bus schema` prints the form, `engram bus validate` says what is wrong with a message"
	case errors.As(err, &fault):
		return CodeUsage, "`engram bus grants` shows what is left of each; `engram bus grant --help` what a grant may have"
	}
	return CodeFailure, ""
}
