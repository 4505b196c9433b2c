package sessions

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type redactOptions struct {
	*app.Globals
	in memory.RedactSessionInput
}

const redactLong = `Take out of a session what the scan for secrets missed: everything that matches
a regular expression, in all texts and artifacts. Without --yes the command
changes nothing and shows how much it would replace.

With --yes the session is written again as one commit, and the old objects are
removed from this clone. The output lists what is left to do for remotes and
other clones. Replace a leaked secret in any case.

PATTERN is - to read it from standard input, so that it does not stay in the
history of your shell.

In a pipe it prints names and values, tab-separated: applied, session, events,
artifacts, replacements, gone, kept; then a line "next" for each thing left to
do.`

const redactExample = `  engram session redact 0f3a 'hunter[0-9]+'
  engram session redact 0f3a - --yes < pattern.txt`

func newRedactCmd(g *app.Globals) *cobra.Command {
	opts := redactOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "redact ID PATTERN|-", Short: "Take what matches a pattern out of a session", Long: redactLong, Example: redactExample,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return fault.Missing("session redact", "the id of a session and a pattern")
			case len(args) == 1:
				return fault.Missing("session redact", "the pattern")
			case len(args) > 2:
				return fault.TooMany("session redact", "pattern")
			}
			return nil
		},
		ValidArgsFunction: app.CompleteSessions(g, 1),
		RunE:              func(cmd *cobra.Command, args []string) error { return runRedact(cmd.Context(), opts, args) },
	}
	flags.Bind(cmd.Flags(), &opts.in, "apply")
	return cmd
}

func runRedact(ctx context.Context, opts redactOptions, args []string) error {
	in := opts.in
	in.ID = args[0]
	var err error
	if in.Pattern, err = opts.Text(ctx, "the pattern", args[1]); err != nil {
		return err
	}
	return answer(ctx, opts.Globals, opts.OpenToWrite, printRedact, func(m *memory.Memory, _ string) (memory.ForgetSessionResult, error) {
		return m.RedactSession(ctx, in)
	})
}

func printRedact(out *term.Streams, r memory.ForgetSessionResult) {
	if !out.Terminal {
		printForgetRows(out, r)
	} else {
		out.Printf("%s %s in %s and %s of %s\n", term.Either(r.Applied, "replaced", "would replace"), term.Plural(r.Replacements, "place", "places"),
			term.Plural(r.Events, "event", "events"), term.Plural(r.Artifacts, "artifact", "artifacts"), out.Color.Yellow(term.Plain(r.ID)))
	}
	if r.Events+r.Artifacts == 0 {
		out.Message("nothing in session %s matches", r.ID)
		return
	}
	finish(out, r)
}

// printForgetRows prints what a removal did, for scripts.
func printForgetRows(out *term.Streams, r memory.ForgetSessionResult) {
	out.Pairs("", []term.Pair{
		{"applied", strconv.FormatBool(r.Applied)}, {"session", r.ID}, {"events", strconv.Itoa(r.Events)}, {"artifacts", strconv.Itoa(r.Artifacts)},
		{"replacements", strconv.Itoa(r.Replacements)}, {"gone", strconv.Itoa(r.Gone)}, {"kept", strconv.Itoa(len(r.Kept))},
	})
	for _, next := range r.Next {
		out.Row("next", next)
	}
}

// finish says what is left to do.
func finish(out *term.Streams, r memory.ForgetSessionResult) {
	show.Notes(out, r.Notes)
	if out.Terminal && r.Applied {
		out.Summary(term.Plural(r.Gone, "object is", "objects are") + " gone from this clone")
	}
	for _, next := range r.Next {
		if out.Terminal {
			out.Message("left to do: %s", next)
		}
	}
	preview(out, r.Applied)
}
