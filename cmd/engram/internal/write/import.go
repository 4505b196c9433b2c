package write

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type importOptions struct {
	*app.Globals
	format string
	in     memory.ImportInput
}

const importLong = `Write many facts: all of them, or none if one is not valid, in which case every
line at fault is named. Facts that are already there are skipped, so an import
can be repeated.

Lines with one key are versions of one fact, each from its valid_from (or
committed_at) on, so that --as-of answers as the file says. They take a commit
a version; everything else goes into the first one.

jsonl has one object a line, with the fields that "engram export" writes; only
"claim" is required. yaml has facts as on the branch, separated by lines of ---.

A record that contains a secret stops the import, whatever the options.`

const importExample = `  engram import facts.jsonl --agent migration
  engram export --repo ../other | engram import -
  engram import facts.yml --skip-invalid`

// NewImportCmd returns "engram import".
func NewImportCmd(g *app.Globals) *cobra.Command {
	opts := importOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "import FILE|-", Short: "Write many facts at once", Long: importLong, Example: importExample,
		Args: app.One("file", "join several with cat and pass - to read standard input"),
		RunE: func(cmd *cobra.Command, args []string) error { return runImport(cmd.Context(), opts, args[0]) },
	}
	flags.Bind(cmd.Flags(), &opts.in, "agent_id", "skip_invalid")
	cmd.Flags().StringVarP(&opts.format, "format", "f", "", "jsonl or yaml (default: by the file's name, else jsonl)")
	return cmd
}

func runImport(ctx context.Context, opts importOptions, path string) error {
	in := opts.in
	var err error
	if in.Format, err = app.FormatOf(opts.format, path); err != nil {
		return err
	}
	source, err := opts.source(ctx, path)
	if err != nil {
		return err
	}
	defer source.Close()
	return app.Answer(ctx, opts.Globals, opts.OpenToWrite, printImport, func(m *memory.Memory, s config.Settings) (memory.ImportResult, error) {
		in.Agent = cmp.Or(in.Agent, s.Agent)
		return m.Import(ctx, source, in)
	})
}

// source opens the file to import, or standard input.
func (opts importOptions) source(ctx context.Context, path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(term.Interruptible(ctx, opts.Out.In)), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.Usage(fmt.Sprintf("import: %v", err), "pass - to read standard input")
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, fault.Usage("import: "+path+" is a folder", "name a file, or pass - to read standard input")
	}
	return f, nil
}

func printImport(out *term.Streams, r memory.ImportResult) {
	out.Pairs("", []term.Pair{
		{"added", strconv.Itoa(r.Added)}, {"updated", strconv.Itoa(r.Updated)}, {"retired", strconv.Itoa(r.Retired)},
		{"duplicates", strconv.Itoa(r.Duplicates)}, {"rejected", strconv.Itoa(len(r.Rejected))}, {"revision", r.Revision},
	})
	if r.Proposed > 0 {
		out.Message("%s; `engram review` accepts them", term.Plural(r.Proposed, "of these is proposed", "of these are proposed"))
	}
	for _, reject := range r.Rejected {
		out.Message("line %d skipped: %s", reject.Line, reject.Problem)
	}
}
