package messages

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/term"
	"engram/memory"
)

const busMetricsLong = `Print totals of what agents exchanged in this clone: inline tokens and
dereferences a turn by role, engrams by kind, how many of them are
contradictions, rejected messages, and how many of those were sent again in a
form that complies. The totals contain no text that anybody wrote.

In a pipe it prints the text format of OpenMetrics.`

func newBusMetricsCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "metrics", Short: "Print sums of what agents exchanged", Long: busMetricsLong,
		Example: "  engram bus metrics\n  engram bus metrics --json | jq .resend_rate",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(cmd.Context(), g, g.Open, printMetrics, func(m *memory.Memory, _ config.Settings) (memory.TelemetryResult, error) {
				return m.Telemetry(cmd.Context())
			})
		},
	}
}

const busLogLong = `Print the last events between agents, the newest last: less.engram.put,
less.engram.query, less.deref.request, less.deref.grant and less.budget.reject,
with who, how much and of which kind, and no text of a fact or a message.

In a pipe it prints one JSON object a line, with --json one object with all.`

func newBusLogCmd(g *app.Globals) *cobra.Command {
	var last int
	cmd := &cobra.Command{
		Use: "log", Short: "Print the last events between agents", Long: busLogLong,
		Example: "  engram bus log -n 50\n  engram bus log -n 0 | jq -c 'select(.event == \"less.budget.reject\")'",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(cmd.Context(), g, g.Open, printEvents, func(m *memory.Memory, _ config.Settings) (memory.EventsResult, error) {
				return m.Events(cmd.Context(), last)
			})
		},
	}
	cmd.Flags().IntVarP(&last, "limit", "n", 20, "how many; 0 prints all that are kept")
	return cmd
}

func printEvents(out *term.Streams, r memory.EventsResult) {
	for _, e := range r.Events {
		if !out.Terminal {
			line, _ := json.Marshal(e) // it has numbers and texts only
			out.Printf("%s\n", line)
			continue
		}
		about := term.Dotted(e.Agent, e.Role, term.Either(e.Child != "", "for "+e.Child, ""),
			strings.Join(e.Kinds, " "), strings.Join(e.Pointers, " "), term.Count(e.Tokens, "tokens"), e.Code, e.Limit)
		out.Printf("%-9s  %s%s\n", term.Ago(out.Now(), e.Time), out.Color.Bold(string(e.Name)), out.Color.Dim("  "+about))
	}
}
