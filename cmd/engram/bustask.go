package main

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"engram/memory"
)

type taskOptions struct {
	*globals
	args []string
	in   memory.TaskInput
}

const taskLong = `State a task for another agent as a fact, at sdd/FLOW/ID/CHILD, and print the
short prompt to start that agent with: the key, how to read the task, how to
report, and the budgets, and nothing of the task itself. What does not fit a
claim goes to the detail; - reads the task from standard input.

Another task, or a result, that stands there already is not replaced without
--replace. "engram bus result" states the result under the same key.`

const taskExample = `  engram bus task refunds 7 --to reviewer-1 "check that a refund is paid once"
  engram bus task refunds 8 --to writer-1 - < task.md`

func newBusTaskCmd(g *globals) *cobra.Command {
	opts := taskOptions{globals: g}
	cmd := &cobra.Command{
		Use: "task FLOW ID TASK|-", Short: "State a task for another agent, and print how to start it", Long: taskLong, Example: taskExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runTask(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().StringVar(&opts.in.Child, "to", "", "`NAME` of the agent that it is for")
	cmd.Flags().StringVar(&opts.in.Parent, "from", "", "`NAME` of the agent that states it (ENGRAM_AGENT; default: a person)")
	cmd.Flags().StringVar(&opts.in.Detail, "detail", "", "longer `TEXT`, at most 8 KiB")
	cmd.Flags().BoolVar(&opts.in.Replace, "replace", false, "take the place of the task or result that stands there")
	completeWith(cmd, "to", completeChildren(g))
	completeWith(cmd, "from", cobra.NoFileCompletions)
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

func runTask(ctx context.Context, opts taskOptions, io *streams) error {
	args := opts.split()
	switch {
	case len(args) < 3:
		return missing("bus task", "FLOW, ID or the task")
	case len(args) > 3:
		return tooMany("bus task", "task")
	case opts.in.Child == "":
		return missing("bus task", "--to, the agent that it is for,")
	}
	text, err := opts.text(ctx, "the task", args[2])
	if err != nil {
		return err
	}
	m, s, err := opts.openToWrite(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	in := opts.in
	in.Flow, in.ID, in.Task, in.Parent = args[0], args[1], text, cmp.Or(in.Parent, s.agent)
	result, err := m.Delegate(ctx, in)
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(result)
	}
	if result.Replaces != "" {
		io.message("replaces: %s", result.Replaces)
	}
	if result.Proposed {
		io.message("warning: the task waits for a review (`engram review`); %s cannot read it before", in.Child)
	}
	io.printf("%s", result.Prompt)
	return nil
}

type resultOptions struct {
	*globals
	args     []string
	in       memory.ReportInput
	pointers []string
}

const resultLong = `State what came of a task, under its key: the next version of it. What does not
fit a claim goes to the detail; - reads the result from standard input. Pointers
may be short: PATH, PATH:LINE, PATH:LINE-LINE, PATH#SECTION or the key of a
fact; commit and digest are filled in. Of agents, the one that the task is for
may, and those that bus.parents in .engram.yml lists.`

const resultExample = `  engram bus result sdd/refunds/7/reviewer-1 "a retry pays twice" \
      --agent reviewer-1 --pointer billing/refund.go:12-40
  engram query "result: retry"`

func newBusResultCmd(g *globals) *cobra.Command {
	opts := resultOptions{globals: g}
	cmd := &cobra.Command{
		Use: "result KEY RESULT|-", Short: "State the result of a task", Long: resultLong, Example: resultExample,
		ValidArgsFunction: completeKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runResult(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().StringVarP(&opts.in.Agent, "agent", "a", "", "`NAME` of the agent that reports (ENGRAM_AGENT; default: a person)")
	cmd.Flags().StringVar(&opts.in.Detail, "detail", "", "longer `TEXT`, at most 8 KiB")
	cmd.Flags().StringArrayVarP(&opts.pointers, "pointer", "p", nil, "`POINTER` to what it rests on; may be repeated")
	completeWith(cmd, "agent", cobra.NoFileCompletions)
	return cmd
}

func runResult(ctx context.Context, opts resultOptions, io *streams) error {
	switch {
	case len(opts.args) < 2:
		return missing("bus result", "the key or the result")
	case len(opts.args) > 2:
		return tooMany("bus result", "result")
	}
	text, err := opts.text(ctx, "the result", opts.args[1])
	if err != nil {
		return err
	}
	m, s, err := opts.openToWrite(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	in := opts.in
	in.Key, in.Result, in.Agent = opts.args[0], text, cmp.Or(in.Agent, s.agent)
	for _, ref := range opts.pointers {
		in.Pointers = append(in.Pointers, memory.Pointer{Ref: ref})
	}
	result, err := m.Report(ctx, in)
	if err != nil {
		return err
	}
	return io.committed(result, opts.json)
}
