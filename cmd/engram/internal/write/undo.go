package write

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/memory"
)

type undoOptions struct {
	*app.Globals
	memory.UndoInput
}

const undoLong = `Take back your last write, as a new commit: a fact that it changed or retired
says again what it said before, a fact that it added is retired, and a conflict
that it settled is open again. The history keeps both commits.

To choose another write, name a commit of "git log engram", a conflict, or a
key: then the last change of that fact is taken back, without what else its
commit wrote. If something changed since, nothing is taken back. To do it again,
take back the undo by its revision.`

const undoExample = `  engram undo
  engram undo --dry-run
  engram undo domain/auth/session-lifetime --reason "it does hold"
  engram undo 3f2a9c1`

// NewUndoCmd returns "engram undo".
func NewUndoCmd(g *app.Globals) *cobra.Command {
	opts := undoOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "undo [REVISION|KEY]", Short: "Take back your last write", Long: undoLong, Example: undoExample,
		Args: app.AtMostOne("revision or key", "take them back one after the other"), ValidArgsFunction: app.CompleteKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runUndo(cmd.Context(), opts, strings.Join(args, ""))
		},
	}
	cmd.Flags().StringVar(&opts.Reason, "reason", "", "`TEXT` that says why; it goes into the commit's message")
	cmd.Flags().StringVarP(&opts.Agent, "agent", "a", "", "`NAME` of the agent that takes it back (ENGRAM_AGENT)")
	cmd.Flags().BoolVar(&opts.Preview, "dry-run", false, "say what would be taken back, and do nothing")
	return cmd
}

func runUndo(ctx context.Context, opts undoOptions, name string) error {
	if strings.Contains(name, "/") {
		opts.Key = name
	} else {
		opts.Revision = name
	}
	_, err := app.Show(ctx, opts.Globals, opts.OpenToWrite, show.Undo(opts.Preview), func(m *memory.Memory, s config.Settings) (memory.UndoResult, error) {
		opts.Agent = cmp.Or(opts.Agent, s.Agent)
		return m.Undo(ctx, opts.UndoInput)
	})
	return err
}
