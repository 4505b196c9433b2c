package read

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/facts"
	"engram/memory"
)

type logOptions struct {
	*app.Globals
	in memory.HistoryInput
}

const logLong = `Show the history of a fact, newest version first: who changed it, when, and
which fields changed.

In a pipe it prints a line for each changed field, tab-separated: commit, date,
author, operation, field, old value, new value.`

const logExample = `  engram log domain/auth/session-lifetime
  engram log domain/auth/session-lifetime --limit 1 --json`

// NewLogCmd returns "engram log".
func NewLogCmd(g *app.Globals) *cobra.Command {
	opts := logOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "log KEY|-", Aliases: []string{"history"}, Short: "Show the history of a fact", Long: logLong, Example: logExample,
		Args: app.OneKey, ValidArgsFunction: app.CompleteKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return runLog(cmd.Context(), opts, args[0]) },
	}
	flags.Bind(cmd.Flags(), &opts.in, "limit")
	return cmd
}

func runLog(ctx context.Context, opts logOptions, key string) error {
	in := opts.in
	var err error
	if in.Key, err = opts.Text(ctx, "the key", key); err != nil {
		return err
	}
	if in.Limit < 0 {
		return fault.Usage(fmt.Sprintf("--limit %d is below 0", in.Limit), "0 shows all")
	}
	return app.Answer(ctx, opts.Globals, opts.Open, PrintHistory, func(m *memory.Memory, _ config.Settings) (memory.HistoryResult, error) {
		return m.History(ctx, in)
	})
}

// PrintHistory prints the versions of a fact, newest first.
func PrintHistory(out *term.Streams, result memory.HistoryResult) {
	for i, v := range result.Versions {
		if !out.Terminal {
			printVersionRows(out, v)
			continue
		}
		if i > 0 {
			out.Printf("\n")
		}
		printVersion(out, v)
	}
	show.Withheld(out, result.Withheld, "are versions of it")
}

func operationOf(v memory.Version) string {
	if v.Fact == nil {
		return ""
	}
	return v.Fact.MemoryOp
}

func printVersionRows(out *term.Streams, v memory.Version) {
	head := []string{v.Commit, term.Stamp(v.Date), v.Author, operationOf(v)}
	for _, c := range v.Changes {
		out.Row(append(head, c.Field, c.From, c.To)...)
	}
	if reason := retirement(v); reason != "" {
		out.Row(append(head, "reason", "", reason)...)
	} else if len(v.Changes) == 0 {
		out.Row(append(head, "", "", v.Problem)...)
	}
}

// printVersion prints one version for a person: a line on who and when, then what
// changed.
func printVersion(out *term.Streams, v memory.Version) {
	name, _, _ := strings.Cut(v.Author, " <")
	out.Printf("%s  %s  %s  %s\n", out.Color.Yellow(term.Short(v.Commit)),
		v.Date.Local().Format("2006-01-02 15:04")+out.Color.Dim(" ("+term.Ago(out.Now(), v.Date)+")"), term.Plain(name), out.Color.Bold(operationOf(v)))
	if v.Problem != "" {
		out.Printf("  %s\n", out.Color.Red(term.Plain(v.Problem)))
	}
	var shown []facts.Change
	widest := 0
	for _, c := range v.Changes {
		if !impliedByHeader(c, v) {
			shown = append(shown, c)
			widest = max(widest, len(c.Field))
		}
	}
	for _, c := range shown {
		printChange(out, c, widest)
	}
	if reason := retirement(v); reason != "" {
		out.Text("  ", reason)
	} else if len(shown) == 0 && v.Problem == "" {
		out.Printf("%s\n", out.Color.Dim("  nothing that it states changed"))
	}
}

// retirement is why a fact was retired, as its commit says.
func retirement(v memory.Version) string {
	if operationOf(v) != string(facts.OpDelete) {
		return ""
	}
	_, reason, _ := strings.Cut(v.Subject, ": ")
	return reason
}

// impliedByHeader reports whether a change repeats the line above it, or does not
// concern readers.
func impliedByHeader(c facts.Change, v memory.Version) bool {
	switch c.Field {
	case "lineage", "operation":
		return true
	case "engineer":
		return c.To == v.Author
	case "valid_from", "valid_until":
		at, err := facts.ParseTime(c.To)
		return err == nil && at.Sub(v.Date).Abs() < 2*time.Second // commits have whole seconds
	}
	return false
}

// printChange prints the lines of a field that differ, with their words that do.
func printChange(out *term.Streams, c facts.Change, widest int) {
	before, after := term.DiffLines(c.From, c.To)
	pad := c.Field + strings.Repeat(" ", widest-len(c.Field))
	margin := strings.Repeat(" ", 6+widest)
	if len(before) == 1 && len(after) == 1 {
		old, new := term.Emphasize(out.Color, term.Plain(before[0]), term.Plain(after[0]))
		out.Printf("  %s %s  %s\n", out.Color.Red("-"), out.Color.Dim(pad), term.WrapPainted(old, out.Width, margin, out.Color, "31"))
		out.Printf("  %s %s  %s\n", out.Color.Green("+"), out.Color.Dim(pad), term.WrapPainted(new, out.Width, margin, out.Color, "32"))
		return
	}
	for _, line := range before {
		out.Printf("  %s %s  %s\n", out.Color.Red("-"), out.Color.Dim(pad), out.Color.Red(term.Indented(term.Plain(line), out.Width, margin)))
	}
	for _, line := range after {
		out.Printf("  %s %s  %s\n", out.Color.Green("+"), out.Color.Dim(pad), out.Color.Green(term.Indented(term.Plain(line), out.Width, margin)))
	}
}
