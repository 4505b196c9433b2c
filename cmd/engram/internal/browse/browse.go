// Package browse is the terminal view of the memory: search as you type, facts with their history,
// conflicts side by side, sessions.
package browse

import (
	"context"
	"errors"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
)

const long = `Look at the memory on a terminal: facts, found while you type, each with its
history; open conflicts with both sides, to be settled with a reason; sessions
as conversations. It shows what the commands show, and changes nothing but the
conflicts that you settle.

  /         search            j k       next and previous
  1 2 3     facts, conflicts, sessions  (tab goes through them)
  h         history of the fact         enter     read; esc goes back
  a b d     settle a conflict: A stands, B stands, dismiss
  r         read again        ?         keys        q         quit`

// NewBrowseCmd returns "engram browse".
func NewBrowseCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "browse [QUESTION…]", Short: "Look at the memory on a terminal", Long: long,
		Example:           "  engram browse\n  engram browse refund limit",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if g.JSON || !g.Out.Asks {
				return fault.Usage("browse needs a terminal", "`engram query`, `engram list` and `engram conflicts` print the same for scripts")
			}
			return run(cmd.Context(), g, args)
		},
	}
}

func run(ctx context.Context, g *app.Globals, question []string) error {
	g.Scanner.Warm() // a reason is looked at for secrets
	// The screen is ours: neither progress nor questions of git may write to it.
	g.Out.Progress, g.Out.Asks = term.NewProgress(io.Discard, false, g.Now), false
	m, s, done, err := g.OpenWithModel(ctx)
	if err != nil {
		return err
	}
	defer done()
	src := newSource(ctx, m, s, g.Out)
	first, err := src.list(facts, "")
	if err == nil {
		err = g.Out.Flush()
	}
	if err != nil {
		return err
	}
	_, err = tea.NewProgram(newModel(src, first, strings.Join(question, " ")), tea.WithContext(ctx)).Run()
	if errors.Is(err, tea.ErrInterrupted) || ctx.Err() != nil {
		return nil // Ctrl-C is one way to leave
	}
	return err
}
