// Package recall has the commands that keep an agent's window small: the state of its task,
// what is put into a window, and recall of what left it.
package recall

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

const taskLong = `Show or change the state of a task: a card of at most 800 tokens that says what
the task is to reach, what limits it, what is open and what comes next. Each
change is an event of a session, so nothing that it said is lost. An agent whose
window was compacted begins again with it.

A task belongs to a session. Without --task and --session it is that of the
session that runs in this work tree.`

const taskExample = `  engram task set --goal "Ship the new checkout" --next "Run the load test"
  engram task show
  engram task set --open "Who owns the certificate?" --phase debugging
  engram task history --json
  engram task schema > task-state.json`

// NewTaskCmd returns "engram task".
func NewTaskCmd(g *app.Globals) *cobra.Command {
	return app.Group(&cobra.Command{Use: "task", Short: "Keep the state of a task through compactions", Long: taskLong, Example: taskExample, SuggestionsMinimumDistance: 2},
		newTaskShowCmd(g), newTaskSetCmd(g), newTaskHistoryCmd(g), newTaskSchemaCmd(g))
}

func newTaskShowCmd(g *app.Globals) *cobra.Command {
	var in memory.TaskStateInput
	cmd := &cobra.Command{
		Use: "show", Short: "Show the state of a task", Example: "  engram task show\n  engram task show --task checkout --json",
		Long: "Show the state of a task as a model is given it. In a pipe it prints the same.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return answer(cmd.Context(), g, printTask, func(m *memory.Memory, agent string) (memory.TaskStateResult, error) {
				in.AskedBy = agent
				return m.TaskState(cmd.Context(), in)
			})
		},
	}
	flags.Bind(cmd.Flags(), &in, "task", "session_id")
	completeTask(cmd, g)
	return cmd
}

func printTask(out *term.Streams, r memory.TaskStateResult) {
	if !r.Found {
		out.Message("no state of a task is known here\nhint: `engram task set --goal TEXT` writes one")
		return
	}
	printLines(out, "", r.Text)
	if out.Terminal {
		v := r.Current
		out.Printf("%s\n", out.Color.Dim(term.Dotted("task "+v.Task, v.Agent, term.Ago(out.Now(), v.At), "turn "+strconv.Itoa(v.Turn), "event "+v.Event)))
	}
}

const taskSetLong = `Change the state of a task. A list that is given replaces the one before; what
is not given stays as it was. An empty text clears a list: --open "".

With --from a state begins with a task that another agent delegated ("engram
bus task"): its goal, constraints, acceptance criteria as open loops, key
events, and where it stands in the plan. Without --task and --session it is
called as its key is, with dots, and has a session of its own. Lists that are
given win.

With - the change is read from standard input as JSON (engram task schema).`

const taskSetExample = `  engram task set --goal "Ship the new checkout" --constraint "No downtime"
  engram task set --next "Run the load test" --next "Ask Ada about the limit"
  engram task set --key-event 01KFA6D3VATDZ6K4RTZVB16H61
  engram task set --from sdd/refunds/9/reviewer-1
  echo '{"goals":["Ship"],"premise_version":"v2"}' | engram task set -`

type taskSetOptions struct {
	*app.Globals
	in      memory.SetTaskStateInput
	premise string
	phase   string
}

