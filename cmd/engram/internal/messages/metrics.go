package messages

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

const busMetricsLong = `Print what agents exchanged in this clone, in sums; in a pipe in the text format
of OpenMetrics: inline tokens and dereferences a turn by role, engrams by kind,
how many of them are contradictions, refusals, and how many refused messages
were sent again in a form that complies. Nothing of it is a text that somebody
wrote.`

func newBusMetricsCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "metrics", Short: "Print sums of what agents exchanged", Long: busMetricsLong,
		Example: "  engram bus metrics\n  engram bus metrics --json | jq .resend_rate",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runBusMetrics(cmd.Context(), g, g.Out) },
	}
}

func runBusMetrics(ctx context.Context, g *app.Globals, out *term.Streams) error {
	m, _, done, err := g.Open(ctx)
	if err != nil {
		return err
	}
	defer done()
	r, err := m.Telemetry(ctx)
	if err != nil {
		return err
	}
	if g.JSON {
		return out.JSON(r)
	}
	if out.Terminal {
		printMetrics(out, r)
		return nil
	}
	out.Printf("%s", r.MetricsText())
	return nil
}

type busLogOptions struct {
	*app.Globals
	last int
}

const busLogLong = `Print the last events between agents, the newest last: less.engram.put,
less.engram.query, less.deref.request, less.deref.grant and less.budget.reject,
with who, how much and of which kind, and no text of a fact or a message.

In a pipe it prints one JSON object a line, with --json one object with all.`

func newBusLogCmd(g *app.Globals) *cobra.Command {
	opts := busLogOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "log", Short: "Print the last events between agents", Long: busLogLong,
		Example: "  engram bus log -n 50\n  engram bus log -n 0 | jq -c 'select(.event == \"less.budget.reject\")'",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runBusLog(cmd.Context(), opts, g.Out) },
	}
	cmd.Flags().IntVarP(&opts.last, "limit", "n", 20, "how many; 0 prints all that are kept")
	app.CompleteWith(cmd, "limit", cobra.NoFileCompletions)
	return cmd
}

func runBusLog(ctx context.Context, opts busLogOptions, out *term.Streams) error {
	m, _, done, err := opts.Open(ctx)
	if err != nil {
		return err
	}
	defer done()
	r, err := m.Events(ctx, opts.last)
	if err != nil {
		return err
	}
	if opts.JSON {
		return out.JSON(r)
	}
	for _, e := range r.Events {
		if err := printEvent(out, e); err != nil {
			return err
		}
	}
	return nil
}

func printEvent(out *term.Streams, e memory.Event) error {
	if !out.Terminal {
		line, err := json.Marshal(e)
		out.Printf("%s\n", line)
		return err
	}
	count := func(n int, what string) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n) + " " + what
	}
	out.Printf("%-9s  %s%s\n", term.Ago(out.Now(), e.Time), out.Color.Bold(string(e.Name)), out.Color.Dim("  "+term.Dotted(e.Agent, e.Role, term.Either(e.Child != "", "for "+e.Child, ""),
		strings.Join(e.Kinds, " "), strings.Join(e.Pointers, " "), count(e.Tokens, "tokens"), e.Code, e.Limit)))
	return nil
}
