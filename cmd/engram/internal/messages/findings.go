package messages

import (
	"context"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

const findingsLong = `Show the findings of a task's result, and how the evidence of each stands now:
fresh, moved, drifted, missing or unchecked, as "engram verify" does. It says
whether the same content is there that the agent pointed at, not whether the
finding follows from it.

Exit code 1 if the evidence of a finding has drifted or is missing, or if the
task has no result yet.

In a pipe it prints a line for each pointer, tab-separated: finding, freshness
of the finding, freshness of the pointer, pointer, new place, reason.`

const findingsExample = `  engram bus findings sdd/refunds/9/reviewer-1
  engram bus findings sdd/refunds/9/reviewer-1 --json | jq .counts`

func newBusFindingsCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "findings KEY", Short: "Check the findings of a task's result", Long: findingsLong, Example: findingsExample,
		Args: app.OneKey, ValidArgsFunction: app.CompleteKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return runFindings(cmd.Context(), g, args[0]) },
	}
}

func runFindings(ctx context.Context, g *app.Globals, key string) error {
	result, err := app.Show(ctx, g, g.Open, printFindings, func(m *memory.Memory, s config.Settings) (memory.FindingsResult, error) {
		return m.Findings(ctx, memory.FindingsInput{Key: key, AskedBy: s.Agent})
	})
	return fault.NoIf(result.Counts[memory.Drifted]+result.Counts[memory.Missing] > 0, err)
}

func printFindings(out *term.Streams, r memory.FindingsResult) {
	if out.Terminal {
		out.Printf("%s\n", out.Color.Bold(term.Dotted(r.Key, r.Agent)))
		out.Text("", r.Claim)
		out.Printf("\n")
	}
	for _, f := range r.Findings {
		if out.Terminal {
			out.Printf("%s  %s\n", show.Freshness(out, f.Freshness), term.Indented(term.Plain(f.Text), out.Width, "  "))
		}
		for _, p := range f.Pointers {
			if out.Terminal {
				show.PointerCheck(out, p, len(f.Pointers) > 1)
			} else {
				out.Row(f.Text, string(f.Freshness), string(p.Freshness), p.Ref, p.Now, p.Reason)
			}
		}
	}
	if len(r.Findings) == 0 {
		out.Message("the result names no findings\nhint: `engram verify %s` checks the evidence of the result itself", r.Key)
		return
	}
	parts := append([]string{term.Plural(len(r.Findings), "finding", "findings")}, show.Counts(r.Counts)...)
	if r.Commit != "" || r.WorkTree {
		parts = append(parts, show.Against(r.Commit, r.WorkTree))
	}
	total := term.Dotted(append(parts, "revision "+term.Short(r.Revision))...)
	if out.Terminal {
		out.Printf("%s\n", out.Color.Dim(total))
	} else {
		out.Message("%s", total)
	}
}
