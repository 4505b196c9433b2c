package agents

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type briefOptions struct {
	*app.Globals
	in     memory.BroadcastInput
	grants []string
	budget int
}

const briefLong = `Print a short brief: open conflicts, constraints, and the facts that concern the
code branch and its changed files. Agents get this brief when a session begins.

With --goal, --instruction or --to the command prints a shared brief for another
agent instead: the message of a parent to a child, as YAML. The goal comes
first, then constraints, open conflicts and the facts that matter most for goal,
role, instructions and files, each with its key, author and marks; then pointers
to the evidence, the budgets, and the grants that --grant issues.

A shared brief has at most 30 lines and fits the inline budget (800 tokens). It
omits facts that the child may not read. The child's turn starts again. Among
agents, only parents may use it: bus.parents in .engram.yml lists them.`

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
				return runBrief(cmd.Context(), opts)
			}
			return runBroadcast(cmd.Context(), opts)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&opts.in.Goal, "goal", "g", "", "the goal of the work, in `WORDS`")
	f.StringVar(&opts.in.Child, "to", "", "`NAME` of the agent that the brief is for")
	f.StringVar(&opts.in.Role, "role", "", "the `ROLE` of that agent, which says what matters to it: reviewer, say")
	f.StringArrayVarP(&opts.in.Instructions, "instruction", "i", nil, "an instruction, in `WORDS`; may be repeated")
	f.StringVarP(&opts.in.Scope, "scope", "s", "", "only facts of this topic `PATH`, and all constraints")
	f.StringArrayVarP(&opts.in.Files, "file", "f", nil, "a `FILE` of the work, from this folder; may be repeated (default: changed files)")
	f.StringVar(&opts.in.Parent, "from", "", "`NAME` of the agent that briefs (ENGRAM_AGENT; default: a person)")
	f.StringVar(&opts.in.ParentRole, "from-role", "", "the `ROLE` of that agent (default: its name, or else parent)")
	f.StringArrayVar(&opts.grants, "grant", nil, "let the agent pull this `POINTER` beyond its budget; may be repeated")
	f.IntVar(&opts.budget, "budget", 0, "at most so many `TOKENS` of the brief about the branch (default: 800)")
	return cmd
}

func runBrief(ctx context.Context, opts briefOptions) error {
	print := func(out *term.Streams, r memory.BriefResult) {
		if budget := cmp.Or(opts.budget, memory.DefaultBriefBudget); r.Tokens > budget {
			out.Message("warning: this takes %d tokens, more than the budget of %d: its frame alone does", r.Tokens, budget)
		}
		out.Printf("%s", r.Text())
	}
	return app.Answer(ctx, opts.Globals, opts.Open, print, func(m *memory.Memory, s config.Settings) (memory.BriefResult, error) {
		return m.Brief(ctx, memory.BriefInput{Files: opts.briefFiles(ctx, m, s), Budget: opts.budget, Scope: opts.in.Scope})
	})
}

func runBroadcast(ctx context.Context, opts briefOptions) error {
	return app.Answer(ctx, opts.Globals, opts.Open, printBroadcast, func(m *memory.Memory, s config.Settings) (memory.BroadcastResult, error) {
		in := opts.in
		in.Parent = cmp.Or(in.Parent, s.Agent)
		in.Files = opts.briefFiles(ctx, m, s)
		for _, pointer := range opts.grants {
			in.Grants = append(in.Grants, memory.GrantInput{Pointer: opts.FromTop(m.WorkTree(), pointer)})
		}
		return m.Broadcast(ctx, in)
	})
}

func printBroadcast(out *term.Streams, r memory.BroadcastResult) {
	show.Notes(out, r.Notes)
	if r.Omitted > 0 {
		out.Message("note: %s found and left out for want of room", term.Plural(r.Omitted, "item was", "items were"))
	}
	out.Printf("%s", strings.TrimRight(r.Text, "\n")+"\n")
}

// forAgent reports whether a brief is for another agent.
func (opts briefOptions) forAgent() bool {
	return opts.in.Goal != "" || len(opts.in.Instructions) > 0 || opts.in.Child != ""
}

// check rejects options that would have no effect.
func (opts briefOptions) check(flags *pflag.FlagSet) error {
	if opts.forAgent() {
		if flags.Changed("budget") {
			return fault.Usage("--budget is of the brief about the branch; a shared one has the inline budget of the bus", "omit --budget; bus.max_inline_tokens in .engram.yml sets the other")
		}
		return nil
	}
	for _, name := range []string{"grant", "role", "from", "from-role"} {
		if flags.Changed(name) {
			return fault.Usage("--"+name+" is of a brief for another agent", "add --to CHILD and --goal WORDS, or omit it")
		}
	}
	return nil
}

// briefFiles are the files of --file, from the top of the repository, or else the changed
// files. It warns of files that do not exist: no fact would match them.
func (opts briefOptions) briefFiles(ctx context.Context, m *memory.Memory, s config.Settings) []string {
	if len(opts.in.Files) == 0 {
		return changedFiles(opts.Globals, s)(ctx)
	}
	top := m.WorkTree()
	files := make([]string, len(opts.in.Files))
	for i, typed := range opts.in.Files {
		files[i] = opts.FromTop(top, typed)
		if _, err := os.Lstat(filepath.Join(top, filepath.FromSlash(files[i]))); top != "" && errors.Is(err, fs.ErrNotExist) {
			opts.Out.Message("warning: there is no file %s here", files[i])
		}
	}
	return files
}
