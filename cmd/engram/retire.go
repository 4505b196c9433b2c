package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"
)

type retireOptions struct {
	*globals
	args   []string
	reason string
	agent  string
}

const retireLong = `End a fact that no longer holds. Its window closes now: queries stop finding
it, --as-of questions about earlier moments still do, and its history stays.

Retiring can be taken back: commit a claim with the same key again.`

const retireExample = `  engram retire domain/auth/session-lifetime --reason "moved to tokens"
  engram retire risk/payments/double-charge`

func newRetireCmd(g *globals) *cobra.Command {
	opts := retireOptions{globals: g}
	cmd := &cobra.Command{
		Use: "retire KEY|-", Short: "End a fact that no longer holds", Long: retireLong, Example: retireExample,
		ValidArgsFunction: completeKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runRetire(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().StringVar(&opts.reason, "reason", "", "why, in words; it goes into the commit's message")
	cmd.Flags().StringVarP(&opts.agent, "agent", "a", "", "`NAME` of the agent that ends it (ENGRAM_AGENT)")
	return cmd
}

func runRetire(ctx context.Context, opts retireOptions, io *streams) error {
	key, err := opts.oneKey(ctx, "retire", opts.args)
	if err != nil {
		return err
	}
	m, s, err := opts.openToWrite(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	result, err := m.Retire(ctx, key, opts.reason, cmp.Or(opts.agent, s.agent))
	if err != nil {
		return err
	}
	if err := io.committed(result, opts.json); err != nil {
		return err
	}
	if !opts.json {
		io.message("hint: `engram commit CLAIM --key %s` brings it back; `engram log %s` shows what it said", key, key)
	}
	return nil
}

// oneKey is the only argument of a command, or standard input.
func (g *globals) oneKey(ctx context.Context, command string, args []string) (string, error) {
	switch len(args) {
	case 0:
		return "", missing(command, "the key")
	case 1:
		return g.text(ctx, "the key", args[0])
	}
	return "", usage(command+" takes one key", "`engram list` shows the keys there are")
}
