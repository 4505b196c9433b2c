package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/eval/recall"
)

const needlesLong = `Plant exact strings in the first turns of made-up sessions, flood a window of
32k tokens until it was compacted five times, and ask for each string after each
compaction: of what truncation leaves, of an extractive summary (which stands
for narrative compaction), of grep, and of engram at one and two hops, with and
without key events in the state of the task. docs/recall-measured.md explains
it.

With --near, needles stand in the middle of long output, among lines that say
something else of the same subject, the same of another one, or an older value.
With FILES, transcripts or folders of them take the place of what is made up, and
needles stand in the middle of what their tools printed; --window sets the size.
With --reasons, what messages decided is asked for in other words, and nothing
else. With --ablate, each stands beside sentences that differ in premises,
supersession, kind or task alone, and recall is asked with each factor of the
score left out, in 2000 and in 200 tokens.

With --golden DIR it compares the shares with those kept in DIR and exits 1 if
they differ; --update replaces them. --svg FILE draws recall by compaction.`

func newNeedlesCmd(g *app.Globals) *cobra.Command {
	opts := evalOptions{Globals: g}
	var in recall.NeedlesInput
	var svg string
	cmd := &cobra.Command{
		Use: "needles [FILES...]", Short: "Measure what is found again after compactions", Long: needlesLong,
		Example: "  engram-eval needles --traces 10\n  engram-eval needles --near --traces 10 --seed 2\n  engram-eval needles --ablate --traces 20\n  engram-eval needles --reasons --traces 12 DIR\n  engram-eval needles --traces 5 --window 32000 DIR\n  engram-eval needles --traces 2 --golden eval/testdata/golden",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opts.check(); err != nil {
				return err
			}
			var err error
			if in.Files, err = transcripts(args); err != nil {
				return err
			}
			if len(args) > 0 && (in.Near || in.Ablate || opts.golden != "") {
				return fault.Usage("--near, --ablate and --golden are of made traces", "leave out the files")
			}
			if in.Window < 16_000 {
				return fault.Usage("--window is 16000 tokens or more", "")
			}
			if in.Traces < 1 || in.Traces > 1000 {
				return fault.Usage("--traces is from 1 to 1000", "")
			}
			if in.Reasons && (in.Near || in.Ablate || opts.golden != "") {
				return fault.Usage("--reasons stands alone", "leave out --near, --ablate and --golden")
			}
			if in.Ablate && (in.Near || svg != "" || opts.golden != "") {
				return fault.Usage("--ablate stands alone", "leave out --near, --svg and --golden")
			}
			if in.Near && opts.golden != "" {
				return fault.Usage("--golden is of the plain traces", "leave out --near")
			}
			report, err := recall.Needles(cmd.Context(), in, g.Out.Progress.Update)
			if err != nil {
				return err
			}
			if svg != "" {
				if err := os.WriteFile(svg, []byte(report.SVG()), 0o644); err != nil {
					return fmt.Errorf("write the picture: %w", err)
				}
			}
			return opts.settle(report, term.Print(g.Out, opts.JSON, report, printNeedles))
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&in.Traces, "traces", 10, "make `N` sessions")
	flags.Uint64Var(&in.Seed, "seed", 1, "make them with the seed `N`")
	flags.IntVar(&in.Window, "window", 32_000, "compact a window of `TOKENS`")
	flags.BoolVar(&in.Near, "near", false, "put needles into long output, among lines about the same subject")
	flags.BoolVar(&in.Reasons, "reasons", false, "ask for the reasons that messages give, in other words")
	flags.BoolVar(&in.Ablate, "ablate", false, "leave out each factor of the score in turn")
	flags.StringVar(&svg, "svg", "", "draw recall by compaction into `FILE`")
	flags.StringVar(&opts.golden, "golden", "", "compare with the golden files in `DIR`")
	flags.BoolVar(&opts.update, "update", false, "write the golden files instead")
	return cmd
}

func printNeedles(out *term.Streams, r recall.Report) {
	if r.Ablation {
		printAblation(out, r)
		return
	}
	if out.Terminal {
		out.Printf("%d traces, seed %d, compaction ratio %.1f\n\n", r.Traces, r.Seed, r.Ratio)
		out.Printf("%-28s %-26s %s\n", "condition", "kind", "cycle probes exact      95 %      partial false precision tokens p50 p95")
	}
	for _, row := range r.Rows {
		if !out.Terminal {
			out.Row(row.Condition, string(row.Kind), fmt.Sprint(row.Cycle), fmt.Sprint(row.Probes), shareCell(row.Exact), shareCell(row.Interval[0]), shareCell(row.Interval[1]),
				shareCell(row.Partial), shareCell(row.False), shareCell(row.Precision), fmt.Sprintf("%.0f", row.Tokens), fmt.Sprintf("%.1f", row.P50), fmt.Sprintf("%.1f", row.P95))
			continue
		}
		out.Printf("%-28s %-26s %5d %6d %5s  %5s–%5s  %5s %5s %5s %7.0f %6.1f %6.1f\n", row.Condition, row.Kind, row.Cycle, row.Probes, shareCell(row.Exact),
			shareCell(row.Interval[0]), shareCell(row.Interval[1]), shareCell(row.Partial), shareCell(row.False), shareCell(row.Precision), row.Tokens, row.P50, row.P95)
	}
}

func printAblation(out *term.Streams, r recall.Report) {
	if out.Terminal {
		out.Printf("%d traces, seed %d\n\n%6s %-26s %-14s %s\n", r.Traces, r.Seed, "budget", "condition", "traces", "probes first      95 %    found      95 %    precision")
	}
	for _, row := range r.Rows {
		if !out.Terminal {
			out.Row(fmt.Sprint(row.Window), row.Condition, string(row.Kind), fmt.Sprint(row.Probes), shareCell(row.First), shareCell(row.FirstInterval[0]), shareCell(row.FirstInterval[1]),
				shareCell(row.Exact), shareCell(row.Interval[0]), shareCell(row.Interval[1]), shareCell(row.Precision))
			continue
		}
		out.Printf("%6d %-26s %-14s %6d %5s %5s–%5s %5s %5s–%5s %5s\n", row.Window, row.Condition, row.Kind, row.Probes, shareCell(row.First), shareCell(row.FirstInterval[0]), shareCell(row.FirstInterval[1]),
			shareCell(row.Exact), shareCell(row.Interval[0]), shareCell(row.Interval[1]), shareCell(row.Precision))
	}
}
