package agents

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

type briefOptions struct {
	*app.Globals
	in     memory.BroadcastInput
	grants []string
	budget int
}

const briefLong = `Print what matters now, in short: open conflicts, constraints, and what bears on
the code branch and its changed files. This is what agents are told when a
session begins.

With --goal, --instruction or --to it prints a shared brief for another agent
instead: the message of a parent to a child, as YAML. The goal comes first, then
constraints, open conflicts and the facts that matter most for goal, role,
instructions and files, each quoted with its key, its author and its marks; then
pointers to their evidence, the budgets, and the grants that --grant issues. It
has at most 30 lines, and the tokens of the inline budget (800). What the child
may not read is not in it. The child's turn begins anew. Of agents, only parents
may: bus.parents in .engram.yml lists them.`

const briefExample = `  engram brief
  engram brief --goal "sessions end after an hour" --to reviewer-1 \
      --role reviewer --instruction "emit at most five engrams"
  engram brief --goal "sessions end after an hour" --to reviewer-1 \
      --file internal/auth/session.go --grant internal/auth/session.go:10-80`

// NewBriefCmd returns "engram brief".
func NewBriefCmd(g *app.Globals) *cobra.Command {
	opts := briefOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "brief", Short: "Print a brief for you or for another agent", Long: briefLong, Example: briefExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := opts.check(cmd.Flags()); err != nil {
				return err
			}
			if !opts.forAgent() {
				return runBrief(cmd.Context(), opts, g.Out)
			}
			return runBroadcast(cmd.Context(), opts, g.Out)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&opts.in.Goal, "goal", "g", "", "what is to be reached, in `WORDS`")
	f.StringVar(&opts.in.Child, "to", "", "`NAME` of the agent that it is for")
	f.StringVar(&opts.in.Role, "role", "", "its `ROLE`, which says what matters to it: reviewer, say")
	f.StringArrayVarP(&opts.in.Instructions, "instruction", "i", nil, "what it is to do, in `WORDS`; may be repeated")
	f.StringVarP(&opts.in.Scope, "scope", "s", "", "topic `PATH` that what matters is in; constraints are told whatever theirs")
	f.StringArrayVarP(&opts.in.Files, "file", "f", nil, "a `FILE` that it works on, from this folder; may be repeated (default: changed files)")
	f.StringArrayVar(&opts.grants, "grant", nil, "let it pull this `POINTER` beyond its budget; may be repeated")
	f.StringVar(&opts.in.Parent, "from", "", "`NAME` of the agent that briefs (ENGRAM_AGENT; default: a person)")
	f.StringVar(&opts.in.ParentRole, "from-role", "", "its `ROLE` (default: its name, or else parent)")
	f.IntVar(&opts.budget, "budget", 0, "at most so many `TOKENS` of the brief about the branch (default: 800)")
	app.CompleteWith(cmd, "to", app.CompleteChildren(g))
	for _, name := range []string{"goal", "role", "instruction", "from", "from-role", "budget"} {
		app.CompleteWith(cmd, name, cobra.NoFileCompletions)
	}
	return cmd
}

func runBrief(ctx context.Context, opts briefOptions, out *term.Streams) error {
	m, s, done, err := opts.Open(ctx)
	if err != nil {
		return err
	}
	defer done()
	result, err := m.Brief(ctx, memory.BriefInput{Files: opts.briefFiles(ctx, m, s, out), Budget: opts.budget, Scope: opts.in.Scope})
	if err != nil {
		return err
	}
	if opts.JSON {
		return out.JSON(result)
	}
	if budget := cmp.Or(opts.budget, memory.DefaultBriefBudget); result.Tokens > budget {
		out.Message("warning: this takes %d tokens, more than the budget of %d: its frame alone does", result.Tokens, budget)
	}
	out.Printf("%s", result.Text())
	return nil
}

func runBroadcast(ctx context.Context, opts briefOptions, out *term.Streams) error {
	m, s, done, err := opts.Open(ctx)
	if err != nil {
		return err
	}
	defer done()
	in := opts.in
	in.Parent = cmp.Or(in.Parent, s.Agent)
	in.Files = opts.briefFiles(ctx, m, s, out)
	for _, pointer := range opts.grants {
		in.Grants = append(in.Grants, memory.GrantInput{Pointer: opts.FromTop(m.WorkTree(), pointer)})
	}
	result, err := m.Broadcast(ctx, in)
	if err != nil {
		return err
	}
	if opts.JSON {
		return out.JSON(result)
	}
	show.Notes(out, result.Notes)
	if result.Omitted > 0 {
		out.Message("note: %s found and left out for want of room", term.Plural(result.Omitted, "item was", "items were"))
	}
	out.Printf("%s", strings.TrimRight(result.Text, "\n")+"\n")
	return nil
}
