package main

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/memory"
)

const busMetricsLong = `Print what agents exchanged in this clone, in sums; in a pipe in the text format
of OpenMetrics: inline tokens and dereferences a turn by role, engrams by kind,
how many of them are contradictions, refusals, and how many refused messages
were sent again in a form that complies. Nothing of it is a text that somebody
wrote.`

func newBusMetricsCmd(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "metrics", Short: "Print sums of what agents exchanged", Long: busMetricsLong,
		Example: "  engram bus metrics\n  engram bus metrics --json | jq .resend_rate",
		Args:    noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runBusMetrics(cmd.Context(), g, g.io) },
	}
}

func runBusMetrics(ctx context.Context, g *globals, io *streams) error {
	m, _, err := g.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := m.Telemetry(ctx)
	if err != nil {
		return err
	}
	if g.json {
		return io.json(r)
	}
	if io.terminal {
		io.sums(r)
		return nil
	}
	io.printf("%s", r.MetricsText())
	return nil
}

type busLogOptions struct {
	*globals
	last int
}

const busLogLong = `Print the last events between agents, the newest last: less.engram.put,
less.engram.query, less.deref.request, less.deref.grant and less.budget.reject,
with who, how much and of which kind, and no text of a fact or a message.

In a pipe it prints one JSON object a line, with --json one object with all.`

func newBusLogCmd(g *globals) *cobra.Command {
	opts := busLogOptions{globals: g}
	cmd := &cobra.Command{
		Use: "log", Short: "Print the last events between agents", Long: busLogLong,
		Example: "  engram bus log -n 50\n  engram bus log -n 0 | jq -c 'select(.event == \"less.budget.reject\")'",
		Args:    noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runBusLog(cmd.Context(), opts, g.io) },
	}
	cmd.Flags().IntVarP(&opts.last, "limit", "n", 20, "how many; 0 prints all that are kept")
	completeWith(cmd, "limit", cobra.NoFileCompletions)
	return cmd
}

func runBusLog(ctx context.Context, opts busLogOptions, io *streams) error {
	m, _, err := opts.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := m.Events(ctx, opts.last)
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(r)
	}
	for _, e := range r.Events {
		if err := io.event(e); err != nil {
			return err
		}
	}
	return nil
}

func (io *streams) event(e memory.Event) error {
	if !io.terminal {
		line, err := json.Marshal(e)
		io.printf("%s\n", line)
		return err
	}
	count := func(n int, what string) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n) + " " + what
	}
	io.printf("%-9s  %s%s\n", ago(io.now(), e.Time), io.color.bold(string(e.Name)), io.color.dim("  "+dotted(e.Agent, e.Role, either(e.Child != "", "for "+e.Child, ""),
		strings.Join(e.Kinds, " "), strings.Join(e.Pointers, " "), count(e.Tokens, "tokens"), e.Code, e.Limit)))
	return nil
}
