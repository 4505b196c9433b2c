package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/eval/detection"
)

type detectionOptions struct {
	evalOptions
	show bool
}

const detectionLong = `Compare pairs of facts by the rules (tiers 0, 2 and 2b) and compare the results
with known judgements. A pair is positive if its label says that
something is wrong between its facts (contradiction, evolution), and flagged if
the rules find something, with any verdict. Beside the rules, over the same
pairs, naive: texts that share half of their words and differ in a number or in
a negation.

Alarms are the flagged of 1,000 negative pairs. A label's flagged share is its
recall or its false-positive rate; agrees is how often the verdict of what was
flagged is the label. Times are microseconds for a pair whose claims are read
from scratch.

Suites: pairs were written for this project, and need no data. structured,
edits and memorycode are technical texts; prose are claims in plain prose,
prose-train those that the weights were made from, and prose-held those kept for
scoring; offered commits the claims of prose into a memory, and looks for the partner
of each among what the answer names; mnli and snli are general English; unrelated are technical facts drawn at
random. held is the other half of pairs,
kept to be scored: it runs only by name, and is not shown.

With --golden DIR it compares the outcome with the one kept in DIR and exits 1
if they differ; --update replaces it. --show lists the pairs that were
judged wrongly.

In a pipe it prints, tab-separated, the suite, the kind of line, and by kind
  subset  name, system, pairs, positives, flagged, right, precision, recall,
          F1, alarms of 1,000
  label   name, pairs, by verdict (contradiction, evolution, ambiguous),
          flagged, naive, agrees
  tier    name, flagged, right, precision
  grade   subset, grade, pairs, positives, flagged with at least this grade,
          right, precision and its interval, recall and its interval (prose)
  missed  cause, pairs (prose)
  offered where the partner stands, positive pairs, named as contradicted, likely and
          related, share named, other related facts a commit (offered)
  time    p50, p95
  wrong   id, label, verdict, tier, of each fact (claim, scope, agent, date),
          explanation`

const detectionExample = `  engram-eval detection
  engram-eval detection --show | grep '^pairs.wrong'
  engram-eval detection --data ../shared/data --suite structured --json
  engram-eval detection --suite pairs --golden eval/testdata/golden --update`

func newDetectionCmd(g *app.Globals) *cobra.Command {
	opts := detectionOptions{evalOptions: evalOptions{Globals: g}}
	cmd := &cobra.Command{
		Use: "detection", Short: "Measure the detection of contradictions", Long: detectionLong, Example: detectionExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDetection(cmd.Context(), opts, g.Out) },
	}
	opts.addTo(cmd, detection.Suites())
	cmd.Flags().BoolVar(&opts.show, "show", false, "list misses and false alarms with their claims")
	return cmd
}

func runDetection(ctx context.Context, opts detectionOptions, out *term.Streams) error {
	if err := opts.check(); err != nil {
		return err
	}
	report, err := detection.Run(ctx, opts.folder(), opts.suites, &detection.Options{Progress: out.Progress.Update, Show: opts.show})
	switch {
	case errors.Is(err, detection.ErrHeld):
		return fault.Usage("--show: "+err.Error(), "--suite pairs is the half to learn from")
	case err != nil:
		return evalError(err, "detection", "pairs")
	}
	print := func(out *term.Streams, r detection.Report) { printDetection(out, r, opts.show) }
	return opts.settle(report, term.Print(out, opts.JSON, report, print))
}
