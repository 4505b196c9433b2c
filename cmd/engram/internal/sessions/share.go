package sessions

import (
	"context"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

type shareOptions struct {
	*app.Globals
	in memory.ShareSessionsInput
}

const shareLong = `Send sessions to a remote, so that others can fetch them. Without --yes the
command sends nothing and shows what it would send. A session with a private
event is not sent. Whoever can read the remote can read the sessions.

--auto sends what "sessions" in the team's policy says (engram.yml):
  never   nothing; people name what they share. The default
  own     the sessions that were recorded in this clone
  pushed  the sessions that made a commit which a branch of the remote has
"engram policy" shows it.

In a pipe it prints, tab-separated: "sent", "would send" or "withheld"; id;
title or reason.`

const shareExample = `  engram session share 0f3a
  engram session share 0f3a 71c2 --yes
  engram session share --auto --yes`

func newShareCmd(g *app.Globals) *cobra.Command {
	opts := shareOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "share [ID...]", Short: "Send sessions to a remote", Long: shareLong, Example: shareExample,
		ValidArgsFunction: app.CompleteSessions(g, 0),
		RunE:              func(cmd *cobra.Command, args []string) error { return runShare(cmd.Context(), opts, args) },
	}
	flags.Bind(cmd.Flags(), &opts.in, "remote", "auto", "apply")
	return cmd
}

func runShare(ctx context.Context, opts shareOptions, ids []string) error {
	in := opts.in
	in.IDs = ids
	var planned memory.ShareSessionsResult
	err := answer(ctx, opts.Globals, opts.Open, printShare, func(m *memory.Memory, _ string) (r memory.ShareSessionsResult, err error) {
		planned, err = m.ShareSessions(ctx, in)
		return planned, err
	})
	if err != nil && !opts.JSON { // what would be sent, and what not, is known before the remote refuses
		printPlan(opts.Out, planned)
	}
	return err
}

func printShare(out *term.Streams, r memory.ShareSessionsResult) {
	printPlan(out, r)
	switch {
	case len(r.Sessions) > 0 && !r.Applied:
		out.Message("this is a preview; nothing was sent\nhint: read them with `engram session show`, then add --yes to send them to %s", r.Remote)
	case len(r.Sessions) > 0:
		out.Message("others bring them with `engram session fetch --all`")
	default:
		out.Message("there is nothing to send to %s", r.Remote)
	}
}

// printPlan prints what was sent or would be, and what was withheld.
func printPlan(out *term.Streams, r memory.ShareSessionsResult) {
	verb := term.Either(r.Applied, "sent", "would send")
	for _, s := range r.Sessions {
		if !out.Terminal {
			out.Row(verb, s.ID, s.Title)
			continue
		}
		out.Printf("%s  %s  %s\n", verb, out.Color.Yellow(term.Plain(s.ID)), term.Plain(s.Title))
		about := append([]string{s.Client, term.Ago(out.Now(), s.Ended)}, show.Counted(s)...)
		out.Printf("  %s\n", out.Color.Dim(term.Dotted(append(about, term.Some(s.Redacted, "secret replaced", "secrets replaced"))...)))
	}
	for _, w := range r.Withheld {
		if !out.Terminal {
			out.Row("withheld", w.ID, w.Reason)
			continue
		}
		out.Printf("%s  %s  %s\n", out.Color.Red("withheld"), out.Color.Yellow(term.Plain(w.ID)), term.Plain(w.Reason))
	}
	show.Notes(out, r.Notes)
}
