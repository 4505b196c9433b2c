package write

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/memory"
)

type retireOptions struct {
	*app.Globals
	reason, agent string
}

const retireLong = `End a fact that no longer holds. Its validity ends now: queries no longer find
it, --as-of questions about earlier times still do, and its history stays.

"engram undo KEY" takes it back.`

const retireExample = `  engram retire domain/auth/session-lifetime --reason "moved to tokens"
  engram retire risk/payments/double-charge`

// NewRetireCmd returns "engram retire".
func NewRetireCmd(g *app.Globals) *cobra.Command {
	opts := retireOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "retire KEY|-", Short: "End a fact that no longer holds", Long: retireLong, Example: retireExample,
		Args: app.OneKey, ValidArgsFunction: app.CompleteKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return runRetire(cmd.Context(), opts, args[0]) },
	}
	cmd.Flags().StringVar(&opts.reason, "reason", "", "`TEXT` that says why; it goes into the commit's message")
	cmd.Flags().StringVarP(&opts.agent, "agent", "a", "", "`NAME` of the agent that ends it (ENGRAM_AGENT)")
	return cmd
}

func runRetire(ctx context.Context, opts retireOptions, arg string) error {
	key, err := opts.Text(ctx, "the key", arg)
	if err != nil {
		return err
	}
	_, err = app.Show(ctx, opts.Globals, opts.OpenToWrite, show.Commit, func(m *memory.Memory, s config.Settings) (memory.CommitResult, error) {
		return m.Retire(ctx, key, opts.reason, cmp.Or(opts.agent, s.Agent))
	})
	if err == nil && !opts.JSON {
		opts.Out.Message("hint: `engram undo %s` takes it back; `engram log %s` shows what it said", key, key)
	}
	return err
}
