package share

import (
	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

const sourceRmLong = `Remove a source: its entry, its reference, and everything derived from it. The
other repository is not touched, and facts that were published to it stay there.`

func newSourceRmCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "rm NAME", Aliases: []string{"remove"}, Short: "Remove a source", Long: sourceRmLong,
		Example:           "  engram source rm org",
		ValidArgsFunction: app.CompleteSources(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fault.Missing("source rm", "the name of one source")
			}
			return app.Answer(cmd.Context(), g, g.Open, printSourceRm, func(m *memory.Memory, _ config.Settings) (memory.RemoveResult, error) {
				return m.RemoveSource(cmd.Context(), args[0])
			})
		},
	}
}

func printSourceRm(out *term.Streams, result memory.RemoveResult) {
	out.Pairs("", []term.Pair{{"removed", result.Name}, {"left", result.Left}})
}
