package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/eval/vectors"
)

type tableOptions struct {
	*app.Globals
	data, out  string
	dimensions int
}

const tableLong = `Make a table of static word vectors out of the texts of facts, so that vectors
can be measured where no model can be downloaded: co-occurrence, positive PMI, a
truncated SVD (latent semantic analysis), written in the layout of Model2Vec.

This is a measuring aid, not a model to work with: it is trained on the very
texts that it is measured on, although never on the questions.`

func newTableCmd(g *app.Globals) *cobra.Command {
	opts := tableOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "table", Short: "Make word vectors out of facts, to measure with", Long: tableLong,
		Example: "  engram-eval table --data ../shared/data --out /tmp/table",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runTable(cmd.Context(), opts, g.Out) },
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.data, "data", "", "read facts and tokenizer from `DIR` (ENGRAM_DATA)")
	flags.StringVar(&opts.out, "out", "", "write the table to `DIR`")
	flags.IntVar(&opts.dimensions, "dimensions", vectors.DefaultDimensions, "length `N` of a vector")
	return cmd
}

func runTable(ctx context.Context, opts tableOptions, out *term.Streams) error {
	data := cmp.Or(opts.data, opts.Getenv("ENGRAM_DATA"))
	switch {
	case data == "":
		return fault.Usage("table: --data DIR is missing", "`engram-eval table --help` shows examples")
	case opts.out == "":
		return fault.Usage("table: --out DIR is missing", "`engram-eval table --help` shows examples")
	case opts.dimensions < 1:
		return fault.Usage("--dimensions: a vector has at least one number", "")
	}
	result, err := vectors.WriteTable(ctx, data, opts.out, opts.dimensions, out.Progress.Update)
	if err != nil {
		return err
	}
	return term.Print(out, opts.JSON, result, printTable)
}

func printTable(out *term.Streams, r vectors.TableResult) {
	out.Pairs("", []term.Pair{
		{"out", r.Out}, {"texts", fmt.Sprint(r.Texts)}, {"tokens", fmt.Sprint(r.Tokens)}, {"vocabulary", fmt.Sprint(r.Vocabulary)},
		{"seen", fmt.Sprint(r.Seen)}, {"pairs", fmt.Sprint(r.Pairs)}, {"dimensions", fmt.Sprint(r.Dimensions)},
	})
}
