package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"engram/memory"
)

// completeConflicts offers the conflicts of a status for the first most
// arguments, with what is wrong; 0 is no limit.
func completeConflicts(g *globals, status string, most int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
		var offers []string
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, c := range g.conflictsToOffer(cmd.Context(), status, prefix) {
			if !slices.Contains(args, shortID(c)) {
				offers = append(offers, shortID(c)+"\t"+plain(c.Explanation))
			}
		}
		if len(offers) == 0 && most == 1 { // the key of a fact will do as well
			return keysBelow(cmd.Context(), g, prefix)
		}
		return offers, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeSides offers the sides of the conflict that is named already.
func completeSides(cmd *cobra.Command, g *globals) {
	completeWith(cmd, "winner", func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) != 1 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var offers []string
		for _, found := range g.conflictsToOffer(c.Context(), statusOpen, args[0]) {
			offers = append(offers, found.KeyA+"\t"+plain(claimOf(found.A)), found.KeyB+"\t"+plain(claimOf(found.B)))
		}
		return offers, cobra.ShellCompDirectiveNoFileComp
	})
}

func claimOf(f *memory.Fact) string {
	if f == nil {
		return ""
	}
	return f.Claim
}

// conflictsToOffer are those whose ids begin with prefix. It stays silent where
// there is no memory.
func (g *globals) conflictsToOffer(ctx context.Context, status, prefix string) []memory.Conflict {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	m, _, done, err := g.openWithModel(ctx)
	if err != nil {
		return nil
	}
	defer done()
	result, err := m.Conflicts(ctx, memory.ConflictsInput{Status: status, Key: prefix})
	if err != nil {
		return nil
	}
	return result.Conflicts
}
