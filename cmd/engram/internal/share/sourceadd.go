package share

import (
	"context"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type sourceAddOptions struct {
	*app.Globals
	in memory.SourceInput
}

const sourceAddLong = `Fetch the memory of another repository and add it as a source, under a NAME of
your choice. If it cannot be fetched, or is not a memory, nothing is added.

--scope narrows which facts are read: shared and shared/* both mean that topic
and everything below it. Without it, all facts that the other team shares are
read.`

func newSourceAddCmd(g *app.Globals) *cobra.Command {
	opts := sourceAddOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "add NAME URL", Short: "Fetch a memory and make it a source", Long: sourceAddLong,
		Example: "  engram source add org https://example.com/org/memory.git\n  engram source add org ../org-memory --scope 'shared/*' --scope security",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fault.Missing("source add", []string{"the name", "the address"}[len(args)])
			}
			if len(args) > 2 {
				return fault.Usage("source add takes a name and an address", "`engram source add --help` shows examples")
			}
			opts.in.Name, opts.in.URL = args[0], args[1]
			return runSourceAdd(cmd.Context(), opts)
		},
	}
	flags.Bind(cmd.Flags(), &opts.in, "scopes", "branch")
	return cmd
}

func runSourceAdd(ctx context.Context, opts sourceAddOptions) error {
	print := func(out *term.Streams, r memory.SourceResult) { printSource(out, r.Source) }
	return app.Answer(ctx, opts.Globals, opts.Open, print, func(m *memory.Memory, _ config.Settings) (memory.SourceResult, error) {
		return m.AddSource(ctx, opts.in)
	})
}
