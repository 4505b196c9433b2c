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
	return app.CompleteFrom(g, 1, func(ctx context.Context, m *memory.Memory) (offers []string, err error) {
		r, err := m.Invitations(ctx)
		for _, i := range r.Invitations {
			if i.State == memory.InviteOpen || i.State == memory.InviteUsedUp {
				offers = append(offers, i.ID+"\t"+term.Plain(show.NameOf(i.By)))
			}
		}
		return offers, err
	})
}

// completeRemotes offers the names of git's remotes.
func completeRemotes(g *app.Globals) cobra.CompletionFunc {
	return app.CompleteFrom(g, 0, func(ctx context.Context, m *memory.Memory) ([]string, error) { return m.Remotes(ctx) })
}
