package main

import (
	"context"

	"github.com/spf13/cobra"

	"engram/memory"
)

// completeFrom offers what a function finds in the memory, for the first most
// arguments (0: all). It stays silent where there is no memory.
func completeFrom(g *globals, most int, find func(context.Context, *memory.Memory) []string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx := cmd.Context()
		if ctx == nil {
			ctx = context.Background()
		}
		ctx, cancel := context.WithTimeout(ctx, completionTime)
		defer cancel()
		m, _, err := g.open(ctx)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer m.Close()
		return find(ctx, m), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeInvites offers the ids of invitations that can be revoked.
func completeInvites(g *globals) cobra.CompletionFunc {
	return completeFrom(g, 1, func(ctx context.Context, m *memory.Memory) (offers []string) {
		r, err := m.Invitations(ctx)
		if err != nil {
			return nil
		}
		for _, i := range r.Invitations {
			if i.State == memory.InviteOpen || i.State == memory.InviteUsedUp {
				offers = append(offers, i.ID+"\t"+plain(nameOf(i.By)))
			}
		}
		return offers
	})
}

// completeProposals offers the keys that something is proposed at.
func completeProposals(g *globals) cobra.CompletionFunc {
	return completeFrom(g, 0, func(ctx context.Context, m *memory.Memory) (offers []string) {
		list, err := m.ProposedKeys(ctx)
		if err != nil {
			return nil
		}
		for _, key := range list {
			offers = append(offers, key.String())
		}
		return offers
	})
}

// completeRemotes offers the names of git's remotes.
func completeRemotes(g *globals) cobra.CompletionFunc {
	return completeFrom(g, 0, func(ctx context.Context, m *memory.Memory) (offers []string) {
		offers, err := m.Remotes(ctx)
		if err != nil {
			return nil
		}
		return offers
	})
}
