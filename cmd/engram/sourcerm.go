package main

import (
	"context"

	"github.com/spf13/cobra"
)

type sourceRmOptions struct {
	*globals
	name string
}

const sourceRmLong = `Remove a source: its entry, its reference, and all that was derived from it. The
other repository is not touched, and facts that were published to it stay there.`

func newSourceRmCmd(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "rm NAME", Aliases: []string{"remove"}, Short: "Remove a source", Long: sourceRmLong,
		Example:           "  engram source rm org",
		ValidArgsFunction: completeSources(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return missing("source rm", "the name of one source")
			}
			return runSourceRm(cmd.Context(), sourceRmOptions{g, args[0]}, g.io)
		},
	}
}

func runSourceRm(ctx context.Context, opts sourceRmOptions, io *streams) error {
	m, _, err := opts.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	result, err := m.RemoveSource(ctx, opts.name)
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(result)
	}
	io.pairs("", []pair{{"removed", result.Name}, {"left", result.Left}})
	return nil
}
