package memory_test

import (
	"errors"
	"strings"
	"testing"

	"engram/memory"
)

// TestUsage: what is wrong is said once, and what to do instead in a hint.
func TestUsage(t *testing.T) {
	b := newMemory(t)
	commit := func(in memory.CommitInput) error { _, err := b.Commit(t.Context(), in); return err }
	query := func(in memory.QueryInput) error { _, err := b.Query(t.Context(), in); return err }
	resolve := func(in memory.ResolveInput) error {
		in.ConflictID, in.Reason = "ab", "Because."
		_, err := b.Resolve(t.Context(), in)
		return err
	}
	for name, tt := range map[string]struct {
		err           error
		message, hint string
	}{
		"empty question":       {query(memory.QueryInput{}), "the question is empty", "in a sentence"},
		"limit":                {query(memory.QueryInput{Question: "x", Limit: 99}), "limit 99 is not between 1 and 50", "default"},
		"kind":                 {query(memory.QueryInput{Question: "x", Kind: "desicion"}), `kind "desicion" is not one of `, "did you mean decision?"},
		"delete":               {commit(memory.CommitInput{Operation: "delete"}), "delete needs to know which fact ends", "a query shows the key"},
		"operation":            {commit(memory.CommitInput{Claim: "x", Operation: "ad"}), `operation "ad" is not one of add, update, delete or none`, "did you mean add?"},
		"resolution":           {resolve(memory.ResolveInput{How: "winer"}), `resolution_type "winer" is not one of winner, merge, dismissed`, "did you mean winner?"},
		"winner without name":  {resolve(memory.ResolveInput{How: "winner"}), "the resolution winner needs a winner", "--winner"},
		"merge without claims": {resolve(memory.ResolveInput{How: "merge"}), "merge needs a third claim", "--merge-claim"},
		"TTL":                  {commit(memory.CommitInput{Claim: "x", TTL: "soon"}), "soon", "P30D"},
	} {
		code, hint := classified(tt.err)
		if code != memory.CodeUsage || !errors.Is(tt.err, memory.ErrUsage) {
			t.Errorf("%s: %v is %s", name, tt.err, code)
			continue
		}
		if said := tt.err.Error(); !strings.Contains(said, tt.message) || strings.Contains(said, "usage") || !strings.Contains(hint, tt.hint) {
			t.Errorf("%s: %s (%s)", name, said, hint)
		}
	}
}
