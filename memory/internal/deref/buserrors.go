package deref

import (
	"engram/internal/hint"
)

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
