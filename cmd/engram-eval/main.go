// Command engram-eval measures how well engram finds facts and contradictions, and what
// breaks memory tools.
//
// It is for those who work on engram. It shares options, configuration and
// printing with command engram, and is not part of what users install.
package main

import (
	"os"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
)

func main() { os.Exit(run(os.Args[1:], app.System())) }

const rootLong = `Measure how well engram finds facts, beside git grep and a plain BM25, over the
same facts and questions; and how well it finds contradictions, beside a
comparison of words, over pairs of facts; and what kills, clones and secrets do to
memory tools. Your repository is neither read nor changed.`

// run carries out one command line and returns its exit status.
func run(args []string, a *app.App) int {
	root := &cobra.Command{
		Use: "engram-eval", Short: "Measure how well facts and contradictions are found", Long: rootLong,
		Example: "  engram-eval retrieval\n  engram-eval detection --data DIR --suite structured --json",
		Args:    app.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	g := app.NewGlobals(a, root)
	root.AddCommand(newRetrievalCmd(g), newDetectionCmd(g), newWeightsCmd(g), newAuditCmd(g), newTableCmd(g), newNeedlesCmd(g), newReplayCmd(g), newTortureCmd(g))
	return g.Execute(root, args)
}
