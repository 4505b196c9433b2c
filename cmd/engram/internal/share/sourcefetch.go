package share

import (
	"cmp"
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/term"
	"engram/memory"
)

const sourceFetchLong = `Update the named sources, or all sources. git transfers only missing objects.
Until then answers reflect the last fetch.

In a pipe it prints, tab-separated: name, revision before, revision, changed
facts that this repository may see, rewritten (true or false), problem.`

func newSourceFetchCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "fetch [NAME…]", Short: "Update sources", Long: sourceFetchLong,
		Example:           "  engram source fetch\n  engram source fetch org",
		ValidArgsFunction: app.CompleteSources(g, 0),
		RunE:              func(cmd *cobra.Command, args []string) error { return runSourceFetch(cmd.Context(), g, args) },
	}
}

// runSourceFetch prints what was fetched even if one of several sources failed.
func runSourceFetch(ctx context.Context, g *app.Globals, names []string) error {
	result, err := app.Ask(ctx, g.Open, func(m *memory.Memory, _ config.Settings) (memory.FetchResult, error) {
		return m.FetchSources(ctx, names)
	})
	if err != nil && len(result.Sources) < 2 { // the error says it all
		return err
	}
	return cmp.Or(term.Print(g.Out, g.JSON, result, printFetches), err)
}

func printFetches(out *term.Streams, r memory.FetchResult) {
	for _, f := range r.Sources {
		printFetch(out, f)
	}
	if len(r.Sources) == 0 {
		out.Message(noSource)
	}
}

func printFetch(out *term.Streams, f memory.SourceFetch) {
	if !out.Terminal {
		out.Row(f.Name, f.Before, f.Revision, strconv.Itoa(f.Changed), strconv.FormatBool(f.Rewritten), f.Problem)
		return
	}
	what := "nothing new"
	switch {
	case f.Problem != "":
		what = f.Problem
	case f.Before != f.Revision:
		what = term.Plural(f.Changed, "fact changed", "facts changed")
	}
	rewritten := term.Either(f.Rewritten, "its history was rewritten, so what engram had derived from it was rebuilt", "")
	out.Printf("%s  %s\n", out.Color.Bold(term.Plain(f.Name)), term.Dotted(what, term.Short(f.Revision), rewritten))
}
