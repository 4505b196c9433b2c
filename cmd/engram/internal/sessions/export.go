package sessions

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/memory"
)

type exportOptions struct {
	*app.Globals
	in     memory.SessionExportInput
	output string
}

const exportLong = `Write a session: as the client's own transcript, byte for byte but for secrets
that were replaced and content that nobody can read; as a conversation in
Markdown; or as JSON, one event a line.`

const exportExample = `  engram session export 0f3a > transcript.jsonl
  engram session export 0f3a --format markdown -o session.md
  engram session export 0f3a --format json | jq -r .kind
  engram session export 0f3a --sub-agent a17`

func newExportCmd(g *app.Globals) *cobra.Command {
	opts := exportOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "export ID", Short: "Write a session as its transcript, Markdown or JSON", Long: exportLong, Example: exportExample,
		Args: oneSession, ValidArgsFunction: app.CompleteSessions(g, 1), PreRunE: g.TextOnly,
		RunE: func(cmd *cobra.Command, args []string) error { return runExport(cmd.Context(), opts, args[0]) },
	}
	flags.Bind(cmd.Flags(), &opts.in, "format", "stream")
	cmd.Flags().StringVarP(&opts.output, "output", "o", "", "write to `FILE` instead of standard output")
	completeValues(cmd, "format", memory.SessionFormats())
	return cmd
}

func runExport(ctx context.Context, opts exportOptions, id string) error {
	in := opts.in
	in.ID = id
	_, err := app.Ask(ctx, opts.Open, func(m *memory.Memory, _ config.Settings) (struct{}, error) {
		return struct{}{}, opts.write(func(w io.Writer) error { return m.ExportSession(ctx, in, w) })
	})
	return err
}

// write gives a function the file that was named, or standard output.
func (opts exportOptions) write(do func(io.Writer) error) error {
	if opts.output == "" {
		return do(opts.Out.Data)
	}
	file, err := os.OpenFile(opts.output, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fault.Usage("export: "+err.Error(), "name a file that does not exist yet")
	}
	err = do(file)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = os.Remove(opts.output) // half a session helps nobody
	}
	return err
}
