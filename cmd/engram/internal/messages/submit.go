package messages

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/term"
	"engram/memory"
)

type submitOptions struct {
	*app.Globals
	in memory.MessageInput
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
		Args: oneMessage,
		RunE: func(cmd *cobra.Command, args []string) error { return runSubmit(cmd.Context(), opts, args) },
	}
	messageFlags(cmd, &opts.in)
	return cmd
}

func runSubmit(ctx context.Context, opts submitOptions, args []string) error {
	in := opts.in
	var err error
	if in.Text, err = readMessage(ctx, opts.Globals, args); err != nil {
		return err
	}
	print := func(out *term.Streams, r memory.SubmitResult) { printSubmit(out, r, in.Agent) }
	result, err := app.Show(ctx, opts.Globals, opts.OpenToWrite, print, func(m *memory.Memory, s config.Settings) (memory.SubmitResult, error) {
		if in.Agent = cmp.Or(in.Agent, s.Agent); in.Agent == "" {
			opts.Out.Message("note: no agent is named (--agent, ENGRAM_AGENT), so it is taken as a person's")
		}
		return m.Submit(ctx, in)
	})
	if err != nil {
		return err
	}
	return verdictStatus(result.Verdict)
}
