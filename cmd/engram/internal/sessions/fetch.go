package sessions

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

type fetchOptions struct {
	*app.Globals
	in memory.FetchSessionsInput
}

const fetchLong = `Bring sessions that others have shared from a remote. Without an ID and without
--all the command lists what the remote has. ID may be the beginning of one.
Artifacts that prune archived stay away unless --artifacts asks for them.

In a pipe it prints, tab-separated: "fetched" or "there", id. A session that was
named and has not changed is "there".`

const fetchExample = `  engram session fetch
  engram session fetch 0f3a
  engram session fetch 0f3a --artifacts
  engram session fetch --all --remote upstream`

func newFetchCmd(g *app.Globals) *cobra.Command {
	opts := fetchOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "fetch [ID...]", Short: "Bring sessions from a remote, or list those it has", Long: fetchLong, Example: fetchExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, args []string) error { return runFetch(cmd.Context(), opts, args) },
	}
	flags.Bind(cmd.Flags(), &opts.in, "remote", "all", "artifacts")
	return cmd
}

func runFetch(ctx context.Context, opts fetchOptions, ids []string) error {
	in := opts.in
	in.IDs = ids
	listing := len(ids) == 0 && !in.All
	return answer(ctx, opts.Globals, opts.Open, func(out *term.Streams, r memory.FetchSessionsResult) { printFetch(out, r, listing) },
		func(m *memory.Memory, _ string) (memory.FetchSessionsResult, error) { return m.FetchSessions(ctx, in) })
}

func printFetch(out *term.Streams, r memory.FetchSessionsResult, listing bool) {
	for _, id := range r.There {
		switch fetched := slices.Contains(r.Fetched, id); {
		case !out.Terminal:
			out.Row(term.Either(fetched, "fetched", "there"), id)
		case fetched:
			out.Printf("fetched  %s\n", out.Color.Yellow(term.Plain(id)))
		case listing:
			out.Printf("%s\n", out.Color.Yellow(term.Plain(id)))
		}
	}
	switch {
	case r.Artifacts > 0:
		out.Message("brought back %s until the next prune", term.Plural(r.Artifacts, "artifact", "artifacts"))
	case len(r.There) == 0:
		out.Message("%s has no sessions", r.Remote)
	case listing:
		out.Message("hint: `engram session fetch ID` brings one, --all brings all")
	case len(r.Fetched) == 0:
		out.Message("nothing is new at %s", r.Remote)
	}
}
