package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/hooks"
	"engram/mcp"
	"engram/memory"
)

const mcpLong = `Serve the memory to a coding agent over standard input and output, using the
Model Context Protocol. A client starts it; "engram setup" configures clients.

It works on the current repository, or on --repo or ENGRAM_REPO. If there is no
repository or no memory yet, it starts anyway, and engram_status tells the agent
what to do next.

Tools: engram_status, engram_query, engram_commit, engram_conflicts,
engram_resolve, engram_judge, engram_get, engram_recall. A profile adds to them:
  team     engram_init, engram_join, engram_promote, engram_audit,
           engram_session, engram_task, engram_delegate, engram_report
  compat   mem_save, mem_search, mem_get_observation, mem_update, mem_context,
           mem_session_start, mem_session_end, mem_session_summary: for prompts
           that were written for these names
  bus      less_put_engram, less_query_engrams, less_request_deref,
           less_deref_pointer, less_issue_grant, less_submit_message: what
           agents exchange under budgets

While it runs it keeps the index up to date, merges facts that git pull fetched
and audits them, as "engram watch" does. Any number may run at once.`

const mcpExample = `  engram mcp
  engram mcp --profile team
  ENGRAM_REPO=~/src/shop engram mcp`

// NewMCPCmd returns "engram mcp".
func NewMCPCmd(g *app.Globals) *cobra.Command {
	var profiles []string
	cmd := &cobra.Command{
		Use: "mcp", Short: "Serve the memory to a coding agent", Long: mcpLong, Example: mcpExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions, PreRunE: g.TextOnly,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMCP(cmd.Context(), g, profiles) },
	}
	profileFlag(cmd, &profiles)
	return cmd
}

// profileFlag gives a command the choice of tools.
func profileFlag(cmd *cobra.Command, profiles *[]string) {
	cmd.Flags().StringSliceVar(profiles, "profile", nil, "tools beside the core ones: "+strings.Join(mcp.Profiles(), ", ")+"; may be repeated")
	app.CompleteWith(cmd, "profile", cobra.FixedCompletions(mcp.Profiles(), cobra.ShellCompDirectiveNoFileComp))
}

func runMCP(ctx context.Context, g *app.Globals, profiles []string) error {
	if g.Out.Asks {
		g.Out.Message("engram speaks MCP on standard input; Ctrl-C ends it\nhint: a client starts it, `engram setup` tells clients how")
	}
	server, err := newServer(g, profiles, nil)
	if err != nil {
		return err
	}
	defer server.Close()
	in, ok := g.Out.In.(io.ReadCloser)
	if !ok {
		in = io.NopCloser(g.Out.In)
	}
	return app.Ended(ctx, server.Serve(ctx, in, wholeWriter{g.Out.Stdout}))
}

// wholeWriter closes nothing: standard output is the process's.
type wholeWriter struct{ io.Writer }

func (wholeWriter) Close() error { return nil }

// newServer is the server of this engram; change adds what a surface needs.
func newServer(g *app.Globals, profiles []string, change func(*mcp.Options)) (*mcp.Server, error) {
	options := mcp.Options{Version: app.ThisVersion().Version, Profiles: profiles, Logger: g.Logger(), Now: g.Now, Watch: true, Hide: g.Hide}
	if change != nil {
		change(&options)
	}
	open := func(ctx context.Context) (mcp.Opened, func(), error) { return openForAgents(ctx, g) }
	server, err := mcp.New(open, &options)
	if errors.Is(err, mcp.ErrNoProfile) {
		return nil, fault.Usage(err.Error(), "`engram mcp --help` says what each adds")
	}
	return server, err
}

// changedFiles finds the files that are changed where the server works.
func changedFiles(g *app.Globals, s config.Settings) func(context.Context) []string {
	return func(ctx context.Context) []string {
		place, err := hooks.Locate(g.Directory(), nil)
		if err != nil {
			return nil
		}
		return hooks.ChangedFiles(ctx, place, cmp.Or(s.Branch, memory.DefaultBranch), s.Trunk, hooks.AgentTime)
	}
}

// openForAgents opens the memory with all its models, as a server needs it.
func openForAgents(ctx context.Context, g *app.Globals) (o mcp.Opened, done func(), err error) {
	s, err := g.Settings()
	if fault.IsUsage(err) { // an agent is told by memory's codes
		err = fmt.Errorf("%w: %v; %s", memory.ErrUsage, err, fault.UsageHint(err))
	}
	if err != nil {
		return o, nil, err
	}
	g.Scanner.Warm()
	m, j, done, err := g.OpenJudging(ctx, s)
	if err != nil {
		return o, nil, err
	}
	o = mcp.Opened{
		Memory: m, Agent: s.Agent, Limit: s.Limit, Budget: s.Budget, AuditBudget: j.Budget, Sampling: s.Detection.Sampling, Changed: changedFiles(g, s),
	}
	return o, done, nil
}
