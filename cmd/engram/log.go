package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram/facts"
	"engram/memory"
)

type logOptions struct {
	*globals
	args  []string
	limit int
}

const logLong = `Show what became of a fact, newest version first: who changed it when, and
what changed.

In a pipe it prints a line for each changed field, tab-separated: commit, date,
author, operation, field, old value, new value.`

const logExample = `  engram log domain/auth/session-lifetime
  engram log domain/auth/session-lifetime --limit 1 --json`

func newLogCmd(g *globals) *cobra.Command {
	opts := logOptions{globals: g}
	cmd := &cobra.Command{
		Use: "log KEY|-", Aliases: []string{"history"}, Short: "Show the history of a fact", Long: logLong, Example: logExample,
		ValidArgsFunction: completeKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runLog(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().IntVarP(&opts.limit, "limit", "n", 0, "at most `N` versions (default: all)")
	return cmd
}

func runLog(ctx context.Context, opts logOptions, io *streams) error {
	key, err := opts.oneKey(ctx, "log", opts.args)
	if err != nil {
		return err
	}
	if opts.limit < 0 {
		return usage(fmt.Sprintf("--limit %d is below 0", opts.limit), "0 shows all")
	}
	m, _, err := opts.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	result, err := m.History(ctx, memory.HistoryInput{Key: key, Limit: opts.limit})
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(result)
	}
	for i, v := range result.Versions {
		if !io.terminal {
			io.versionRows(v)
			continue
		}
		if i > 0 {
			io.printf("\n")
		}
		io.version(v)
	}
	io.withheld(result.Withheld, "are versions of it")
	return nil
}

func operationOf(v memory.Version) string {
	if v.Fact == nil {
		return ""
	}
	return v.Fact.MemoryOp
}

func (io *streams) versionRows(v memory.Version) {
	head := []string{v.Commit, stamp(v.Date), v.Author, operationOf(v)}
	for _, c := range v.Changes {
		io.row(append(head, c.Field, c.From, c.To)...)
	}
	if reason := retirement(v); reason != "" {
		io.row(append(head, "reason", "", reason)...)
	} else if len(v.Changes) == 0 {
		io.row(append(head, "", "", v.Problem)...)
	}
}

// version prints one version for a person: a line on who and when, then what
// changed.
func (io *streams) version(v memory.Version) {
	name, _, _ := strings.Cut(v.Author, " <")
	io.printf("%s  %s  %s  %s\n", io.color.yellow(short(v.Commit)),
		v.Date.Local().Format("2006-01-02 15:04")+io.color.dim(" ("+ago(io.now(), v.Date)+")"), plain(name), io.color.bold(operationOf(v)))
	if v.Problem != "" {
		io.printf("  %s\n", io.color.red(plain(v.Problem)))
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
		io.change(c, widest)
	}
	if reason := retirement(v); reason != "" {
		io.printf("  %s\n", indented(plain(reason), io.width, "  "))
	} else if len(shown) == 0 && v.Problem == "" {
		io.printf("%s\n", io.color.dim("  nothing that it states changed"))
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

// impliedByHeader reports whether a change says what the line above it does,
// or what concerns no reader.
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

// change prints the lines of a field that differ, with their words that do.
func (io *streams) change(c facts.Change, widest int) {
	before, after := diffLines(c.From, c.To)
	pad := c.Field + strings.Repeat(" ", widest-len(c.Field))
	margin := strings.Repeat(" ", 6+widest)
	if len(before) == 1 && len(after) == 1 {
		old, new := emphasize(io.color, plain(before[0]), plain(after[0]))
		io.printf("  %s %s  %s\n", io.color.red("-"), io.color.dim(pad), wrapPainted(old, io.width, margin, io.color, "31"))
		io.printf("  %s %s  %s\n", io.color.green("+"), io.color.dim(pad), wrapPainted(new, io.width, margin, io.color, "32"))
		return
	}
	for _, line := range before {
		io.printf("  %s %s  %s\n", io.color.red("-"), io.color.dim(pad), io.color.red(indented(plain(line), io.width, margin)))
	}
	for _, line := range after {
		io.printf("  %s %s  %s\n", io.color.green("+"), io.color.dim(pad), io.color.green(indented(plain(line), io.width, margin)))
	}
}
