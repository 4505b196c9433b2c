package conflicts

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

// completeConflicts offers the conflicts of a status for the first most
// arguments, with what is wrong; 0 is no limit.
func completeConflicts(g *app.Globals, status string, most int) cobra.CompletionFunc {
	return app.CompleteArgs(most, func(cmd *cobra.Command, args []string, prefix string) (offers []string, _ cobra.ShellCompDirective) {
		for _, c := range conflictsToOffer(cmd.Context(), g, status, prefix) {
			if !slices.Contains(args, show.ShortID(c)) {
				offers = append(offers, show.ShortID(c)+"\t"+term.Plain(c.Explanation))
			}
		}
		if len(offers) == 0 && most == 1 { // the key of a fact will do as well
			return app.KeysBelow(cmd.Context(), g, prefix)
		}
		return offers, cobra.ShellCompDirectiveNoFileComp
	})
}

// completeSides offers the sides of the conflict that is named already.
func completeSides(cmd *cobra.Command, g *app.Globals) {
	app.CompleteWith(cmd, "winner", func(c *cobra.Command, args []string, _ string) (offers []string, _ cobra.ShellCompDirective) {
		if len(args) == 1 {
			for _, found := range conflictsToOffer(c.Context(), g, show.StatusOpen, args[0]) {
				offers = append(offers, found.KeyA+"\t"+term.Plain(app.ClaimOf(found.A)), found.KeyB+"\t"+term.Plain(app.ClaimOf(found.B)))
			}
		}
		return offers, cobra.ShellCompDirectiveNoFileComp
	})
}

// conflictsToOffer are those whose ids begin with prefix. It stays silent where
// there is no memory.
func conflictsToOffer(ctx context.Context, g *app.Globals, status, prefix string) []memory.Conflict {
	result := app.Offer(ctx, g.OpenWithModel, func(ctx context.Context, m *memory.Memory) (memory.ConflictsResult, error) {
		return m.Conflicts(ctx, memory.ConflictsInput{Status: status, Key: prefix})
	})
	return result.Conflicts
}
