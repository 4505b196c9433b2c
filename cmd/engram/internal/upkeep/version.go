package upkeep

import (
	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
)

// NewVersionCmd returns "engram version".
func NewVersionCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version of engram",
		Long:    "Say which engram this is, which branch format it writes and how it was built.",
		Example: "  engram version\n  engram version --json",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			return term.Print(g.Out, g.JSON, app.ThisVersion(), printVersion)
		},
	}
}

func printVersion(out *term.Streams, v app.Version) {
	commit := term.Short(v.Commit)
	if v.Modified {
		commit += "+changes"
	}
	if commit != "" {
		commit = ", " + commit
	}
	out.Printf("engram %s%s (format %d, %s, %s)\n", v.Version, commit, v.Format, v.Go, v.Platform)
}
