package read

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/facts"
	"engram/memory"
)

type listOptions struct {
	*app.Globals
	in memory.ListInput
}

const listLong = `List all current facts by key, or those below a key prefix. Facts bound to code
branches are listed only for the branch that this work tree is on. --source
lists the facts of a source that this repository may see.

In a pipe it prints, tab-separated: key, state, scope, kind, type, agent,
committed_at, claim, and "disputed" if the fact has an open conflict. Warnings
on stderr name facts that are disputed, and facts whose evidence has changed or
is gone.`

const listExample = `  engram list
  engram list domain/auth
  engram list --source org
  engram list --scope payments --kind decision
  engram list --all --json | jq -r '.facts[] | select(.state == "retired").key'`

// NewListCmd returns "engram list".
func NewListCmd(g *app.Globals) *cobra.Command {
	opts := listOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "list [PREFIX]", Aliases: []string{"ls"}, Short: "List facts by key", Long: listLong, Example: listExample,
		Args: app.AtMostOne("prefix", "`engram list --help` shows how to narrow a list"), ValidArgsFunction: app.CompleteKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.in.Prefix = strings.Join(args, "")
			return runList(cmd.Context(), opts)
		},
	}
	flags.Bind(cmd.Flags(), &opts.in, "scope", "kind", "fact_type", "agent_id", "tag", "all", "limit", "origin", "branch")
	app.CompleteWith(cmd, "source", app.CompleteSources(g, 0))
	return cmd
}

func runList(ctx context.Context, opts listOptions) error {
	if opts.in.Limit < 0 {
		return fault.Usage(fmt.Sprintf("--limit %d is below 0", opts.in.Limit), "0 lists all")
	}
	return app.Answer(ctx, opts.Globals, opts.Open, printList, func(m *memory.Memory, _ config.Settings) (memory.ListResult, error) {
		return m.List(ctx, opts.in)
	})
}

// printList prints facts one below the other.
func printList(out *term.Streams, r memory.ListResult) {
	var old show.Drifted
	var disputed show.Disputed
	for _, f := range r.Facts {
		old.Add(show.Address(f.Origin, f.Key.String()), f.Freshness)
		mark := disputed.Add(show.Address(f.Origin, f.Key.String()), f.HasConflict)
		if !out.Terminal {
			out.Row(show.Address(f.Origin, f.Key.String()), string(f.State), f.Scope, f.Kind, f.FactType, f.AgentID, term.Stamp(f.Committed), f.Claim, mark)
			continue
		}
		state := term.Either(f.State != facts.Current, string(f.State), "")
		branch := term.Either(f.Branch != "", "on "+f.Branch, "")
		meta := term.Dotted(state, f.Scope, f.Kind, term.Ago(out.Now(), f.Committed), f.AgentID, branch)
		if mark != "" {
			mark = out.Color.Dim(" · ") + out.Color.Yellow(mark)
		}
		out.Printf("%s%s\n", out.Color.Bold(term.Plain(show.Address(f.Origin, f.Key.String()))), out.Color.Dim("  "+meta)+mark+show.RestsOnPainted(out, f.Freshness))
		out.Text("  ", f.Claim)
	}
	if out.Terminal {
		summary := []string{term.Plural(len(r.Facts), "fact", "facts"), "revision " + term.Short(r.Revision)}
		if r.Omitted > 0 {
			summary = append(summary, fmt.Sprintf("up to %d more above the limit", r.Omitted))
		}
		out.Printf("%s\n", out.Color.Dim(strings.Join(summary, " · ")))
	}
	show.DisputeWarning(out, disputed)
	show.DriftWarning(out, old)
	show.Notes(out, r.Notes)
	show.Withheld(out, r.Withheld, "are asked for")
	show.Damaged(out, r.Damaged)
}
