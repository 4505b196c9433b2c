package share

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/term"
	"engram/memory"
)

const sourceListLong = `List the sources, with how many facts of each this repository may see, and when
it was fetched.

In a pipe it prints, tab-separated: name, url, branch, scopes, revision,
fetched_at, facts, problem.`

func newSourceListCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List the sources", Long: sourceListLong,
		Example: "  engram source list\n  engram source list --json | jq -r '.sources[].name'",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(cmd.Context(), g, g.Open, printSourceList, func(m *memory.Memory, _ config.Settings) (memory.SourcesResult, error) {
				return m.Sources(cmd.Context())
			})
		},
	}
}

// noSource is the message of commands that find no source.
const noSource = "no source; `engram source add NAME URL` makes one"

func printSourceList(out *term.Streams, result memory.SourcesResult) {
	for _, src := range result.Sources {
		printSource(out, src)
	}
	if len(result.Sources) == 0 {
		out.Message(noSource)
	}
}

// printSource prints one source.
func printSource(out *term.Streams, src memory.Source) {
	if !out.Terminal {
		out.Row(src.Name, src.URL, src.Branch, strings.Join(src.Scopes, " "), src.Revision, term.StampOf(src.Fetched), strconv.Itoa(src.Facts), src.Problem)
		return
	}
	fetched := ""
	if src.Fetched != nil {
		fetched = "fetched " + term.Ago(out.Now(), *src.Fetched)
	}
	out.Printf("%s%s\n", out.Color.Bold(term.Plain(src.Name)), out.Color.Dim("  "+term.Dotted(term.Plural(src.Facts, "fact", "facts"), fetched, term.Short(src.Revision))))
	out.Pairs("  ", []term.Pair{{"url", src.URL}, {"branch", src.Branch}, {"scopes", cmp.Or(strings.Join(src.Scopes, ", "), "all")}})
	if src.Problem != "" {
		out.Painted(out.Color.Red, "  ", src.Problem)
	}
}
