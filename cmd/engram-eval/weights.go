package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/eval/training"
)

type weightsOptions struct {
	*app.Globals
	data, pairs, write string
	sure, likely       float64
}

const weightsLong = `Fit the model of detect/clash to labelled pairs, and print how good it is by
cross-validation: the pairs of each author are judged by a model that was made
without them. The pairs are those of --pairs, the open half of the hand-written
pairs, and with --data public pairs and sentences. The same pairs give the same
model. It takes two minutes with --data.

In a pipe it prints, tab-separated, the set, pairs, positives, and for the grade
contradiction and for both grades: flagged, right, precision, recall.`

func newWeightsCmd(g *app.Globals) *cobra.Command {
	opts := weightsOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "weights", Short: "Make the model that grades contradictions", Long: weightsLong,
		Example: "  engram-eval weights --data ../shared/data --write detect/clash/learned.go",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error { return runWeights(opts, g.Out) },
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.data, "data", "", "read the public pairs from `DIR` (ENGRAM_DATA)")
	flags.StringVar(&opts.pairs, "pairs", "eval/testdata/prose/train.jsonl", "read pairs from `FILE`")
	flags.StringVar(&opts.write, "write", "", "write the model to `FILE`")
	flags.Float64Var(&opts.sure, "contradiction", 0.67, "count as contradictions from `P` on")
	flags.Float64Var(&opts.likely, "likely", 0.47, "count as likely from `P` on")
	return cmd
}

func runWeights(opts weightsOptions, out *term.Streams) error {
	data := opts.data
	if data == "" {
		data = opts.Getenv("ENGRAM_DATA")
	}
	pairs, err := training.Load(opts.pairs, data)
	if err != nil {
		return evalError(err, "weights", "")
	}
	result := training.Train(pairs)
	for _, set := range []string{"", "dev", "train", "open", "structured", "reworded", "edits", "memorycode", "unrelated", "sentences"} {
		o := result.Count(set, opts.sure, opts.likely)
		cells := append([]string{o.Set}, term.Counts(o.Pairs, o.Positives, o.Contradictions, o.Right)...)
		cells = append(cells, ratio(o.Right, o.Contradictions), ratio(o.Right, o.Positives))
		cells = append(cells, term.Counts(o.Flagged, o.FlaggedRight)...)
		out.Row(append(cells, ratio(o.FlaggedRight, o.Flagged), ratio(o.FlaggedRight, o.Positives))...)
	}
	if opts.write == "" {
		return nil
	}
	return result.Write(opts.write)
}

func ratio(n, of int) string { return fmt.Sprintf("%.3f", float64(n)/float64(max(of, 1))) }
