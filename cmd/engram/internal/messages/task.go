package messages

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type taskOptions struct {
	*app.Globals
	args []string
	in   memory.TaskInput
}

const taskLong = `State a task for another agent as a fact, at sdd/FLOW/ID/CHILD, and print the
short prompt to start that agent with: the key, how to read the task, how to
report, and the budgets, but not the task itself. Text that does not fit into a
claim goes into the detail; - reads the task from standard input.

An existing task or result is not replaced without --replace. "engram bus
result" states the result under the same key.`

const taskExample = `  engram bus task refunds 7 --to reviewer-1 "check that a refund is paid once"
  engram bus task refunds 8 --to writer-1 - < task.md`

func newBusTaskCmd(g *app.Globals) *cobra.Command {
	opts := taskOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "task FLOW ID TASK|-", Short: "State a task for another agent, and print how to start it", Long: taskLong, Example: taskExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runTask(cmd.Context(), opts, g.Out)
		},
	}
	cmd.Flags().StringVar(&opts.in.Child, "to", "", "`NAME` of the agent that it is for")
	cmd.Flags().StringVar(&opts.in.Parent, "from", "", "`NAME` of the agent that states it (ENGRAM_AGENT; default: a person)")
	cmd.Flags().StringVar(&opts.in.Detail, "detail", "", "longer `TEXT`, at most 8 KiB")
	cmd.Flags().BoolVar(&opts.in.Replace, "replace", false, "take the place of the task or result that stands there")
	app.CompleteWith(cmd, "to", app.CompleteChildren(g))
	app.CompleteWith(cmd, "from", cobra.NoFileCompletions)
	return cmd
}

// split takes FLOW/ID as well as FLOW ID.
func (opts *taskOptions) split() []string {
	if len(opts.args) > 0 {
		if flow, id, both := strings.Cut(opts.args[0], "/"); both {
			return append([]string{flow, id}, opts.args[1:]...)
		}
	}
	return opts.args
}

func runTask(ctx context.Context, opts taskOptions, out *term.Streams) error {
	args := opts.split()
	switch {
	case len(args) < 3:
		return fault.Missing("bus task", "FLOW, ID or the task")
	case len(args) > 3:
		return fault.TooMany("bus task", "task")
	case opts.in.Child == "":
		return fault.Missing("bus task", "--to, the agent that it is for,")
	}
	text, err := opts.Text(ctx, "the task", args[2])
	if err != nil {
		return err
	}
	m, s, done, err := opts.OpenToWrite(ctx)
	if err != nil {
		return err
	}
	defer done()
	in := opts.in
	in.Flow, in.ID, in.Task, in.Parent = args[0], args[1], text, cmp.Or(in.Parent, s.Agent)
	result, err := m.Delegate(ctx, in)
	if err != nil {
		return err
	}
	if opts.JSON {
		return out.JSON(result)
	}
	if result.Replaces != "" {
		out.Message("replaces: %s", result.Replaces)
	}
	if result.Proposed {
		out.Message("warning: the task waits for a review (`engram review`); %s cannot read it before", in.Child)
	}
	out.Printf("%s", result.Prompt)
	return nil
}

type resultOptions struct {
	*app.Globals
	args     []string
	in       memory.ReportInput
	pointers []string
}

const resultLong = `State the result of a task under its key: the next version of it. Text that does
not fit into a claim goes into the detail; - reads the result from standard
input. Pointers may be short: PATH, PATH:LINE, PATH:LINE-LINE, PATH#SECTION or
the key of a fact; commit and digest are filled in. Only the agent that the task
is for, agents that bus.parents in .engram.yml lists, and people may do so.`

const resultExample = `  engram bus result sdd/refunds/7/reviewer-1 "a retry pays twice" \
      --agent reviewer-1 --pointer billing/refund.go:12-40
  engram query "result: retry"`

func newBusResultCmd(g *app.Globals) *cobra.Command {
	opts := resultOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "result KEY RESULT|-", Short: "State the result of a task", Long: resultLong, Example: resultExample,
		ValidArgsFunction: app.CompleteKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runResult(cmd.Context(), opts, g.Out)
		},
	}
	cmd.Flags().StringVarP(&opts.in.Agent, "agent", "a", "", "`NAME` of the agent that reports (ENGRAM_AGENT; default: a person)")
	cmd.Flags().StringVar(&opts.in.Detail, "detail", "", "longer `TEXT`, at most 8 KiB")
	cmd.Flags().StringArrayVarP(&opts.pointers, "pointer", "p", nil, "`POINTER` to what it rests on; may be repeated")
	app.CompleteWith(cmd, "agent", cobra.NoFileCompletions)
	return cmd
}

func runResult(ctx context.Context, opts resultOptions, out *term.Streams) error {
	switch {
	case len(opts.args) < 2:
		return fault.Missing("bus result", "the key or the result")
	case len(opts.args) > 2:
		return fault.TooMany("bus result", "result")
	}
	text, err := opts.Text(ctx, "the result", opts.args[1])
	if err != nil {
		return err
	}
	m, s, done, err := opts.OpenToWrite(ctx)
	if err != nil {
		return err
	}
	defer done()
	in := opts.in
	in.Key, in.Result, in.Agent = opts.args[0], text, cmp.Or(in.Agent, s.Agent)
	for _, ref := range opts.pointers {
		in.Pointers = append(in.Pointers, memory.Pointer{Ref: ref})
	}
	result, err := m.Report(ctx, in)
	if err != nil {
		return err
	}
	return show.Commit(out, result, opts.JSON)
}
