package messages

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/term"
	"engram/memory"
)

const busTurnLong = `Print what is left of an agent's turn: how much code, documents, facts and
tokens it may still read without a grant, and when the turn ends by itself.
Printing uses up nothing.

In a pipe it prints, tab-separated, a line for each of repo_spans,
artifact_sections, sam_items and tokens: name, used, limit, left; then ends and
the time, which is empty if no turn runs.`

func newBusTurnCmd(g *app.Globals) *cobra.Command {
	var agent string
	cmd := &cobra.Command{
		Use: "turn", Short: "Print what is left of an agent's turn", Long: busTurnLong,
		Example: "  engram bus turn --agent reviewer-1\n  engram bus turn --agent reviewer-1 --json | jq .left.tokens",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(cmd.Context(), g, g.Open, printTurn, func(m *memory.Memory, s config.Settings) (memory.TurnResult, error) {
				return m.Turn(cmd.Context(), cmp.Or(agent, s.Agent))
			})
		},
	}
	cmd.Flags().StringVarP(&agent, "agent", "a", "", "`NAME` of the agent whose turn it is (ENGRAM_AGENT)")
	app.CompleteWith(cmd, "agent", app.CompleteChildren(g))
	return cmd
}

func printTurn(out *term.Streams, r memory.TurnResult) {
	ends := ""
	if r.Ends != nil {
		if ends = term.Stamp(*r.Ends); out.Terminal {
			ends = term.Ago(out.Now(), *r.Ends)
		}
	}
	counts := []struct {
		field, words      string
		used, limit, left int
	}{
		{"repo_spans", "spans of code", r.Used.RepoSpans, r.Limits.RepoSpans, r.Left.RepoSpans},
		{"artifact_sections", "sections of documents", r.Used.ArtifactSections, r.Limits.ArtifactSections, r.Left.ArtifactSections},
		{"sam_items", "facts", r.Used.SAMItems, r.Limits.SAMItems, r.Left.SAMItems},
		{"tokens", "tokens", r.Used.Tokens, r.Limits.Tokens, r.Left.Tokens},
	}
	if !out.Terminal {
		for _, c := range counts {
			out.Row(c.field, strconv.Itoa(c.used), strconv.Itoa(c.limit), strconv.Itoa(c.left))
		}
		out.Row("ends", ends)
		return
	}
	list := make([]term.Pair, 0, len(counts)+1)
	for _, c := range counts {
		list = append(list, term.Pair{c.words, fmt.Sprintf("%d of %d left", c.left, c.limit)})
	}
	out.Printf("%s%s\n", out.Color.Bold(term.Plain(r.Agent)), out.Color.Dim("  "+term.Either(ends == "", "no turn runs", "ends "+ends)))
	out.Pairs("  ", list)
}
