package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"engram/memory"
)

type submitOptions struct {
	*globals
	args []string
	in   memory.MessageInput
}

const submitLong = `Hand in what an agent reports to its parent: ROLE, TASK_STATUS, ENGRAMS and
OUTPUT, perhaps POINTER_PACK and DEREF_REQUESTS, as YAML or JSON. Its engrams
become facts, all of them or none, and its turn ends.

A message that does not keep to its form and budgets, or with an engram whose
pointers do not name a commit or lead nowhere, writes nothing, and what is said
is how to send it again. The exit code is that of "engram bus validate": 4 where
it holds more than the budgets allow, 1 where it is not of the form or a claim
has no evidence.

In a pipe it prints a line an engram: key, what was done (add, update or none),
fact id, revision.`

const submitExample = `  engram bus submit report.yml --agent reviewer-1
  agent | engram bus submit --agent reviewer-1`

func newBusSubmitCmd(g *globals) *cobra.Command {
	opts := submitOptions{globals: g}
	cmd := &cobra.Command{
		Use: "submit [FILE|-]", Short: "Hand in an agent's report: its engrams become facts", Long: submitLong, Example: submitExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runSubmit(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().StringVarP(&opts.in.Agent, "agent", "a", "", "`NAME` of the agent that reports (ENGRAM_AGENT)")
	cmd.Flags().StringArrayVar(&opts.in.BudgetTokens, "budget-token", nil, "`TOKEN` of a grant for code in it; may be repeated")
	completeWith(cmd, "agent", cobra.NoFileCompletions)
	completeWith(cmd, "budget-token", cobra.NoFileCompletions)
	return cmd
}

func runSubmit(ctx context.Context, opts submitOptions, io *streams) error {
	path, err := messagePath("bus submit", opts.args)
	if err != nil {
		return err
	}
	text, err := opts.fileText(ctx, "the message", path)
	if err != nil {
		return err
	}
	m, s, err := opts.openToWrite(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	opts.in.Text, opts.in.Agent = []byte(text+"\n"), firstOf(opts.in.Agent, s.agent)
	result, err := m.Submit(ctx, opts.in)
	if err != nil {
		return err
	}
	if opts.json {
		err = io.json(result)
	} else {
		io.submitted(result)
	}
	if err == nil {
		err = verdictStatus(result.Verdict)
	}
	return err
}

// submitted prints what became of a message.
func (io *streams) submitted(r memory.SubmitResult) {
	if !r.Verdict.OK {
		io.message("refused: %s; nothing was written", r.Verdict.Code)
		for _, refusal := range r.Verdict.Refusals {
			io.refusal(refusal)
		}
		if r.Verdict.Resend != "" {
			io.message("hint: this would be taken:\n")
			io.printf("%s", r.Verdict.Resend)
		}
		return
	}
	for _, stored := range r.Stored {
		for _, note := range append(stored.Notes, stored.Warnings...) {
			io.message("note: %s: %s", stored.Key, note)
		}
		done := stored.MemoryOp
		if stored.Proposed {
			done = "proposed"
		}
		io.row(stored.Key, done, stored.FactID, stored.Revision)
	}
	for _, request := range r.Requests {
		io.message("it asks to read %s: %s", request.Pointer.Ref, request.Reason)
	}
}

// refusal prints one thing that was refused, and what to send instead.
func (io *streams) refusal(r memory.Refusal) {
	where := ""
	if r.Path != "" && !strings.HasPrefix(r.Reason, r.Path) {
		where = r.Path + ": "
	}
	io.message("  %s%s", where, r.Reason)
	if r.Resend != "" {
		io.message("  send instead: %s", instead(r))
	}
}
