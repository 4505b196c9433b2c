package write

import (
	"cmp"
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

type promoteOptions struct {
	*app.Globals
	in     memory.PromoteInput
	settle bool
}

const promoteLong = `Make a fact durable, or make a branch-bound fact visible on every branch.

An ephemeral fact becomes durable: its next version has no time to live, and
every query finds it. An ephemeral fact that two queries with --ephemeral found
is promoted automatically.

A fact bound to a code branch (engram commit --branch) becomes the next version
at the key it is for, and so is visible everywhere. If the fact at that key has
been written since and says something else, both stand beside each other until
you settle the conflict. --branch promotes all facts of one branch, whether it
was merged or not. --settle looks at every branch: facts of merged branches
(also by squash, rebase or cherry-pick) are promoted; facts of deleted branches
are retired; facts of branches that git cannot tell, or that this clone has
never seen, wait.

With --branch or --settle it prints in a pipe, tab-separated: promoted, rival,
dropped or waiting; branch; key; the claim or, for waiting facts, the reason.`

const promoteExample = `  engram commit "Port 8080 is taken." --durability ephemeral --key tool/ci/port
  engram promote tool/ci/port
  engram promote --settle
  engram promote --branch=feature/pooler
  engram promote domain/db/port --branch`

// NewPromoteCmd returns "engram promote".
func NewPromoteCmd(g *app.Globals) *cobra.Command {
	opts := promoteOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "promote KEY|-", Short: "Make an ephemeral or branch-bound fact hold for all", Long: promoteLong, Example: promoteExample,
		ValidArgsFunction: app.CompleteKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case opts.settle && (opts.in.Branch != "" || len(args) > 0):
				return fault.Usage("--settle looks at all branches", "omit the key and --branch")
			case opts.settle || opts.in.Branch != "" && len(args) == 0:
				return runPromoteBranches(cmd.Context(), opts)
			}
			if err := app.OneKey(cmd, args); err != nil {
				return err
			}
			return runPromote(cmd.Context(), opts, args[0])
		},
	}
	flags.Bind(cmd.Flags(), &opts.in, "agent_id")
	app.BranchOption(cmd.Flags(), &opts.in.Branch, "promote the facts of the code branch `NAME`; without a name, of the branch of this work tree")
	cmd.Flags().BoolVar(&opts.settle, "settle", false, "look at all branches: promote what was merged, retire what was dropped")
	return cmd
}

func runPromote(ctx context.Context, opts promoteOptions, arg string) error {
	key, err := opts.Text(ctx, "the key", arg)
	if err != nil {
		return err
	}
	if opts.in.Branch != "" {
		opts.in.Key = key
		return runPromoteBranches(ctx, opts)
	}
	result, err := app.Show(ctx, opts.Globals, opts.OpenToWrite, show.Commit, func(m *memory.Memory, s config.Settings) (memory.CommitResult, error) {
		return m.Promote(ctx, key, cmp.Or(opts.in.Agent, s.Agent))
	})
	if err == nil && result.Branch != "" && !opts.JSON {
		opts.Out.Message("hint: it is bound to the branch %s; `engram promote %s --branch=%s` makes it hold for all", result.Branch, key, result.Branch)
	}
	return err
}

func runPromoteBranches(ctx context.Context, opts promoteOptions) error {
	return app.Answer(ctx, opts.Globals, opts.OpenToWrite, printBranches, func(m *memory.Memory, s config.Settings) (memory.BranchesResult, error) {
		if opts.settle {
			return m.SettleBranches(ctx)
		}
		opts.in.Agent = cmp.Or(opts.in.Agent, s.Agent)
		return m.PromoteBranch(ctx, opts.in)
	})
}

// printBranches prints what became of bound facts.
func printBranches(out *term.Streams, r memory.BranchesResult) {
	line := func(what, branch string, key facts.Key, text string) {
		if !out.Terminal {
			out.Row(what, branch, key.String(), text)
			return
		}
		out.Printf("%s %s %s\n", out.Color.Green(what), out.Color.Bold(term.Plain(key.String())), out.Color.Dim("of "+term.Plain(branch)))
		out.Text("  ", text)
	}
	for _, s := range r.Promoted {
		line(term.Either(s.Rival, "rival", "promoted"), s.Branch, s.Key, s.Claim)
		if s.Replaced != nil {
			out.Message("note: %s said before: %s", s.Key.String(), s.Replaced.Claim)
		}
		if s.Rival {
			out.Message("warning: what stands at the key of %s was written since and says something else; `engram audit` makes that a conflict to settle", s.Bound.String())
		}
	}
	for _, s := range r.Dropped {
		line("dropped", s.Branch, s.Key, s.Claim)
	}
	var undecided []string
	for _, w := range r.Waiting {
		if w.Undecided {
			undecided = append(undecided, w.Branch)
		}
		for _, key := range w.Keys {
			line("waiting", w.Branch, key, w.Reason)
		}
	}
	if len(undecided) > 0 {
		out.Message("hint: decide for %s: `engram promote --branch=NAME`, or `engram retire KEY`", strings.Join(undecided, ", "))
	}
	if out.Terminal {
		out.Summary(fmt.Sprintf("%d promoted", len(r.Promoted)), fmt.Sprintf("%d dropped", len(r.Dropped)),
			term.Plural(len(r.Waiting), "branch waits", "branches wait"), "revision "+term.Short(r.Revision))
	}
}
