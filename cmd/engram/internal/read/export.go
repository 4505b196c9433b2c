package read

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type exportOptions struct {
	*app.Globals
	format string
	output string
	in     memory.ExportInput
}

const exportLong = `Write facts to standard output or to a file, in a form that "engram import"
reads. yaml loses nothing; jsonl has one object a line.

An export is already data for programs, so --json requires --output: it then
prints a summary.`

const exportExample = `  engram export > facts.jsonl
  engram export domain/auth --format yaml
  engram export --all --output backup.yml`

// NewExportCmd returns "engram export".
func NewExportCmd(g *app.Globals) *cobra.Command {
	opts := exportOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "export [PREFIX]", Short: "Write facts to a file or a pipe", Long: exportLong, Example: exportExample,
		Args: app.AtMostOne("prefix", "`engram export --help` shows how to narrow it"), ValidArgsFunction: app.CompleteKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.in.Prefix = strings.Join(args, "")
			return runExport(cmd.Context(), opts, g.Out)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&opts.format, "format", "f", "", "jsonl or yaml (default: by the output's name, else jsonl)")
	flags.Bind(f, &opts.in, "scope", "all")
	f.StringVarP(&opts.output, "output", "o", "", "write to `FILE`, which is replaced once everything is written")
	return cmd
}

func runExport(ctx context.Context, opts exportOptions, out *term.Streams) error {
	toFile := opts.output != "" && opts.output != "-"
	if opts.JSON && !toFile {
		return fault.Usage("an export to standard output is no single JSON object", "use --format jsonl, or --output FILE for a summary in JSON")
	}
	in := opts.in
	var err error
	if in.Format, err = app.FormatOf(opts.format, opts.output); err != nil {
		return err
	}
	m, _, done, err := opts.Open(ctx)
	if err != nil {
		return err
	}
	defer done()
	var result memory.ExportResult
	if toFile {
		result, err = exportFile(ctx, m, in, opts.output)
	} else {
		result, err = m.Export(ctx, out.Data, in)
	}
	switch {
	case err != nil && toFile:
		return err
	case opts.JSON:
		return out.JSON(result)
	case toFile:
		out.Message("%s written to %s", term.Plural(result.Facts, "fact", "facts"), opts.output)
	}
	show.Withheld(out, result.Withheld, "are asked for")
	show.Damaged(out, result.Damaged)
	return err
}

// exportFile puts a file in place when it is whole, so that a failure leaves
// what was there before.
func exportFile(ctx context.Context, m *memory.Memory, in memory.ExportInput, path string) (memory.ExportResult, error) {
	var result memory.ExportResult
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return exportInto(ctx, m, in, path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".engram-export-*")
	if err != nil {
		return result, fault.Usage(fmt.Sprintf("--output: %v", err), "")
	}
	defer os.Remove(f.Name()) // of no use once it was renamed
	result, err = m.Export(ctx, f, in)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Chmod(f.Name(), 0o644) // CreateTemp's are for the user alone
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return result, writing(path, err)
}

// exportInto writes to a device or pipe, which nothing may be put in place of.
func exportInto(ctx context.Context, m *memory.Memory, in memory.ExportInput, path string) (memory.ExportResult, error) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return memory.ExportResult{}, fault.Usage(fmt.Sprintf("--output: %v", err), "")
	}
	result, err := m.Export(ctx, f, in)
	return result, writing(path, errors.Join(err, f.Close()))
}

// writing says which file an error is about.
func writing(path string, err error) error {
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
