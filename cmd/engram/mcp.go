package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"engram/hooks"
	"engram/mcp"
	"engram/memory"
)

type mcpOptions struct {
	*globals
	profiles []string
}

const mcpLong = `Serve the memory to a coding agent over standard input and output, as the Model
Context Protocol has it. A client starts it; "engram setup" tells clients how.

It works on the repository that it is started in, or --repo or ENGRAM_REPO.
Where there is none, or no memory yet, it starts all the same, and engram_status
tells the agent what to do next.

Tools: engram_status, engram_query, engram_commit, engram_conflicts,
engram_resolve, engram_get. A profile adds to them:
  team     engram_init, engram_join, engram_promote, engram_audit
  compat   mem_save, mem_search, mem_get_observation, mem_update, mem_context,
           mem_session_start, mem_session_end, mem_session_summary: for prompts
           that were written for these names
  bus      less_put_engram, less_query_engrams, less_request_deref,
           less_deref_pointer, less_issue_grant, less_submit_message: what
           agents exchange under budgets

While it runs it keeps the index up to date, takes in what git pull brought and
audits it, as "engram watch" does. Any number may run at once.`

const mcpExample = `  engram mcp
  engram mcp --profile team
  ENGRAM_REPO=~/src/shop engram mcp`

func newMCPCmd(g *globals) *cobra.Command {
	opts := mcpOptions{globals: g}
	cmd := &cobra.Command{
		Use: "mcp", Short: "Serve the memory to a coding agent", Long: mcpLong, Example: mcpExample,
		Args: noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runMCP(cmd.Context(), opts, g.io)
		},
	}
	profileFlag(cmd, &opts.profiles)
	return cmd
}

// profileFlag gives a command the choice of tools.
func profileFlag(cmd *cobra.Command, profiles *[]string) {
	cmd.Flags().StringSliceVar(profiles, "profile", nil, "tools beside the core ones: "+strings.Join(mcp.Profiles(), ", ")+"; may be repeated")
	completeWith(cmd, "profile", cobra.FixedCompletions(mcp.Profiles(), cobra.ShellCompDirectiveNoFileComp))
}

func runMCP(ctx context.Context, opts mcpOptions, streams *streams) error {
	if err := opts.textOnly("mcp"); err != nil {
		return err
	}
	if streams.asks {
		streams.message("engram speaks MCP on standard input; Ctrl-C ends it\nhint: a client starts it, `engram setup` tells clients how")
	}
	server, err := opts.mcpServer(opts.profiles, nil)
	if err != nil {
		return err
	}
	defer server.Close()
	in, ok := streams.in.(io.ReadCloser)
	if !ok {
		in = io.NopCloser(streams.in)
	}
	return ended(ctx, server.Serve(ctx, in, wholeWriter{streams.stdout}))
}

// wholeWriter closes nothing: standard output is the process's.
type wholeWriter struct{ io.Writer }

func (wholeWriter) Close() error { return nil }

// mcpServer is the server of this engram; change adds what a surface needs.
func (g *globals) mcpServer(profiles []string, change func(*mcp.Options)) (*mcp.Server, error) {
	options := mcp.Options{Version: thisVersion().Version, Profiles: profiles, Logger: g.logger(), Now: g.now, Watch: true}
	if change != nil {
		change(&options)
	}
	server, err := mcp.New(g.openForAgents, &options)
	if errors.Is(err, mcp.ErrNoProfile) {
		return nil, usage(err.Error(), "`engram mcp --help` says what each adds")
	}
	return server, err
}

// changedFiles finds the files that are changed where the server works.
func (g *globals) changedFiles(s settings) func(context.Context) []string {
	return func(ctx context.Context) []string {
		place, err := hooks.Locate(g.directory(), nil)
		if err != nil {
			return nil
		}
		return hooks.ChangedFiles(ctx, place, cmp.Or(s.branch, memory.DefaultBranch), s.trunk, hooks.AgentTime)
	}
}

// openForAgents opens the memory with all its models, as a server needs it.
func (g *globals) openForAgents(ctx context.Context) (o mcp.Opened, done func(), err error) {
	s, err := g.settings()
	if isUsage(err) { // an agent is told by memory's codes
		err = fmt.Errorf("%w: %v; %s", memory.ErrUsage, err, usageHint(err))
	}
	if err != nil {
		return o, nil, err
	}
	g.scanner.Warm()
	j := g.judges(s)
	m, closeMemory, err := g.openEmbedding(ctx, s, &memory.Options{Models: j.Models})
	if err != nil {
		j.close()
		return o, nil, err
	}
	o = mcp.Opened{
		Memory: m, Agent: s.agent, Limit: s.limit, Budget: s.budget, AuditBudget: j.budget, Changed: g.changedFiles(s),
	}
	return o, func() { closeMemory(); j.close() }, nil
}
