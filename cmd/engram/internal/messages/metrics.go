package messages

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
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

// printMetrics prints totals of what agents exchanged: for people those that are not
// empty, in a pipe all of them in OpenMetrics' format.
func printMetrics(out *term.Streams, r memory.TelemetryResult) {
	if !out.Terminal {
		out.Printf("%s", r.MetricsText())
		return
	}
	if len(r.Events) == 0 {
		out.Printf("nothing was exchanged in this clone yet\n")
		return
	}
	percent := func(rate *float64) string {
		if rate == nil {
			return ""
		}
		return fmt.Sprintf("%.0f%%", *rate*100)
	}
	engrams := 0
	for _, n := range r.Kinds {
		engrams += n
	}
	out.Printf("%s\n", out.Color.Bold("Messages"))
	out.Pairs("  ", []term.Pair{
		{"accepted", fmt.Sprint(r.Accepted)}, {"rejected", term.Dotted(fmt.Sprint(r.Rejected), percent(r.RejectRate), counted(r.Codes))},
		{"sent again", term.Dotted(fmt.Sprint(r.Resent), percent(r.ResendRate))},
		{"engrams", term.Dotted(fmt.Sprint(engrams), counted(r.Kinds))}, {"contradict", term.Dotted(fmt.Sprint(r.Contradictions), percent(r.ContradictionRate))},
	})
	if len(r.Roles) == 0 {
		return
	}
	out.Printf("\n%s\n", out.Color.Bold(fmt.Sprintf("%-16s %8s %9s %8s %8s %9s", "Role", "messages", "tokens", "turns", "excerpts", "tokens")))
	for _, role := range slices.Sorted(maps.Keys(r.Roles)) {
		s := r.Roles[role]
		out.Printf("%-16s %8d %9d %8d %8d %9d\n", term.Plain(cmp.Or(role, "(none)")), s.Messages, s.InlineTokens, s.Turns, s.Derefs, s.DerefTokens)
	}
}

// counted lists what was counted, by name.
func counted(counts map[string]int) string {
	list := make([]string, 0, len(counts))
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(list, ", ")
}
