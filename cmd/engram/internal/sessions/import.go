package sessions

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type importOptions struct {
	*app.Globals
	in    memory.ImportSessionsInput
	since string
}

const importLong = `Keep the transcripts of coding agents as sessions of this repository. FILE is a
transcript of Claude Code, Codex, Gemini CLI, OpenCode or SWE-agent, JSON lines
of role and content, or a folder of such files. --all finds what these clients
keep of this repository in your home folder; transcripts of other repositories
are left alone. A transcript that was imported before is continued.

Everything is kept byte for byte, but for secrets, which are replaced, and
content that nobody can read, such as signatures. Sessions are kept under
refs/engram/sessions in this clone. Nothing is sent; "engram session share"
does.

In a pipe it prints, tab-separated, by the word in front:
  session  id, client, new events, records, damaged records, secrets, file
  skipped  file, reason
  total    sessions, new events, bytes read, damaged records, secrets, omissions`

const importExample = `  engram session import --all
  engram session import --all --since "1w ago"
  engram session import ~/.claude/projects/-home-ada-shop/0f3a.jsonl
  engram session import transcripts/ --label private`

func newImportCmd(g *app.Globals) *cobra.Command {
	opts := importOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "import [FILE...]", Short: "Keep transcripts of coding agents as sessions", Long: importLong, Example: importExample,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		RunE:              func(cmd *cobra.Command, args []string) error { return runImport(cmd.Context(), opts, args) },
	}
	flags.Bind(cmd.Flags(), &opts.in, "all", "label")
	flags.Text(cmd.Flags(), &opts.since, &opts.in, "since", "")
	completeValues(cmd, "label", memory.SessionLabels())
	return cmd
}

// gcPercent keeps the memory of an import small: at 40 it is a third less than at Go's
// default of 100, for no more time on two processors.
const gcPercent = 40

func runImport(ctx context.Context, opts importOptions, files []string) error {
	debug.SetGCPercent(gcPercent)
	in := opts.in
	in.Files, in.Getenv = files, opts.Getenv
	var err error
	if in.Home = opts.Getenv("HOME"); in.Home == "" {
		if in.Home, err = os.UserHomeDir(); err != nil && in.All {
			return fault.Usage("import: "+err.Error(), "name the transcripts instead of --all")
		}
	}
	if in.Since, err = app.TimeFlag("since", opts.since, opts.Now()); err != nil {
		return err
	}
	nothing := false
	err = answer(ctx, opts.Globals, opts.OpenToWrite, printImport, func(m *memory.Memory, _ string) (memory.ImportSessionsResult, error) {
		r, err := m.ImportSessions(ctx, in)
		nothing = len(files) > 0 && r.Files == 0
		return r, err
	})
	return fault.NoIf(nothing, err)
}

func printImport(out *term.Streams, r memory.ImportSessionsResult) {
	ids := map[string]bool{}
	for _, s := range r.Sessions {
		ids[s.ID] = true
		if !out.Terminal {
			out.Row(append(append([]string{"session", s.ID, s.Client}, term.Counts(s.Events, s.Records, s.Malformed, s.Redacted)...), s.File)...)
			continue
		}
		if s.Events == 0 {
			continue
		}
		out.Printf("%s  %s\n", out.Color.Yellow(term.Plain(s.ID)), term.Dotted(s.Client, term.Plural(s.Events, "new event", "new events"),
			term.Some(s.Malformed, "damaged record kept as it is", "damaged records kept as they are"), term.Some(s.Redacted, "secret replaced", "secrets replaced")))
	}
	printSkipped(out, r)
	show.Notes(out, r.Notes)
	if r.Files == 0 && len(r.Skipped) > 0 {
		out.Message("hint: `engram session import --help` says which transcripts can be read")
	}
	if r.Files > 0 && r.Events == 0 {
		out.Message("nothing is new in %s", term.Plural(r.Files, "transcript", "transcripts"))
	}
	if !out.Terminal {
		out.Row(append(append([]string{"total"}, term.Counts(len(ids), r.Events)...), append([]string{strconv.FormatInt(r.Bytes, 10)}, term.Counts(r.Malformed, r.Redacted, r.Omitted)...)...)...)
		return
	}
	if r.Events == 0 {
		return
	}
	out.Summary(term.Plural(len(ids), "session", "sessions"), term.Plural(r.Events, "new event", "new events"), term.Size(r.Bytes)+" read",
		term.Some(r.Redacted, "secret replaced", "secrets replaced"), term.Some(r.Omitted, "unreadable field omitted", "unreadable fields omitted"))
	out.Message("kept under refs/engram/sessions in this clone; nothing was sent (`engram session share` does)")
}

// maxSkipped is how many files that were skipped for one reason are named.
const maxSkipped = 5

func printSkipped(out *term.Streams, r memory.ImportSessionsResult) {
	same := map[string]int{}
	for _, s := range r.Skipped {
		same[s.Reason]++
	}
	for _, s := range r.Skipped {
		switch n := same[s.Reason]; {
		case !out.Terminal:
			out.Row("skipped", s.File, s.Reason)
		case n > maxSkipped:
			out.Message("note: %d files skipped (--json names them): %s", n, s.Reason)
			same[s.Reason] = 0
		case n > 0:
			out.Message("note: %s skipped: %s", filepath.Base(s.File), s.Reason)
		}
	}
}
