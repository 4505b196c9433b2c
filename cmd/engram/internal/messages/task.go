package messages

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type taskOptions struct {
	*app.Globals
	in       memory.TaskInput
	pointers []string
}

const taskLong = `State a task for another agent as a fact, at sdd/FLOW/ID/CHILD, and print the
short prompt to start that agent with: the key, how to read the task, how to
report, and the budgets, but not the task itself. Text that does not fit into a
claim goes into the detail; - reads the task from standard input.

Constraints, acceptance criteria and the node of your plan are the last
paragraph of the detail. Pointers name what the task rests on: events as
sam:SESSION@EVENT, artifact:DIGEST, or short as for "engram bus result". The
agent begins its own state of the task from all this with "engram task set
--from KEY".

An existing task or result is not replaced without --replace. "engram bus
result" states the result under the same key.`

const taskExample = `  engram bus task refunds 7 --to reviewer-1 "check that a refund is paid once"
  engram bus task refunds 8 --to writer-1 - < task.md
  engram bus task refunds 9 --to reviewer-1 "find every way to pay twice" \
      --plan "2.1 retries" --constraint "read only" \
      --accept "each way has a test" --pointer billing/refund.go:12-40`

func newBusTaskCmd(g *app.Globals) *cobra.Command {
	opts := taskOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "task FLOW ID TASK|-", Short: "State a task for another agent, and print how to start it", Long: taskLong, Example: taskExample,
		RunE: func(cmd *cobra.Command, args []string) error { return runTask(cmd.Context(), opts, args) },
	}
	cmd.Flags().StringVar(&opts.in.Child, "to", "", "`NAME` of the agent that it is for")
	cmd.Flags().StringVar(&opts.in.Parent, "from", "", "`NAME` of the agent that states it (ENGRAM_AGENT; default: a person)")
	cmd.Flags().StringVar(&opts.in.Detail, "detail", "", "longer `TEXT`, at most 8 KiB")
	cmd.Flags().StringVar(&opts.in.Plan, "plan", "", "`NODE` of your plan that the task is, one line")
	cmd.Flags().StringArrayVar(&opts.in.Constraints, "constraint", nil, "`TEXT` of what must hold whatever is done; may be repeated")
	cmd.Flags().StringArrayVar(&opts.in.Acceptance, "accept", nil, "`TEXT` of what has to be so before it is done; may be repeated")
	cmd.Flags().StringArrayVarP(&opts.pointers, "pointer", "p", nil, "`POINTER` to what it rests on; may be repeated")
	cmd.Flags().BoolVar(&opts.in.Replace, "replace", false, "take the place of the task or result that stands there")
	return cmd
}

func runTask(ctx context.Context, opts taskOptions, args []string) error {
	if len(args) > 0 {
		if flow, id, both := strings.Cut(args[0], "/"); both { // FLOW/ID will do as well
			args = append([]string{flow, id}, args[1:]...)
		}
	}
	switch {
	case len(args) < 3:
		return fault.Missing("bus task", "FLOW, ID or the task")
	case len(args) > 3:
		return fault.TooMany("bus task", "task")
	case opts.in.Child == "":
		return fault.Missing("bus task", "--to, the agent that it is for,")
	}
	in := opts.in
	in.Flow, in.ID, in.Pointers = args[0], args[1], app.Pointers(opts.pointers)
	var err error
	if in.Task, err = opts.Text(ctx, "the task", args[2]); err != nil {
		return err
	}
	print := func(out *term.Streams, r memory.TaskResult) { printTask(out, r, in.Child) }
	return app.Answer(ctx, opts.Globals, opts.OpenToWrite, print, func(m *memory.Memory, s config.Settings) (memory.TaskResult, error) {
		in.Parent = cmp.Or(in.Parent, s.Agent)
		return m.Delegate(ctx, in)
	})
}

func printTask(out *term.Streams, r memory.TaskResult, child string) {
	if r.Replaces != "" {
		out.Message("replaces: %s", r.Replaces)
	}
	if r.Proposed {
		out.Message("warning: the task waits for a review (`engram review`); %s cannot read it before", child)
	}
	out.Printf("%s", r.Prompt)
}

type resultOptions struct {
	*app.Globals
	in       memory.ReportInput
	pointers []string
	findings []string
}

const resultLong = `State the result of a task under its key: the next version of it. Text that does
not fit into a claim goes into the detail; - reads the result from standard
input. Pointers may be short: PATH, PATH:LINE, PATH:LINE-LINE, PATH#SECTION or
the key of a fact; commit and digest are filled in.

A finding is "TEXT @ POINTER", with " @ " and a further pointer as often as
needed. One of its pointers at least must lead to something that can be read
here, or nothing is written. "engram bus findings KEY" says how they stand.

Only the agent that the task
is for, agents that bus.parents in .engram.yml lists, and people may do so.`

const resultExample = `  engram bus result sdd/refunds/7/reviewer-1 "a retry pays twice" \
      --agent reviewer-1 --pointer billing/refund.go:12-40
  engram bus result sdd/refunds/9/reviewer-1 "two ways" --agent reviewer-1 \
      --finding "a retry has no key @ billing/refund.go:12-40" \
      --finding "so has the queue @ queue.go:7 @ queue_test.go#TestTwice"
  engram query "result: retry"`

func newBusResultCmd(g *app.Globals) *cobra.Command {
	opts := resultOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "result KEY RESULT|-", Short: "State the result of a task", Long: resultLong, Example: resultExample,
		ValidArgsFunction: app.CompleteKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runResult(cmd.Context(), opts, args)
		},
	}
	cmd.Flags().StringVarP(&opts.in.Agent, "agent", "a", "", "`NAME` of the agent that reports (ENGRAM_AGENT; default: a person)")
	cmd.Flags().StringVar(&opts.in.Detail, "detail", "", "longer `TEXT`, at most 8 KiB")
	cmd.Flags().StringArrayVarP(&opts.pointers, "pointer", "p", nil, "`POINTER` to what it rests on; may be repeated")
	cmd.Flags().StringArrayVar(&opts.findings, "finding", nil, "`FINDING` as \"TEXT @ POINTER\"; may be repeated")
	return cmd
}

func runResult(ctx context.Context, opts resultOptions, args []string) error {
	switch {
	case len(args) < 2:
		return fault.Missing("bus result", "the key or the result")
	case len(args) > 2:
		return fault.TooMany("bus result", "result")
	}
	in := opts.in
	in.Key, in.Pointers = args[0], app.Pointers(opts.pointers)
	for _, finding := range opts.findings {
		parts := strings.Split(finding, " @ ")
		in.Findings = append(in.Findings, memory.TaskFinding{Text: parts[0], Pointers: parts[1:]})
	}
	var err error
	if in.Result, err = opts.Text(ctx, "the result", args[1]); err != nil {
		return err
	}
	return app.Answer(ctx, opts.Globals, opts.OpenToWrite, show.Commit, func(m *memory.Memory, s config.Settings) (memory.CommitResult, error) {
		in.Agent = cmp.Or(in.Agent, s.Agent)
		return m.Report(ctx, in)
	})
}
