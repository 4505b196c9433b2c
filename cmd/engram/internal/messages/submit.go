package messages

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

type submitOptions struct {
	*app.Globals
	args []string
	in   memory.MessageInput
}

const submitLong = `Submit an agent's report to its parent: ROLE, TASK_STATUS, ENGRAMS and OUTPUT,
perhaps POINTER_PACK and DEREF_REQUESTS, as YAML or JSON. Its engrams become
facts, all of them or none, and its turn ends.

A message that breaks the form or the budgets, or has an engram whose pointers
name no commit or do not resolve, writes nothing, and the answer says how to
send it again. The exit code is that of "engram bus validate": 4 if the message
exceeds the budgets, 1 if the form is wrong or a claim has no evidence.

Without an agent the message counts as a person's.

In a pipe it prints a line for each engram: key, what was done (add, update or
none), fact id, revision.`

const submitExample = `  engram bus submit report.yml --agent reviewer-1
  agent | engram bus submit --agent reviewer-1`

func newBusSubmitCmd(g *app.Globals) *cobra.Command {
	opts := submitOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "submit [FILE|-]", Short: "Hand in an agent's report: its engrams become facts", Long: submitLong, Example: submitExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runSubmit(cmd.Context(), opts, g.Out)
		},
	}
	cmd.Flags().StringVarP(&opts.in.Agent, "agent", "a", "", "`NAME` of the agent that reports (ENGRAM_AGENT)")
	cmd.Flags().StringArrayVar(&opts.in.BudgetTokens, "budget-token", nil, "`TOKEN` of a grant for code in it; may be repeated")
	app.CompleteWith(cmd, "agent", cobra.NoFileCompletions)
	app.CompleteWith(cmd, "budget-token", cobra.NoFileCompletions)
	return cmd
}

func runSubmit(ctx context.Context, opts submitOptions, out *term.Streams) error {
	path, err := messagePath("bus submit", opts.args)
	if err != nil {
		return err
	}
	text, err := opts.FileText(ctx, "the message", path)
	if err != nil {
		return err
	}
	m, s, done, err := opts.OpenToWrite(ctx)
	if err != nil {
		return err
	}
	defer done()
	opts.in.Text, opts.in.Agent = []byte(text+"\n"), cmp.Or(opts.in.Agent, s.Agent)
	if opts.in.Agent == "" {
		out.Message("note: no agent is named (--agent, ENGRAM_AGENT), so it is taken as a person's")
	}
	result, err := m.Submit(ctx, opts.in)
	if err != nil {
		return err
	}
	if opts.JSON {
		err = out.JSON(result)
	} else {
		printSubmit(out, result, opts.in.Agent)
	}
	if err == nil {
		err = verdictStatus(result.Verdict)
	}
	return err
}
