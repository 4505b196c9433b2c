package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/eval/corpus"
	"engram/eval/retrieval"
)

type retrievalOptions struct {
	evalOptions
	metadata   string
	limitFacts int
}

const retrievalLong = `Ask the questions of each suite of four kinds of system and print how often and
how high the answer was found: git grep, a reference BM25, engram by one signal
alone and by all, with vectors where an embedder is configured.

Recall (r@k) is the share of the right items among the first k, hit@k whether
any of them is there. MRR and nDCG look at the first ten. Tokens are what an
answer takes on average. Times are milliseconds for a question, warm and in
process; for grep, a process. docs/retrieval.md explains the suites.

Without --data it runs the suite that engram brings along. With --golden DIR it
compares the ranks with those kept in DIR and exits 1 if they differ; --update
replaces them.

In a pipe it prints, tab-separated: suite, subset, system, questions, r@1, r@5,
r@10, hit@1, hit@3, hit@5, hit@10, MRR, nDCG, tokens, p50, p95.`

const retrievalExample = `  engram-eval retrieval
  engram-eval retrieval --suite builtin --golden eval/testdata/golden
  engram-eval retrieval --data ../shared/data --suite questions --json`

func newRetrievalCmd(g *app.Globals) *cobra.Command {
	opts := retrievalOptions{evalOptions: evalOptions{Globals: g}}
	cmd := &cobra.Command{
		Use: "retrieval", Short: "Measure retrieval, suite by suite", Long: retrievalLong, Example: retrievalExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runRetrieval(cmd.Context(), opts, g.Out) },
	}
	opts.addTo(cmd, retrieval.Suites())
	flags := cmd.Flags()
	flags.IntVar(&opts.limitFacts, "limit-facts", 0, "take `N` facts for the suite questions (default: 20000)")
	flags.StringVar(&opts.metadata, "metadata", "", "give the facts of the suite questions `KIND` metadata: uniform or mixed\n(default: one after the other)")
	return cmd
}

func runRetrieval(ctx context.Context, opts retrievalOptions, out *term.Streams) error {
	if err := opts.check(); err != nil {
		return err
	}
	if m := corpus.Metadata(opts.metadata); m != "" && m != corpus.Uniform && m != corpus.Mixed {
		return fault.Usage(fmt.Sprintf("--metadata %q is neither uniform nor mixed", opts.metadata), "")
	}
	options := &corpus.Options{
		Scanner: opts.Scanner, Progress: out.Progress.Update,
		LimitFacts: opts.limitFacts, Metadata: corpus.Metadata(opts.metadata),
	}
	s, err := opts.Settings()
	if err != nil {
		return err
	}
	embedder, err := opts.Embedder(s)
	if err != nil {
		return app.ModelError(err)
	}
	if embedder != nil {
		defer embedder.Close()
		options.Embedder = embedder
	}
	report, err := retrieval.Run(ctx, opts.folder(), opts.suites, options)
	if err != nil {
		return evalError(err, "retrieval", "builtin")
	}
	return opts.settle(report, term.Print(out, opts.JSON, report, printRetrieval))
}

func printRetrieval(out *term.Streams, r retrieval.Report) {
	for _, s := range r.Suites {
		if !out.Terminal {
			for _, row := range s.Rows {
				out.Row(append([]string{s.Name, row.Subset, row.System, fmt.Sprint(row.Questions)}, evalCells(row)...)...)
			}
			continue
		}
		out.Printf("%s  %s\n", out.Color.Bold(s.Name), out.Color.Dim(term.Dotted(
			term.Plural(s.Facts, "fact", "facts"), term.Plural(s.Items, "item", "items"), term.Plural(s.Questions, "question", "questions"))))
		out.Printf("%s\n", term.Indented(s.About, out.Width, ""))
		for _, note := range s.Notes {
			out.Printf("%s\n", out.Color.Dim(term.Indented(note, out.Width, "")))
		}
		subset := ""
		for _, row := range s.Rows {
			if row.Subset != subset {
				subset = row.Subset
				out.Printf("\n%s\n", out.Color.Dim(fmt.Sprintf("%-12s", "")+evalHeader))
				out.Printf("%s\n", term.Dotted(subset, term.Plural(row.Questions, "question", "questions")))
			}
			out.Printf("%-12s", row.System)
			for i, cell := range evalCells(row) {
				out.Printf("%*s", evalWidths[i], cell)
			}
			out.Printf("\n")
		}
		out.Printf("\n")
	}
}

const evalHeader = `  r@1  r@5 r@10  hit@1   @3   @5  @10   MRR nDCG  tokens    p50    p95`

var evalWidths = [...]int{5, 5, 5, 7, 5, 5, 5, 6, 5, 8, 7, 7}

// evalCells are a row's numbers; shares without the zero in front.
func evalCells(r retrieval.Row) []string {
	var cells []string
	for _, share := range []float64{r.Recall1, r.Recall5, r.Recall10, r.Hit[0], r.Hit[2], r.Hit[4], r.Hit[9], r.MRR, r.NDCG} {
		cells = append(cells, shareCell(share))
	}
	return append(cells, fmt.Sprintf("%.0f", r.Tokens), fmt.Sprintf("%.2f", r.P50), fmt.Sprintf("%.2f", r.P95))
}

func shareCell(share float64) string {
	if share > 0.9995 {
		return "1.00" // as wide as the others
	}
	return strings.TrimPrefix(fmt.Sprintf("%.3f", share), "0")
}
