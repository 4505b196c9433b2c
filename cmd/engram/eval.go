package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"engram/eval"
)

const evalLong = `Measure how well engram finds facts, beside git grep and a plain BM25, over the
same facts and questions; and how well it finds contradictions, beside a
comparison of words, over pairs of facts. Your repository is neither read nor
changed.`

func newEvalCmd(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use: "eval", Short: "Measure how well facts and contradictions are found", Long: evalLong,
		Example: "  engram eval retrieval\n  engram eval detection --data DIR --suite structured --json",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEvalRetrievalCmd(g), newEvalDetectionCmd(g), newEvalAuditCmd(g), newEvalTableCmd(g))
	return cmd
}

type evalRetrievalOptions struct {
	evalOptions
	metadata   string
	limitFacts int
}

const evalRetrievalLong = `Ask the questions of each suite of four kinds of system and print how often and
how high the answer was found: git grep, a reference BM25, engram by one signal
alone and by all, with vectors where an embedder is configured.

Recall (r@k) is the share of the right items among the first k, hit@k whether
any of them is there. MRR and nDCG look at the first ten. Tokens are what an
answer takes on average. Times are milliseconds for a question, warm and in
process; for grep, a process. docs/retrieval.md explains the suites.

Without --data it runs the suite that engram brings along. With --golden DIR it
compares the ranks with those kept in DIR and exits 1 where they differ;
--update writes them anew.

In a pipe it prints, tab-separated: suite, subset, system, questions, r@1, r@5,
r@10, hit@1, hit@3, hit@5, hit@10, MRR, nDCG, tokens, p50, p95.`

const evalRetrievalExample = `  engram eval retrieval
  engram eval retrieval --suite builtin --golden eval/testdata/golden
  engram eval retrieval --data ../shared/data --suite questions --json`

func newEvalRetrievalCmd(g *globals) *cobra.Command {
	opts := evalRetrievalOptions{evalOptions: evalOptions{globals: g}}
	cmd := &cobra.Command{
		Use: "retrieval", Short: "Measure retrieval, suite by suite", Long: evalRetrievalLong, Example: evalRetrievalExample,
		Args: noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runEvalRetrieval(cmd.Context(), opts, g.io)
		},
	}
	opts.addTo(cmd, eval.Suites())
	flags := cmd.Flags()
	flags.IntVar(&opts.limitFacts, "limit-facts", 0, "take `N` facts for the suite questions (default: 20000)")
	flags.StringVar(&opts.metadata, "metadata", "", "give the facts of the suite questions `KIND` metadata: uniform or mixed\n(default: one after the other)")
	return cmd
}

func runEvalRetrieval(ctx context.Context, opts evalRetrievalOptions, io *streams) error {
	if err := opts.check(); err != nil {
		return err
	}
	if m := eval.Metadata(opts.metadata); m != "" && m != eval.Uniform && m != eval.Mixed {
		return usage(fmt.Sprintf("--metadata %q is neither uniform nor mixed", opts.metadata), "")
	}
	options := &eval.Options{
		Scanner: opts.scanner, Progress: io.progress.update,
		LimitFacts: opts.limitFacts, Metadata: eval.Metadata(opts.metadata),
	}
	s, err := opts.settings()
	if err != nil {
		return err
	}
	embedder, err := opts.embedder(s)
	if err != nil {
		return modelError(err)
	}
	if embedder != nil {
		defer embedder.Close()
		options.Embedder = embedder
	}
	report, err := eval.Retrieval(ctx, opts.folder(), opts.suites, options)
	if err != nil {
		return evalError(err, "retrieval", "builtin")
	}
	if opts.json {
		err = io.json(report)
	} else {
		io.evalReport(report)
	}
	if err != nil {
		return err
	}
	return opts.settle(report, io)
}

func (io *streams) evalReport(r eval.Report) {
	for _, s := range r.Suites {
		if !io.terminal {
			for _, row := range s.Rows {
				io.row(append([]string{s.Name, row.Subset, row.System, fmt.Sprint(row.Questions)}, evalCells(row)...)...)
			}
			continue
		}
		io.printf("%s  %s\n", io.color.bold(s.Name), io.color.dim(dotted(
			plural(s.Facts, "fact", "facts"), plural(s.Items, "item", "items"), plural(s.Questions, "question", "questions"))))
		io.printf("%s\n", indented(s.About, io.width, ""))
		for _, note := range s.Notes {
			io.printf("%s\n", io.color.dim(indented(note, io.width, "")))
		}
		subset := ""
		for _, row := range s.Rows {
			if row.Subset != subset {
				subset = row.Subset
				io.printf("\n%s\n", io.color.dim(fmt.Sprintf("%-12s", "")+evalHeader))
				io.printf("%s\n", dotted(subset, plural(row.Questions, "question", "questions")))
			}
			io.printf("%-12s", row.System)
			for i, cell := range evalCells(row) {
				io.printf("%*s", evalWidths[i], cell)
			}
			io.printf("\n")
		}
		io.printf("\n")
	}
}

const evalHeader = `  r@1  r@5 r@10  hit@1   @3   @5  @10   MRR nDCG  tokens    p50    p95`

var evalWidths = [...]int{5, 5, 5, 7, 5, 5, 5, 6, 5, 8, 7, 7}

// evalCells are a row's numbers; shares without the zero in front.
func evalCells(r eval.Row) []string {
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

type evalTableOptions struct {
	*globals
	data, out  string
	dimensions int
}

const evalTableLong = `Make a table of static word vectors out of the texts of facts, so that vectors
can be measured where no model can be downloaded: co-occurrence, positive PMI, a
truncated SVD (latent semantic analysis), written in the layout of Model2Vec.

This is a measuring aid, not a model to work with: it is trained on the very
texts that it is measured on, although never on the questions.`

func newEvalTableCmd(g *globals) *cobra.Command {
	opts := evalTableOptions{globals: g}
	cmd := &cobra.Command{
		Use: "table", Short: "Make word vectors out of facts, to measure with", Long: evalTableLong,
		Example: "  engram eval table --data ../shared/data --out /tmp/table",
		Args:    noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runEvalTable(cmd.Context(), opts, g.io)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.data, "data", "", "read facts and tokenizer from `DIR` (ENGRAM_DATA)")
	flags.StringVar(&opts.out, "out", "", "write the table to `DIR`")
	flags.IntVar(&opts.dimensions, "dimensions", eval.DefaultDimensions, "length `N` of a vector")
	return cmd
}

func runEvalTable(ctx context.Context, opts evalTableOptions, io *streams) error {
	data := cmp.Or(opts.data, opts.getenv("ENGRAM_DATA"))
	switch {
	case data == "":
		return missing("eval table", "--data DIR")
	case opts.out == "":
		return missing("eval table", "--out DIR")
	case opts.dimensions < 1:
		return usage("--dimensions: a vector has at least one number", "")
	}
	result, err := eval.WriteTable(ctx, data, opts.out, opts.dimensions, io.progress.update)
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(result)
	}
	io.pairs("", []pair{
		{"out", result.Out}, {"texts", fmt.Sprint(result.Texts)}, {"tokens", fmt.Sprint(result.Tokens)},
		{"vocabulary", fmt.Sprint(result.Vocabulary)}, {"seen", fmt.Sprint(result.Seen)}, {"pairs", fmt.Sprint(result.Pairs)},
		{"dimensions", fmt.Sprint(result.Dimensions)},
	})
	return nil
}
