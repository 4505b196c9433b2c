package agents

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/hooks"
	"engram/memory"
)

type hookOptions struct {
	*app.Globals
	client     string
	noSessions bool
}

const hookLong = `Run a hook of a coding agent. Clients such as Claude Code run this command, as
their configuration says; it reads the event from standard input and answers in
the client's format. (For git's hooks see "engram hooks".)

  session-start  the brief: open conflicts, constraints, and the facts that
                 concern the branch and its changed files
  pre-compact    what a summary of the session should keep
  stop           audits the few facts that were written, and says in one line
                 if there is a new conflict; never keeps the agent from ending
  prompt         the user has said something
  tool           a tool has returned
  subagent       a sub-agent has ended
  compacted      the client has compacted the session
  end            the session is over

Each of them first brings what the client's transcript of the session has gained
into the session store (docs/sessions.md), without secrets; prompt, tool,
subagent, compacted and end do nothing else and print nothing. --no-sessions and
the setting "sessions.capture: off" turn that off.

It takes less than 300 ms; before and after a compaction and at the end it has
up to a second. It always ends with exit code 0, and prints nothing if there is
no repository, no memory or not enough time; --verbose says why. Without
--client it prints plain text.

Clients: claude-code, codex, cursor, gemini, opencode. See docs/agents.md for
the format of each.`

// NewHookCmd returns "engram hook".
func NewHookCmd(g *app.Globals) *cobra.Command {
	opts := hookOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "hook EVENT", Short: "Run a hook of a coding agent (its client calls this)", Long: hookLong,
		Example:   "  engram hook session-start --client claude-code\n  engram hook session-start   # what an agent is told",
		ValidArgs: hooks.AgentEvents(),
		Args:      cobra.ArbitraryArgs, // a wrong argument must not end in exit code 2
		RunE:      func(cmd *cobra.Command, args []string) error { return runAgentHook(cmd.Context(), opts, args) },
	}
	cmd.Flags().StringVar(&opts.client, "client", hooks.AnyClient, "the `CLIENT` that runs it")
	cmd.Flags().BoolVar(&opts.noSessions, "no-sessions", false, "keep nothing of the session")
	app.CompleteWith(cmd, "client", cobra.FixedCompletions(hooks.AgentClients(), cobra.ShellCompDirectiveNoFileComp))
	// A mistake in a client's configuration must not stop its agent, as exit code 2
	// would.
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return opts.mistake(app.FlagError(err)) })
	return cmd
}

// mistake is an error if a person runs the command. For a client it is no error, and only
// printed with --verbose.
func (o hookOptions) mistake(text string) error {
	const hint = "`engram hook --help` lists events and clients"
	if o.Out.Terminal {
		return fault.Usage("hook: "+text, hint)
	}
	if o.Verbose {
		o.Out.Message("engram: hook: %s\nhint: %s", text, hint)
	}
	return nil
}

func runAgentHook(ctx context.Context, opts hookOptions, args []string) error {
	switch {
	case len(args) == 0:
		return opts.mistake("the event is missing")
	case len(args) != 1 || !slices.Contains(hooks.AgentEvents(), args[0]):
		return opts.mistake(fmt.Sprintf("unknown event %.60q", strings.Join(args, " ")))
	case opts.client != hooks.AnyClient && !slices.Contains(hooks.AgentClients(), opts.client):
		return opts.mistake(fmt.Sprintf("there is no client %.60q", opts.client))
	case opts.Getenv(hooks.Inside) != "":
		opts.Logger().Debug("nothing is said: a hook started this engram")
		return nil
	}
	// Work that takes too long goes on until the process ends, so it gets its own globals.
	inside := *opts.Globals
	hooks.Agent(ctx, hooks.AgentOptions{
		Event: args[0], Client: opts.client, Dir: cmp.Or(opts.Repo, opts.Getenv("ENGRAM_REPO")),
		Stdin: opts.Out.In, Stdout: opts.Out.Stdout, Now: opts.Now, Time: opts.AgentTime, Log: opts.Logger(),
		Scanner: opts.Scanner,
		Configure: func(p hooks.Place) (hooks.AgentSettings, error) {
			inside.Repo = p.Open
			s, err := inside.Settings()
			return hooks.AgentSettings{Branch: cmp.Or(s.Branch, memory.DefaultBranch), Trunk: s.Trunk, Capture: s.Sessions.Capture && !opts.noSessions}, err
		},
		SealApart: func(p hooks.Place, session, transcript string) { sealApart(&inside, p.Open, session, transcript) },
		Open: func(ctx context.Context, p hooks.Place, event string) (hooks.AgentMemory, func(), error) {
			return openForAgent(ctx, &inside, event)
		},
	})
	return nil
}

// openForAgent opens the memory for a hook of an agent. It opens models only if there will
// be an audit, because models take long to load.
func openForAgent(ctx context.Context, g *app.Globals, event string) (hooks.AgentMemory, func(), error) {
	s, err := g.Settings()
	if err != nil {
		return nil, nil, err
	}
	if event == hooks.Stop {
		m, done, err := g.OpenForHook(ctx, s)
		return m, done, err
	}
	m, err := g.Silent().OpenWith(ctx, s, &memory.Options{})
	if err != nil {
		return nil, nil, err
	}
	return m, func() { _ = m.Close() }, nil
}

// sealApart starts "engram session seal" and does not wait for it: the client waits for
// this hook, and git takes its time. A journal that is not sealed loses nothing.
func sealApart(g *app.Globals, repo, session, transcript string) {
	program, err := g.Executable()
	if err != nil {
		return
	}
	args := []string{"session", "seal", "--repo", repo}
	if g.Branch != "" {
		args = append(args, "--memory", g.Branch)
	}
	if session != "" {
		args = append(args, session, "--transcript", transcript)
	}
	cmd := exec.Command(program, args...)
	detach(cmd)
	if err := cmd.Start(); err != nil {
		g.Logger().Debug("the journal is not sealed yet", "error", err)
	}
}
