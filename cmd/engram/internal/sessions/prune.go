package sessions

import (
	"context"
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

const pruneLong = `Move the content of old artifacts, which is most of what sessions take, into
cold storage: sessions.cold of the configuration, a folder or remote:NAME for a
git remote, from which engram session fetch ID --artifacts brings it back.
Without one the content is dropped. The conversation, the digests and the
previews stay.

--days and --max-size say which artifacts are old; without them,
sessions.keep_days and sessions.max_size of the configuration do. Without --yes
the command changes nothing and shows what it would do.

In a pipe it prints a line for each session, tab-separated: session, ended,
artifacts, bytes.`

const pruneExample = `  engram session prune --days 90
  engram session prune --max-size 500000000 --yes`

func newPruneCmd(g *app.Globals) *cobra.Command {
	var in memory.PruneSessionsInput
	cmd := &cobra.Command{
		Use: "prune", Short: "Move old artifacts into cold storage", Long: pruneLong, Example: pruneExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := errors.Join(app.NotZero(cmd, "is no age: the least is 1", "days"), app.NotZero(cmd, "keeps nothing: the least is 1 byte", "max-size")); err != nil {
				return err
			}
			return runPrune(cmd.Context(), g, in)
		},
	}
	flags.Bind(cmd.Flags(), &in, "days", "max_size", "apply")
	return cmd
}

func runPrune(ctx context.Context, g *app.Globals, in memory.PruneSessionsInput) error {
	if err := notBelowZero("days", in.Days); err != nil {
		return err
	}
	if err := notBelowZero("max-size", int(in.MaxSize)); err != nil {
		return err
	}
	return answer(ctx, g, g.Open, printPrune, func(m *memory.Memory, _ string) (memory.PruneSessionsResult, error) {
		return m.PruneSessions(ctx, in)
	})
}

func printPrune(out *term.Streams, r memory.PruneSessionsResult) {
	for _, s := range r.Sessions {
		if !out.Terminal {
			out.Row(s.ID, term.Stamp(s.Ended), strconv.Itoa(s.Artifacts), strconv.FormatInt(s.Bytes, 10))
			continue
		}
		out.Printf("%s  %s\n", out.Color.Yellow(term.Plain(s.ID)), term.Dotted(term.Ago(out.Now(), s.Ended), term.Plural(s.Artifacts, "artifact", "artifacts"), term.Size(s.Bytes)))
	}
	show.Notes(out, r.Notes)
	if len(r.Sessions) == 0 {
		out.Message("no artifacts are old enough; %s stay", term.Size(r.Left))
		return
	}
	where := term.Either(r.Cold == "", "dropped; digests and previews stay", "in "+r.Cold)
	if !r.Applied {
		where = term.Either(r.Cold == "", "would be dropped: sessions.cold names no place for them", "would go to "+r.Cold)
	}
	out.Message("%s of artifacts %s; %s stay", term.Size(r.Bytes), where, term.Size(r.Left))
	preview(out, r.Applied)
}
