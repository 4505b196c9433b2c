package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/eval/audit"
	"engram/eval/corpus"
)

type auditOptions struct {
	*app.Globals
	data       string
	limitFacts int
	merged     int
	show       bool
}

const auditLong = `Fill a throw-away memory with real technical facts, merge more of them in, and
audit what came: how long that takes, how many alarms it raises among facts of
which few contradict each other, and how many of the pairs that were written to
contradict each other, and planted among them, it finds.

A pair on its own is an easy question: an audit has to find it among all others
first, and what it finds in their place are the nearest neighbours, which look
most like contradictions. So this is what a user would see.

In a pipe it prints, tab-separated, a name and its value a line.`

const auditExample = `  engram-eval audit --data ../shared/data
  engram-eval audit --data ../shared/data --limit-facts 100000 --json
  engram-eval audit --data ../shared/data --show`

func newAuditCmd(g *app.Globals) *cobra.Command {
	opts := auditOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "audit", Short: "Measure an audit of a merge of real facts", Long: auditLong, Example: auditExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runAudit(cmd.Context(), opts, g.Out) },
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.data, "data", "", "read the facts from `DIR` (ENGRAM_DATA)")
	flags.IntVar(&opts.limitFacts, "limit-facts", 0, "take `N` facts in all (default: 20000)")
	flags.IntVar(&opts.merged, "merged", 0, "merge `N` of them in (default: 1000)")
	flags.BoolVar(&opts.show, "show", false, "list the alarms with their claims")
	return cmd
}

func runAudit(ctx context.Context, opts auditOptions, out *term.Streams) error {
	data := cmp.Or(opts.data, opts.Getenv("ENGRAM_DATA"))
	if data == "" {
		return evalError(corpus.ErrNoData, "audit", "")
	}
	options := corpus.Options{Scanner: opts.Scanner, Progress: out.Progress.Update, LimitFacts: opts.limitFacts}
	report, err := audit.Run(ctx, data, &audit.Options{Options: options, Merged: opts.merged, Show: opts.show})
	if err != nil {
		return evalError(err, "audit", "")
	}
	return term.Print(out, opts.JSON, report, printAudit)
}

func printAudit(out *term.Streams, r audit.Report) {
	rows := []term.Pair{
		{"facts before", fmt.Sprint(r.Facts)}, {"facts merged", fmt.Sprint(r.Merged)},
		{"pairs compared", fmt.Sprint(r.Pairs)}, {"seconds", fmt.Sprintf("%.2f", r.Seconds)}, {"ms a fact", fmt.Sprintf("%.2f", r.PerFact)},
		{"alarms", fmt.Sprint(r.Alarms)}, {"of these suggested", fmt.Sprint(r.Suggested)}, {"others of 100 facts", fmt.Sprintf("%.2f", r.PerHundred)},
		{"pairs planted", fmt.Sprint(r.Planted)}, {"known to the rules", fmt.Sprint(r.Comparable)}, {"found", fmt.Sprint(r.Found)},
	}
	for _, t := range r.Tiers {
		rows = append(rows, term.Pair{"alarms by " + t.Name, fmt.Sprint(t.Count)})
	}
	out.Pairs("", rows)
	for _, c := range r.Opened {
		out.Row(c.ConflictID, c.Tier, c.Verdict, c.Explanation, c.A.Claim, c.B.Claim)
	}
}
