package begin

import (
	"context"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

// completeInvites offers the ids of invitations that can be revoked.
func completeInvites(g *app.Globals) cobra.CompletionFunc {
	return app.CompleteFrom(g, 1, func(ctx context.Context, m *memory.Memory) (offers []string) {
		r, err := m.Invitations(ctx)
		if err != nil {
			return nil
		}
		for _, i := range r.Invitations {
			if i.State == memory.InviteOpen || i.State == memory.InviteUsedUp {
				offers = append(offers, i.ID+"\t"+term.Plain(show.NameOf(i.By)))
			}
		}
		return offers
	})
}

// completeRemotes offers the names of git's remotes.
func completeRemotes(g *app.Globals) cobra.CompletionFunc {
	return app.CompleteFrom(g, 0, func(ctx context.Context, m *memory.Memory) (offers []string) {
		offers, err := m.Remotes(ctx)
		if err != nil {
			return nil
		}
		return offers
	})
}
