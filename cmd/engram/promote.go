package main

import (
	"context"

	"github.com/spf13/cobra"
)

type promoteOptions struct {
	*globals
	args  []string
	agent string
}

const promoteLong = `Make an ephemeral fact durable: a new version of it, without the time to live.
From then on every query finds it. An ephemeral fact that two queries with
--ephemeral found is promoted without being asked.`

const promoteExample = `  engram commit "Port 8080 is taken." --durability ephemeral --key tool/ci/port
  engram promote tool/ci/port`

func newPromoteCmd(g *globals) *cobra.Command {
	opts := promoteOptions{globals: g}
	cmd := &cobra.Command{
		Use: "promote KEY|-", Short: "Make an ephemeral fact durable", Long: promoteLong, Example: promoteExample,
		ValidArgsFunction: completeKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runPromote(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().StringVarP(&opts.agent, "agent", "a", "", "`NAME` of the agent that promotes it (ENGRAM_AGENT)")
	return cmd
}

func runPromote(ctx context.Context, opts promoteOptions, io *streams) error {
	key, err := opts.oneKey(ctx, "promote", opts.args)
	if err != nil {
		return err
	}
	m, s, err := opts.openToWrite(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	result, err := m.Promote(ctx, key, firstOf(opts.agent, s.agent))
	if err != nil {
		return err
	}
	return io.committed(result, opts.json)
}