func newTaskSetCmd(g *app.Globals) *cobra.Command {
	opts := taskSetOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "set [-]", Short: "Change the state of a task", Long: taskSetLong, Example: taskSetExample, ValidArgs: []string{"-"},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fault.TooMany("task set", "change")
			}
			if len(args) == 1 && args[0] != "-" {
				return fault.Usage(fmt.Sprintf("task set takes no argument %q", args[0]), "give - to read JSON from standard input, or options such as --goal")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runTaskSet(cmd, opts, args) },
	}
	set := cmd.Flags()
	flags.Bind(set, &opts.in.Input, "task", "session_id")
	flags.Bind(set, &opts.in, "from")
	set.StringArrayVar(&opts.in.Goals, "goal", nil, "what the task is to reach: a TEXT, repeatable")
	set.StringArrayVar(&opts.in.Constraints, "constraint", nil, "what must hold whatever is done: a TEXT, repeatable")
	set.StringArrayVar(&opts.in.NextActions, "next", nil, "what to do next: a TEXT, repeatable")
	set.StringArrayVar(&opts.in.OpenLoops, "open", nil, "what is not done yet: a TEXT, repeatable")
	set.StringArrayVar(&opts.in.KeyEvents, "key-event", nil, "EVENT that the task rests on, repeatable")
	set.StringVar(&opts.premise, "premise", "", "VERSION of the premises that hold")
	set.StringVar(&opts.phase, "phase", "", "PHASE of the task: planning, building, debugging, reviewing or operating")
	set.StringVar(&opts.in.Cause, "cause", "", "EVENT that caused the change; by default the last one of the session")
	completeTask(cmd, g)
	app.CompleteWith(cmd, "from", app.CompleteKeys(opts.Globals, -1))
	app.CompleteWith(cmd, "phase", cobra.FixedCompletions([]string{"planning", "building", "debugging", "reviewing", "operating"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runTaskSet(cmd *cobra.Command, opts taskSetOptions, args []string) error {
	in := opts.in
	if len(args) == 1 {
		if err := readChange(cmd.InOrStdin(), &in); err != nil {
			return err
		}
	}
	for _, list := range []*[]string{&in.Goals, &in.Constraints, &in.NextActions, &in.OpenLoops, &in.KeyEvents} {
		if len(*list) == 1 && (*list)[0] == "" {
			*list = []string{}
		}
	}
	if cmd.Flags().Changed("premise") {
		in.Premise = &opts.premise
	}
	if cmd.Flags().Changed("phase") {
		if in.Extensions == nil {
			in.Extensions = make(map[string]json.RawMessage)
		}
		in.Extensions["phase"], _ = json.Marshal(opts.phase)
	}
	return answer(cmd.Context(), opts.Globals, printTask, func(m *memory.Memory, agent string) (memory.TaskStateResult, error) {
		in.AskedBy, in.Agent = agent, agent
		return m.SetTaskState(cmd.Context(), in)
	})
}

// maxChange bounds what is read from standard input, in bytes. A state is smaller.
const maxChange = 1 << 20

// readChange reads a change from JSON. Fields that it has win over options.
func readChange(r io.Reader, in *memory.SetTaskStateInput) error {
	text, err := io.ReadAll(io.LimitReader(r, maxChange))
	if err != nil {
		return fmt.Errorf("read the change from standard input: %w", err)
	}
	state, err := memory.ParseTaskState(text)
	if err != nil {
		return fault.Usage(err.Error(), "`engram task schema` prints what a state may say")
	}
	in.Goals, in.Constraints, in.OpenLoops = or(state.Goals, in.Goals), or(state.Constraints, in.Constraints), or(state.OpenLoops, in.OpenLoops)
	in.NextActions, in.KeyEvents, in.Extensions = or(state.NextActions, in.NextActions), or(state.KeyEvents, in.KeyEvents), state.Extensions
	if state.Premise != "" {
		in.Premise = &state.Premise
	}
	return nil
}

func or(list, otherwise []string) []string {
	if list == nil {
		return otherwise
	}
	return list
}

func newTaskHistoryCmd(g *app.Globals) *cobra.Command {
	var in memory.TaskStateInput
	cmd := &cobra.Command{
		Use: "history", Short: "List the states that a task has had", Example: "  engram task history\n  engram task history --task checkout --json",
		Long: `List the states that a task has had, the oldest first, with the event that
caused each. In a pipe it prints, tab-separated: session, event, turn, time,
agent, cause, goals, open loops, next actions (how many of each).`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return answer(cmd.Context(), g, printTaskHistory, func(m *memory.Memory, agent string) (memory.TaskHistory, error) {
				in.AskedBy = agent
				return m.TaskHistory(cmd.Context(), in)
			})
		},
	}
	flags.Bind(cmd.Flags(), &in, "task", "session_id")
	completeTask(cmd, g)
	return cmd
}

func printTaskHistory(out *term.Streams, h memory.TaskHistory) {
	for i, v := range h.Versions {
		if !out.Terminal {
			out.Row(v.Session, v.Event, strconv.Itoa(v.Turn), term.Stamp(v.At), v.Agent, v.Cause,
				strconv.Itoa(len(v.State.Goals)), strconv.Itoa(len(v.State.OpenLoops)), strconv.Itoa(len(v.State.NextActions)))
			continue
		}
		out.Printf("%s\n", out.Color.Bold(term.Dotted(fmt.Sprintf("version %d", i+1), "turn "+strconv.Itoa(v.Turn), v.Agent, term.Ago(out.Now(), v.At))))
		printLines(out, "  ", v.State.Text(shownState))
	}
	if len(h.Versions) == 0 {
		out.Message("no state of a task is known here\nhint: `engram task set --goal TEXT` writes one")
	}
}

// shownState is how many tokens of each state the history shows.
const shownState = 200

func newTaskSchemaCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON Schema of a task's state", Example: "  engram task schema > task-state.json",
		Long: "Print the JSON Schema of the state of a task: what `engram task set -` reads.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			g.Out.Printf("%s", memory.TaskSchema())
			return nil
		},
	}
}

// completeTask offers the tasks that are known, with their goals, and the sessions.
func completeTask(cmd *cobra.Command, g *app.Globals) {
	app.CompleteWith(cmd, "session", app.CompleteSessions(g, 0))
	app.CompleteWith(cmd, "task", app.CompleteFrom(g, 0, func(ctx context.Context, m *memory.Memory) (offers []string, err error) {
		tasks, err := m.Tasks(ctx, "")
		for _, t := range tasks {
			goal := ""
			if len(t.State.Goals) > 0 {
				goal = t.State.Goals[0]
			}
			offers = append(offers, t.Task+"\t"+term.Plain(term.Dotted(term.Ago(g.Out.Now(), t.At), goal)))
		}
		return offers, err
	}))
}

// printLines prints a text of several lines.
func printLines(out *term.Streams, indent, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		out.Text(indent, line)
	}
}

// answer asks the memory and prints what it says.
func answer[T any](ctx context.Context, g *app.Globals, print func(*term.Streams, T), ask func(m *memory.Memory, agent string) (T, error)) error {
	return app.Answer(ctx, g, g.Open, print, func(m *memory.Memory, s config.Settings) (T, error) { return ask(m, s.Agent) })
}
