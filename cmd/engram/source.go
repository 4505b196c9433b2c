package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"engram/memory"
)

const sourceLong = `Sources are the memories of other repositories, such as one that a whole
organization keeps. Every question is put to them as well, and an answer says
where each fact comes from. They are only read, and only what is meant for
others: facts of reach org or global, in the scopes that were asked for.

A source is an entry in this repository's git configuration, so it is yours and
not the team's. git fetches it, with your keys and settings, when you say so.`

const sourceExample = `  engram source add org git@example.com:org/memory.git --scope 'shared/*'
  engram source list
  engram source fetch
  engram source rm org`

func newSourceCmd(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use: "source", Short: "Read the memories of other repositories, too", Long: sourceLong, Example: sourceExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return usage("there is no command source "+args[0], "`engram source --help` lists what there is")
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSourceAddCmd(g), newSourceListCmd(g), newSourceFetchCmd(g), newSourceRmCmd(g))
	return cmd
}

// completeSources offers the names of sources for the first most arguments; 0 is
// no limit.
func completeSources(g *globals, most int, also ...string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var offers []string
		for _, src := range g.sourcesToOffer(cmd.Context()) {
			if !slices.Contains(args, src.Name) {
				offers = append(offers, src.Name+"\t"+plain(src.URL))
			}
		}
		return append(offers, also...), cobra.ShellCompDirectiveNoFileComp
	}
}

// sourcesToOffer stays silent where there is no repository.
func (g *globals) sourcesToOffer(ctx context.Context) []memory.Source {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	m, _, err := g.open(ctx)
	if err != nil {
		return nil
	}
	defer m.Close()
	result, err := m.Sources(ctx)
	if err != nil {
		return nil
	}
	return result.Sources
}

// sourceFlag adds the option that names a source.
func sourceFlag(cmd *cobra.Command, g *globals, name *string) {
	cmd.Flags().StringVar(name, "source", "", "read the source `NAME` instead of this memory")
	completeWith(cmd, "source", completeSources(g, 0))
}

// from says where a fact comes from that is not of this memory.
func from(origin string) string {
	if origin == "" {
		return ""
	}
	return fmt.Sprintf("from %s", origin)
}

// address is how a fact is named to engram get.
func address(origin, key string) string {
	if origin == "" {
		return key
	}
	return origin + ":" + key
}
