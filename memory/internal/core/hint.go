package core

import (
	"strings"

	"engram/facts"
	"engram/internal/hint"
)

// Hints of several requests.
var (
	BudgetHint   = hint.New("omit %s to use the default, or state one above 0", hint.Budget)
	OneOfTwoHint = hint.New("omit one of the two")
)

// OmitHint says that a field has a default.
func OmitHint(f hint.Field) hint.Hint { return hint.New("omit %s to use the default", f) }

// VersionsHint names the command that shows the versions of a key.
func VersionsHint(key facts.Key) hint.Hint {
	return hint.New("%s shows its versions", hint.Do(hint.ShowLog, key))
}

// InvitationsHint names the command that lists the invitations.
func InvitationsHint() hint.Hint {
	return hint.New("%s lists the invitations", hint.Do(hint.ListInvitations))
}

// PermissionHint says who can lift a refusal.
func PermissionHint(e *PermissionError) hint.Hint {
	if e.Policy {
		return hint.New("let a person change it")
	}
	return hint.New("permissions in engram.yml on the memory branch say who may; %s shows them", hint.Do(hint.ShowPolicy))
}

// DidYouMean suggests the word that was probably meant; it is zero if none is near.
func DidYouMean[T ~string](given string, words []T) hint.Hint {
	const most = 2 // letters that differ
	for _, word := range words {
		if len(given) <= 40 && facts.EditDistance(strings.ToLower(given), string(word)) <= most {
			return hint.New("did you mean %s?", word)
		}
	}
	return hint.Hint{}
}
